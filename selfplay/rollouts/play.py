"""One game, both seats: every ply its own turn of the policy, or a scripted opponent's move.

The engine owns what the game does not: the answer format (solvers.player), retries, the price of an invalid move (the
offender gets the game's least utility, the game ends, and the other seat's plies are not trained on), truncation,
seeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games import Game
from games.opponents import Opponent
from selfplay.league import Rival
from selfplay.policy.engine import Engine
from selfplay.records import End, Episode, Ply, Sampling
from selfplay.rollouts.ask import ask
from selfplay.seeds import derive, rng
from solvers.player import Player


async def play(
    engine: Engine,
    game: Game,
    player: Player,
    sampling: Sampling,
    seed: int,
    index: int,
    opponents: Mapping[int, Opponent] | None = None,
    retries: int = 0,
    rivals: Mapping[int, Rival] | None = None,
    explore: bool = False,
) -> Episode:
    """`opponents` and `rivals` map a seat to the script or the frozen policy that sits there instead of the policy.
    The same seed deals the same game. explore: note what else could have been said (`Turn.options`)."""
    opponents, rivals = opponents or {}, rivals or {}
    chance, moves = rng("chance", game.name, seed), rng("moves", game.name, seed)
    sampling = replace(sampling, stop=player.stop)
    named = {seat: one.name for seat, one in opponents.items()} | {seat: one.name for seat, one in rivals.items()}
    seats = tuple(named.get(seat, "policy") for seat in range(len(game.roles)))
    state, plies = game.initial(chance), list[Ply]()
    past: list[list[tuple[str, str]]] = [[] for _ in game.roles]
    end, offender = End.FINISHED, None
    action: str | None
    while (seat := game.to_move(state)) is not None:
        if len(plies) >= game.max_plies * (1 + retries):
            end = End.TRUNCATED
            break
        observation, listed = game.observe(state, seat), game.legal(state)
        legal = tuple(listed) if listed is not None else None
        if seat in opponents:
            action = opponents[seat].act(game, state, moves)
            plies.append(Ply(seat, observation, legal, action, None))
        else:
            prompt = player.prompt(game, seat, player.shown(game, state, seat, observation), legal, past[seat])
            for _ in range(1 + retries):
                own = replace(sampling, seed=derive("ply", seed, index, len(plies)))
                asked = rivals[seat].engine if seat in rivals else engine
                turn = await ask(asked, prompt, "player", f"{game.name}/{seat}", own)
                if explore and legal:
                    turn = replace(turn, options=_options(engine, player, legal))
                action = player.read(turn.completion.text, game, state, legal)
                plies.append(Ply(seat, observation, legal, action, None if seat in rivals else turn))
                if action is not None:
                    break
        if action is None:
            end, offender = End.INVALID, seat
            break
        past[seat].append((observation, action))
        state = game.step(state, action, chance)
    returns = _returns(game, state, end, offender)
    return Episode(index, game.name, seed, seats, tuple(plies), returns, end, offender)


def _options(engine: Engine, player: Player, legal: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    words = (player.write(action, legal) for action in legal)
    return tuple(tuple(engine.tokenizer.encode(each, add_special_tokens=False)) for each in words)


def _returns(game: Game, state: object, end: End, offender: int | None) -> tuple[float, ...]:
    if end is End.FINISHED:
        return tuple(game.returns(state))
    least, seats = game.utility_range[0], range(len(game.roles))
    return tuple(least if seat == offender else 0.0 for seat in seats)
