"""exp(-(p - mu)^2 / 2 sigma^2): a bell around the solve rate that is wanted."""

from __future__ import annotations

import numpy as np

from selfplay.curriculum.posterior import Posterior, Rates


class Gaussian:
    """Source: Socratic-Zero (arXiv 2509.24726), with its mu = 0.5 and sigma = 0.2. Deviation: the expectation under the
    posterior. Where all attempts agree it is the bell's own value at that end, 0.04 and not 0. In [0, 1]."""

    name = "gaussian"

    def __init__(self, mu: float = 0.5, sigma: float = 0.2) -> None:
        self._mu, self._sigma = mu, sigma

    def __call__(self, posterior: Posterior) -> float:
        return posterior.worth(self._value)

    def _value(self, p: Rates) -> Rates:
        bell: Rates = np.exp(-((p - self._mu) ** 2) / (2 * self._sigma**2))
        return bell
