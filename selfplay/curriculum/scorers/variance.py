"""4p(1-p): the variance of a task's outcome, which is what a group's advantages are made of."""

from __future__ import annotations

from selfplay.curriculum.posterior import Posterior


class Variance:
    """Source: sampling for learnability (SFL) and its relatives. From s of n samples, unbiased up to its cap of 1: 4 s
    (n - s) / (n (n - 1)); 0 below two attempts and where all attempts agree. It reads the sample, not the prior: 1 of 2
    and 8 of 16 are worth the same."""

    name = "variance"

    def __call__(self, posterior: Posterior) -> float:
        s, n = posterior.correct, posterior.attempts
        return min(1.0, 4 * s * (n - s) / (n * (n - 1))) if n > 1 else 0.0
