"""No baseline: what the others are measured against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from selfplay.config import CreditConfig
from selfplay.credit.rewards import Scored


class Reinforce:
    """A = R (Williams 1992). Unbiased as the others are, and noisier by everything that turns of a seat have in common:
    kept for ablations."""

    name = "reinforce"

    def __init__(self, config: CreditConfig) -> None:
        pass

    def advantages(self, rollouts: Sequence[Scored]) -> list[float]:
        return [rollout.reward for rollout in rollouts]

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        pass
