"""Where laws about single states look: the different states of the playouts, and the moves that lead there."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from games.game import Game, State
from games.playout import Moment, Playout, transcript

Breach = tuple[str, str, tuple[str, ...]]  # law, sentence, transcript
STATES = 2000  # no more than this many different ones


def decisions(game: Game, playouts: Sequence[Playout]) -> Iterator[tuple[tuple[str, ...], Moment]]:
    """Different states with a seat to move, and the moves that lead there."""
    yield from islice(_distinct(game, playouts, lambda moment: not moment.over), STATES)


def states(game: Game, playouts: Sequence[Playout]) -> Iterator[tuple[tuple[str, ...], State]]:
    found = islice(_distinct(game, playouts, lambda moment: True), STATES)
    yield from ((moves, moment.state) for moves, moment in found)


def _distinct(
    game: Game, playouts: Sequence[Playout], wanted: Callable[[Moment], bool]
) -> Iterator[tuple[tuple[str, ...], Moment]]:
    met = set()
    for played in playouts:
        for index, moment in enumerate(played.moments):
            mark = frozen(moment.state) or id(moment.state)
            if wanted(moment) and mark not in met:
                met.add(mark)
                yield transcript(game, played.seed, played.moments[:index]), moment


def frozen(state: State) -> bytes | None:
    try:
        return pickle.dumps(state)
    except Exception:
        return None
