"""(n - k) / (n - 1) where k of n attempts succeed: a single success is worth the most."""

from __future__ import annotations

from selfplay.curriculum.posterior import Posterior


class Rare:
    """Source: Dr. Zero (arXiv 2601.07055): (n - k) / (n - 1) for 0 < k < n, else 0. In [0, 1].

    Exact on counts, as the source's formula is, and no expectation: 1 of 2 is worth 1, and 8 of 16 about a half. Below
    one whole success or failure (luck taken off, old attempts discounted) it falls off to 0 in proportion.
    """

    name = "rare"

    def __call__(self, posterior: Posterior) -> float:
        n, k = posterior.attempts, posterior.correct
        return posterior.mixed * (min(1.0, (n - k) / (n - 1)) if n > 1 else 1.0)
