"""Leave-one-out among turns that saw the same thing."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from selfplay.config import CreditConfig
from selfplay.credit.rewards import Scored
from selfplay.credit.whiten import totals


class StateGroup:
    """A = R - mean reward of the *other* turns with the same prompt, in the same role and seat.

    Source: the step-level groups of GiGPO (arXiv 2505.10978), alone. In a small game the same position comes up many
    times a step, and what its turns have in common, a good card for example, is luck and not skill. Undiscounted and
    not divided by a standard deviation, so it is unbiased. A position seen once falls back to the mean of the other
    turns of its seat.
    """

    name = "state_group"

    def __init__(self, config: CreditConfig) -> None:
        pass

    def advantages(self, rollouts: Sequence[Scored]) -> list[float]:
        found = totals(rollouts, _keys)
        return [
            rollout.reward - _others(rollout.reward, [found[key] for key in _keys(rollout)]) for rollout in rollouts
        ]

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        pass


def _keys(rollout: Scored) -> tuple[Hashable, Hashable]:
    """The narrow group first, then the one to fall back to."""
    return (rollout.turn.group, rollout.turn.prompt_ids), rollout.turn.group


def _others(reward: float, groups: Sequence[Sequence[float]]) -> float:
    """The mean of the others in the first group that has any; the reward itself where there are none."""
    return next(((total - reward) / (count - 1) for total, count in groups if count > 1), reward)
