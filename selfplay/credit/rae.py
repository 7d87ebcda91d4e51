"""Role-conditioned baseline for zero-sum self-play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from selfplay.config import CreditConfig
from selfplay.credit.rewards import Scored


class Rae:
    """A = R - b(game, seat), b an exponential average of returns (SPIRAL, arXiv 2506.24119), read before it is updated.

    Seats are never pooled: over both seats a zero-sum mean is 0 and says nothing. Deviation: a step's n returns, one a
    turn, enter as their mean with weight 1 - decay^n, which is what n single updates weigh together, without depending
    on their order. Starts at 0; saved in checkpoints.
    """

    name = "rae"

    def __init__(self, config: CreditConfig) -> None:
        self._decay = config.rae_decay
        self._baselines: dict[str, float] = {}

    def advantages(self, rollouts: Sequence[Scored]) -> list[float]:
        found = [rollout.reward - self._baselines.get(rollout.turn.group, 0.0) for rollout in rollouts]
        returns: dict[str, list[float]] = defaultdict(list)
        for rollout in rollouts:
            returns[rollout.turn.group].append(rollout.reward)
        for group, seen in returns.items():
            keep = self._decay ** len(seen)
            self._baselines[group] = keep * self._baselines.get(group, 0.0) + (1 - keep) * sum(seen) / len(seen)
        return found

    def state_dict(self) -> dict[str, Any]:
        return {"baselines": dict(self._baselines)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self._baselines = dict(state["baselines"])
