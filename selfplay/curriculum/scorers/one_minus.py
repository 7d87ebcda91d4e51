"""1 - p where some attempts succeed and some fail: the harder, the better."""

from __future__ import annotations

from selfplay.curriculum.posterior import Posterior


class OneMinus:
    """Source: Absolute Zero (arXiv 2505.03335): 1 - p for 0 < p < 1, else 0. In [0, 1).

    Exact on counts, p being the observed rate, and no expectation as the other scorers are, because the paper's table
    is one of counts: 1 of 2 and 8 of 16 are worth the same. Below one whole success or failure (luck taken off, old
    attempts discounted), where the paper says nothing, it falls off to 0 in proportion.
    """

    name = "one_minus"

    def __call__(self, posterior: Posterior) -> float:
        return posterior.mixed * (1 - posterior.rate)
