"""Laws that are read off whole playouts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from games.game import Game
from games.laws.places import Breach
from games.playout import Moment, Playout, play, transcript, walk


def forms(game: Game, playouts: Sequence[Playout]) -> Iterator[Breach]:
    """runs, seats, observe, legal, returns: every function answers, and in its form."""
    for played in playouts:
        if played.fault:
            law, sentence = played.fault
            yield law, sentence, transcript(game, played.seed, played.moments)


def termination(game: Game, playouts: Sequence[Playout]) -> Iterator[Breach]:
    for played in playouts:
        if not played.finished and not played.fault:
            moves = transcript(game, played.seed, played.moments)
            yield "termination", f"random play was not over after max_plies = {game.max_plies} decisions", moves


def utilities(game: Game, playouts: Sequence[Playout]) -> Iterator[Breach]:
    """range and zero sum: the returns are what was declared."""
    low, high = game.utility_range
    for played in playouts:
        if not played.finished:
            continue
        returns, moves = played.moments[-1].returns, transcript(game, played.seed, played.moments)
        if not all(low - 1e-9 <= value <= high + 1e-9 for value in returns):
            yield "range", f"returns {list(returns)} leave the declared utility_range ({low}, {high})", moves
        if game.zero_sum and abs(sum(returns)) > 1e-9:
            yield "zero sum", f"returns {list(returns)} add up to {sum(returns)}, and zero_sum is declared", moves


def determinism(game: Game, playouts: Sequence[Playout]) -> Iterator[Breach]:
    """The same seed gives the same game, whatever was played in between."""
    for played in playouts:
        yield from _compare(game, "determinism", "playing the same seed again", played, play(game, played.seed))


def isolation(game: Game, playouts: Sequence[Playout]) -> Iterator[Breach]:
    """Two games played in turns do not know of each other."""
    for one, other in zip(playouts[::2], playouts[1::2], strict=False):
        first, second = walk(game, one.seed), walk(game, other.seed)
        moments: list[Moment] = []
        try:
            moments.extend(pair[0] for pair in zip_longest(first, second) if pair[0] is not None)
        except Exception:
            if one.fault or other.fault:
                continue
        yield from _compare(
            game, "isolation", "playing it in turns with another game", one, Playout(one.seed, tuple(moments))
        )


def _compare(game: Game, law: str, how: str, one: Playout, other: Playout) -> Iterator[Breach]:
    for index, (was, now) in enumerate(zip_longest(one.moments, other.moments)):
        if was is None or now is None or was.seen != now.seen:
            then, after = (moment.seen if moment else "nothing" for moment in (was, now))
            yield (
                law,
                f"{how} (seed {one.seed}) gave {after}, not {then}",
                transcript(game, one.seed, one.moments[: index + 1]),
            )
            return
