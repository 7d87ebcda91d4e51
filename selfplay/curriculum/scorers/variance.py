"""4p(1-p): the variance of a task's outcome, which is what a group's advantages are made of."""

from __future__ import annotations

from selfplay.curriculum.posterior import Posterior


class Variance:
    """Source: sampling for learnability (SFL) and its relatives. In [0, 1].

    With s of n attempts correct, f = n - s wrong, and the posterior Beta(1 + s, 1 + f),

        E[4p(1-p)] = 4 (1 + s)(1 + f) / ((n + 2)(n + 3)),

    which is 4 (1 + n) / ((n + 2)(n + 3)) where all n agree: what the prior pays for uncertainty alone, to an impossible
    task as well. Deviation: that much is taken off, and since (1 + s)(1 + f) - (1 + n) = s f, the worth is

        4 s f / ((n + 2)(n + 3)):

    exactly 0 where all attempts agree, and nearer to 4p(1-p) with more of them, 0.20 for 1 of 2, 0.58 for 4 of 8, 0.75
    for 8 of 16. It ranks samples of one size as the unbiased 4 s f / (n (n - 1)) does, which rises above 1.
    """

    name = "variance"

    def __call__(self, posterior: Posterior) -> float:
        s, n = posterior.correct, posterior.attempts
        return 4 * s * (n - s) / ((n + 2) * (n + 3))
