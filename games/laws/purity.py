"""Laws of states and sources: states are values, and nothing is changed or drawn behind the caller's back."""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from random import Random
from typing import Any

from games.game import Game
from games.laws.places import Breach, frozen, states
from games.playout import Moment, Playout, transcript, walk


def values(game: Game, playouts: Sequence[Playout]) -> Iterator[Breach]:
    """value: a state hashes, and survives pickling as an equal."""
    for moves, state in states(game, playouts):
        try:
            copy = pickle.loads(pickle.dumps(state))
            if copy != state or hash(copy) != hash(state):
                kind = type(state).__name__
                yield "value", f"a pickled and restored {kind} is not equal to itself: states are values", moves
        except Exception as error:
            yield "value", f"a state must hash and pickle: {type(error).__name__}: {error}", moves


def immutability(game: Game, playouts: Sequence[Playout]) -> Iterator[Breach]:
    """No function of the game changes the state it is given."""
    for played in playouts[:50]:
        walker, moments = walk(game, played.seed), []
        while (moment := _next(walker)) is not None:
            moments.append(moment)
            for name, call in _calls(game, moment):
                before = frozen(moment.state)
                _quietly(call)
                if before is not None and frozen(moment.state) != before and pickle.loads(before) != moment.state:
                    moves = transcript(game, played.seed, moments)
                    yield "immutability", f"`{name}` changed the state it was given", moves


def global_randomness(game: Game, playouts: Sequence[Playout]) -> Iterator[Breach]:
    """Chance comes from the rng that is passed in: Python's and numpy's global sources stay untouched."""
    for played in playouts[:50]:
        _set_global_sources(
            played.seed
        )  # to another state each time, or setting it twice to the same would go unnoticed
        before, walker, moments = _global_sources(), walk(game, played.seed), []
        while (moment := _next(walker)) is not None:
            moments.append(moment)
            if _global_sources() != before:
                sentence = "the game used or set the global random state: draw from the rng that is passed in"
                yield "global randomness", sentence, transcript(game, played.seed, moments)
                break


def _calls(game: Game, moment: Moment) -> Iterator[tuple[str, Callable[[], Any]]]:
    state = moment.state
    yield "to_move", lambda: game.to_move(state)
    yield "legal", lambda: game.legal(state)
    yield "render", lambda: game.render(state)
    yield "chance", lambda: game.chance(state)
    for seat in range(len(game.roles)):
        yield "observe", partial(game.observe, state, seat)
        yield "infostate_key", partial(game.infostate_key, state, seat)
    if moment.over:
        yield "returns", lambda: game.returns(state)
    else:
        yield "parse", lambda: game.parse(moment.action, state)
        yield "step", lambda: game.step(state, moment.action, Random(0))


def _quietly(call: Callable[[], Any]) -> None:
    with suppress(Exception):  # the laws of form report it
        call()


def _next(walker: Iterator[Moment]) -> Moment | None:
    try:
        return next(walker, None)
    except Exception:
        return None  # the laws of form report it


@contextmanager
def global_sources_kept() -> Iterator[None]:
    """Leaves Python's and numpy's global random states as they were found."""
    python, numpy = random.getstate(), sys.modules.get("numpy")
    arrays = numpy.random.get_state() if numpy else None
    try:
        yield
    finally:
        random.setstate(python)
        if numpy:
            numpy.random.set_state(arrays)


def _global_sources() -> tuple[Any, str | None]:
    numpy = sys.modules.get("numpy")
    return random.getstate(), repr(numpy.random.get_state(legacy=False)) if numpy else None


def _set_global_sources(seed: int) -> None:
    random.seed(f"found {seed}")
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(random.getrandbits(32))
