"""Group mean, in the reward's own units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from selfplay.config import CreditConfig
from selfplay.credit.rewards import Scored
from selfplay.credit.whiten import centre


class DrGrpo:
    """A = R - mean over the rollouts of the same group, its own reward included (Dr. GRPO, arXiv 2503.20783).

    For a group of n it is `rloo` times (n - 1) / n: the same direction, and small groups weigh less. Deviation: the
    paper's other half, a loss that is not divided by a rollout's length, is the trainer's default for all estimators.
    """

    name = "dr_grpo"

    def __init__(self, config: CreditConfig) -> None:
        pass

    def advantages(self, rollouts: Sequence[Scored]) -> list[float]:
        return centre(rollouts, lambda rollout: rollout.turn.group)

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        pass
