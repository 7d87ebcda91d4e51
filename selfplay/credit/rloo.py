"""Leave-one-out baseline inside a group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from selfplay.config import CreditConfig
from selfplay.credit.rewards import Scored


class Rloo:
    """A = R - mean reward of the *other* rollouts of the same group (REINFORCE leave-one-out, arXiv 2402.14740).

    Unbiased; not divided by a standard deviation. A rollout alone in its group has nothing to be compared with:
    advantage 0.
    """

    name = "rloo"

    def __init__(self, config: CreditConfig) -> None:
        pass

    def advantages(self, rollouts: Sequence[Scored]) -> list[float]:
        totals: dict[str, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
        for rollout in rollouts:
            total, count = totals[rollout.turn.group]
            totals[rollout.turn.group] = (total + rollout.reward, count + 1)
        return [_against_others(rollout.reward, *totals[rollout.turn.group]) for rollout in rollouts]

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        pass


def _against_others(reward: float, total: float, count: int) -> float:
    return reward - (total - reward) / (count - 1) if count > 1 else 0.0
