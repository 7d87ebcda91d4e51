"""One game, turn by turn: what each seat saw, wrote and played, how probable that was, and what it was worth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from selfplay.errors import UserError
from selfplay.store.reader import Reader
from selfplay.views.board import draw
from selfplay.views.text import number, safe


def episode(
    reader: Reader, id: int | None = None, rules: str | None = None, names: Sequence[str] = ()
) -> dict[str, Any]:
    """One game with all its plies; the newest when no id is given. UserError when there is none.

    A ply has beside what is stored: `probability` of the completion that was written (None: no policy was asked) and
    `said_here` (see Reader.said_here). `boards`, `board_problem`: see `board.draw`, which takes `rules` and `names`.
    """
    with reader.snapshot():
        if id is None:
            newest = reader.episodes(1)
            if not newest:
                raise UserError("No game was played in this run, so there is none to replay.")
            id = newest[0]["id"]
        found = reader.episode(id)
        plies = [
            ply | {"probability": _probability(ply["turn"]), "said_here": reader.said_here(id, ply["ply"])}
            for ply in found["plies"]
        ]
    return found | {"plies": plies} | draw(found, rules, names)


def render_episode(episode: Mapping[str, Any]) -> Any:
    from rich.text import Text

    return Text("\n".join(_lines(episode)))


def _lines(episode: Mapping[str, Any]) -> Iterator[str]:
    seats = ", ".join(f"seat {seat} {who}" for seat, who in enumerate(episode["opponents"]))
    yield safe(f"episode {episode['id']}: {episode['game']} in step {episode['step']}, seed {episode['seed']}; {seats}")
    if episode["board_problem"]:
        yield safe(f"({episode['board_problem']})")
    for ply, board in zip(episode["plies"], episode["boards"], strict=False):
        yield from _ply(ply, board, episode["opponents"])
    returns = ", ".join(f"seat {seat} {number(value)}" for seat, value in enumerate(episode["returns"]))
    blame = "" if episode["offender"] is None else f" by seat {episode['offender']}"
    yield ""
    if episode["boards"][-1] is not None:
        yield "at the end"
        yield from _block(episode["boards"][-1])
    yield safe(f"{episode['end']}{blame}: {returns}")
    if any(ply["turn"] for ply in episode["plies"]):
        yield ""
        yield "p is the probability of just these words; p ≥ that of a move, by all the words for it that were sampled."


def _ply(ply: Mapping[str, Any], board: str | None, seats: Sequence[str]) -> Iterator[str]:
    yield ""
    if board is not None and board.strip() != ply["observation"].strip():
        yield f"ply {ply['ply'] + 1}, a spectator sees"
        yield from _block(board)
    yield safe(f"ply {ply['ply'] + 1}, seat {ply['seat']} ({seats[ply['seat']]}) sees")
    yield from _block(ply["observation"])
    if ply["legal"] is not None:
        yield safe(f"  legal: {', '.join(ply['legal'])}")
    if ply["turn"] is not None:
        yield safe(f"  writes ({_facts(ply)})")
        yield from _block(ply["turn"]["text"])
    yield "  plays no legal move" if ply["action"] is None else safe(f"  plays {ply['action']}")
    if sum(move["times"] for move in ply["said_here"]) > 1:
        yield safe(f"  in this step the policy answered this prompt: {_said(ply['said_here'])}")


def _said(moves: Sequence[Mapping[str, Any]]) -> str:
    named = (
        f"{'no legal move' if move['action'] is None else move['action']} "
        f"{move['times']:,}× (p ≥ {number(move['probability'])})"
        for move in moves
    )
    return ", ".join(named)


def _block(text: str) -> list[str]:
    return ["    │ " + line for line in safe(text, lines=True).split("\n")]


def _facts(ply: Mapping[str, Any]) -> str:
    turn = ply["turn"]
    tokens = f"{len(turn['ids'])} token{'s' * (len(turn['ids']) != 1)}"
    facts = f"{tokens}, p {number(ply['probability'])}, {turn['stop']}, policy version {turn['version']}"
    if turn["reward"] is None:
        return facts
    return f"{facts}, reward {turn['reward']:g}, advantage {turn['advantage']:+.3f}"


def _probability(turn: Mapping[str, Any] | None) -> float | None:
    """Of all its tokens, as the sampler drew them."""
    return None if turn is None else math.exp(math.fsum(turn["logprobs"]))
