"""1 - p where some attempts succeed and some fail: the harder, the better."""

from __future__ import annotations

from selfplay.curriculum.posterior import Posterior


class OneMinus:
    """Source: Absolute Zero (arXiv 2505.03335): 1 - p for 0 < p < 1, else 0."""

    name = "one_minus"

    def __call__(self, posterior: Posterior) -> float:
        return 1 - posterior.rate if 0 < posterior.correct < posterior.attempts else 0.0
