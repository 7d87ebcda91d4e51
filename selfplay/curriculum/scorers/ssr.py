"""1 - (1 + alpha) p, and -alpha at the ends: the harder, the better, and a fine for what is never or always solved."""

from __future__ import annotations

import numpy as np

from selfplay.curriculum.posterior import Posterior, Rates


class Ssr:
    """Source: SSR (arXiv 2512.18552), with its alpha = 0.8, on its own scale: in [-0.8, 1), below 0 where more than
    five in nine attempts succeed. Deviation: the expectation under the posterior."""

    name = "ssr"

    def __init__(self, alpha: float = 0.8) -> None:
        self._alpha = alpha

    def __call__(self, posterior: Posterior) -> float:
        return posterior.worth(self._value)

    def _value(self, p: Rates) -> Rates:
        return np.where((p <= 0) | (p >= 1), -self._alpha, 1 - (1 + self._alpha) * p)
