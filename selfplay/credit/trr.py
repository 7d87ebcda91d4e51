"""Batch mean, in units of the batch's spread, for each family and role by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from selfplay.config import CreditConfig
from selfplay.credit.rewards import Scored
from selfplay.credit.whiten import whiten


class Trr:
    """A = (R - mean) / std over all rollouts of the same (family, role) in the step, for games of the same seat.

    Source: task-relative REINFORCE++ of Absolute Zero (arXiv 2505.03335), which is REINFORCE++ (arXiv 2501.03262) by
    task kind. It needs no second rollout of a prompt, and does not tell a hard task from a bad attempt. Deviations: the
    released code whitens over tokens, which weights rollouts by their length, and adds a small number to the standard
    deviation; here it is over rollouts, nothing is added, and rewards that are all alike get 0.
    """

    name = "trr++"

    def __init__(self, config: CreditConfig) -> None:
        pass

    def advantages(self, rollouts: Sequence[Scored]) -> list[float]:
        return whiten(rollouts, lambda rollout: (rollout.family, rollout.turn.role))

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        pass
