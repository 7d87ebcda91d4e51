"""One game with the person in one seat, from the first deal to the result."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path
from typing import Any

from games import Game, State
from games.opponents import Opponent
from selfplay.errors import WrongCall
from selfplay.human.across import Heard, Model, Script, awake, seat
from selfplay.human.person import HOW, Person, wrapped
from selfplay.human.terminal import Left, Terminal
from selfplay.policy.engine import Engine
from selfplay.records import End, Episode, Sampling
from selfplay.rollouts.play import play
from selfplay.seeds import rng
from selfplay.views.text import short
from solvers.player import Player


def match(
    game: Game, named: str, terminal: Terminal, against: str | None, own: int, seed: int, root: Path
) -> dict[str, Any]:
    """Plays, tells the result, and gives it as plain data: `game`, `seed`, `seat` (the person's), `seats`, and, unless
    the person left, `moves` (seat and action), `returns`, `offender`; `end` is an `End`, or `left`.

    named: what the game was asked for by. root: where runs are. Raises UserError for a seat that the game has not, and
    as `across.seat` does.
    """
    if not 0 <= own < len(game.roles):
        known = ", ".join(f"{number} ({role})" for number, role in enumerate(game.roles))
        raise WrongCall(f"`{game.name}` has no seat {own}; it has {known}.")
    other = seat(against, game, root, terminal.say)
    seats = ["you" if place == own else other.name for place in range(len(game.roles))]
    whom = ["--against", against] if against else []
    call = shlex.join(["selfplay", "play", named, "--seat", str(own), "--seed", str(seed), *whom])
    again = f"The same game again: {call}"
    found: dict[str, Any] = {"game": game.name, "seed": seed, "seat": own, "seats": seats}
    terminal.say(f"{game.name}: {', '.join(map(_seated, game.roles, seats))}; seed {seed}", *wrapped(game.rules), HOW)
    try:
        episode = _played(game, Person(terminal), own, other, seed, terminal)
    except Left:
        terminal.say("You left; nothing is counted.", again)
        return found | {"end": "left"}
    terminal.say("", *_ending(game, episode, seats, own), again)
    moves = [{"seat": ply.seat, "action": ply.action} for ply in episode.plies]
    return found | {
        "end": str(episode.end), "moves": moves, "returns": list(episode.returns), "offender": episode.offender
    }  # fmt: skip


def _played(game: Game, person: Person, own: int, other: Script | Model, seed: int, terminal: Terminal) -> Episode:
    if isinstance(other, Model):
        terminal.say(f"Loading {other.name} …")
        with awake(other) as engine:
            config = other.config.games
            shown = (config.show_legal, config.show_rules, config.observation)
            player = Heard(other.config.model.style, config.answer, *shown, say=terminal.say)
            sampling = Sampling(config.max_tokens, other.config.sampler.temperature)
            return _run(engine, game, player, sampling, seed, {own: person}, config.retries)
    opponents: dict[int, Opponent] = {place: other for place in range(len(game.roles)) if place != own}
    return _run(None, game, Player(), Sampling(1), seed, {**opponents, own: person})


def _run(
    engine: Engine | None,
    game: Game,
    player: Player,
    sampling: Sampling,
    seed: int,
    opponents: dict[int, Opponent],
    retries: int = 0,
) -> Episode:
    """In a loop of its own: `asyncio.run` would keep Ctrl-C waiting while the person is being asked. engine None: no
    seat is a policy's."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(play(engine, game, player, sampling, seed, 0, opponents, retries))
    finally:
        loop.close()


def _ending(game: Game, episode: Episode, seats: list[str], own: int) -> list[str]:
    moves = [f"{game.roles[p.seat]} {'no legal move' if p.action is None else p.action}" for p in episode.plies]
    told = [*wrapped("The moves: " + ", ".join(moves)), "", game.render(last(game, episode)), ""]
    final = episode.plies[-1] if episode.plies else None
    if episode.end is End.INVALID and final is not None and final.turn is not None:
        words = short(final.turn.completion.text, 200)
        told.append(f"The model wrote '{words}', which names no legal move: it forfeits.")
    if episode.end is End.TRUNCATED:
        told.append("The game took too many moves and was broken off.")
    best, mine = max(episode.returns), episode.returns[own]
    verdict = "You lost" if mine < best else "A draw" if episode.returns.count(best) > 1 else "You won"
    each = zip(game.roles, seats, episode.returns, strict=True)
    return [*told, f"{verdict}: {', '.join(f'{_seated(role, who)} {value:g}' for role, who, value in each)}"]


def last(game: Game, episode: Episode) -> State:
    """The state after the episode's last legal move: the same seed deals the same game."""
    chance = rng("chance", game.name, episode.seed)
    state = game.initial(chance)
    for ply in episode.plies:
        if ply.action is not None:
            state = game.step(state, ply.action, chance)
    return state


def _seated(role: str, who: str) -> str:
    return f"{role} ({who})"
