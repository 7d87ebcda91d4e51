"""The law of chance: what is listed is what is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from games.game import Game, State
from games.laws.places import Breach, decisions
from games.playout import Playout

DECISIONS = 500
SETTLED = 5000


def chance(game: Game, playouts: Sequence[Playout]) -> Iterator[Breach]:
    """chance: odds add up to 1, and what `initial` and `step` draw is on the list."""
    deals = game.chance(None)
    if deals is not None:
        if fault := _odds(deals):
            yield "chance", f"chance(None) {fault}", ()
        listed = _settled(game, None)
        for played in playouts:
            if listed is not None and played.moments and played.moments[0].state not in listed:
                sentence = f"initial dealt {played.moments[0].state!r}, which chance(None) does not list"
                yield "chance", sentence, (f"seed {played.seed}",)
    if type(game).chance is Game.chance:
        return
    for moves, moment in islice(decisions(game, playouts), DECISIONS):
        for action in moment.legal or ():
            after = game.step(moment.state, action, None)
            outcomes, line = game.chance(after), (*moves, f"{game.roles[moment.seat]}: {action}")
            if outcomes is not None and (fault := _odds(outcomes)):
                yield "chance", f"chance {fault}", line
            listed = _settled(game, after)
            if listed is not None and game.step(moment.state, action, Random(0)) not in listed:
                yield (
                    "chance",
                    "step with an rng went to a state that `step` without one and `chance` do not list",
                    line,
                )


def _odds(outcomes: list[tuple[float, State]]) -> str | None:
    if not outcomes or any(odds <= 0 for odds, _ in outcomes):
        return "must list outcomes of positive probability"
    total = sum(odds for odds, _ in outcomes)
    return None if abs(total - 1) < 1e-9 else f"lists probabilities that add up to {total}, not 1"


def _settled(game: Game, state: State | None, limit: int = SETTLED) -> set[State] | None:
    """Every state that chance can lead to from `state`, chance after chance; None when there are more than `limit`."""
    settled, pending = set(), [state]
    while pending:
        current = pending.pop()
        outcomes = game.chance(current)
        if outcomes is None:
            settled.add(current)
        else:
            pending.extend(after for _, after in outcomes)
        if len(settled) + len(pending) > limit:
            return None
    return settled
