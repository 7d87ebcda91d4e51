"""Leave-one-out among games of one deal."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from selfplay.config import CreditConfig
from selfplay.credit.rewards import Scored
from selfplay.credit.whiten import totals


class DealGroup:
    """A = R - mean reward of the *other* games' turns in the same seat of the same deal.

    Source: common random numbers, and the group baseline of RLOO with the deal as the prompt. What a hand is worth
    against the other one is luck, the same in every game of the deal, and drops out. It wants `games.same_deal` above
    1; a turn whose deal was seen in one game only falls back to the mean of the other games' turns in its seat.
    Undiscounted and not divided by a standard deviation. The baseline is made of other games alone, so it is unbiased.
    """

    name = "deal_group"

    def __init__(self, config: CreditConfig) -> None:
        pass

    def advantages(self, rollouts: Sequence[Scored]) -> list[float]:
        found = totals(rollouts, _keys)
        return [rollout.reward - _others(rollout, found) for rollout in rollouts]

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        pass


def _keys(rollout: Scored) -> tuple[Hashable, ...]:
    """The deal and seat, the seat; then the same within the rollout's own game, to be taken off."""
    seat, (_, game, _) = rollout.turn.group, rollout.owner
    return (seat, "deal", rollout.deal), (seat, "all"), (seat, "game", game)


def _others(rollout: Scored, found: Mapping[Hashable, tuple[float, int]]) -> float:
    """The mean over other games, of the deal if there are any; the reward itself where there are none at all."""
    deal, every, own = (found[key] for key in _keys(rollout))
    for total, count in (deal, every):
        if count > own[1]:
            return (total - own[0]) / (count - own[1])
    return rollout.reward
