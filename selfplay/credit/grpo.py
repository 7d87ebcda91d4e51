"""Group mean, in units of the group's spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from selfplay.config import CreditConfig
from selfplay.credit.rewards import Scored
from selfplay.credit.whiten import whiten


class Grpo:
    """A = (R - mean) / std over the rollouts of the same group, its own reward included (GRPO, arXiv 2402.03300).

    The division makes every group push equally hard: one success in eight counts for more than in `dr_grpo`, and a
    spread of a hundredth as much as one of a whole point. Deviation: released implementations add a small number to the
    standard deviation (of n - 1, as here); here nothing is added, and a group whose rewards are all alike gets 0.
    """

    name = "grpo"

    def __init__(self, config: CreditConfig) -> None:
        pass

    def advantages(self, rollouts: Sequence[Scored]) -> list[float]:
        return whiten(rollouts, lambda rollout: rollout.turn.group)

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        pass
