"""exp(-(p(1-p) - 1/4)^2 / 2 sigma^2): a bell around the largest variance of the outcome."""

from __future__ import annotations

import numpy as np

from selfplay.curriculum.posterior import Posterior, Rates


class VarianceExp:
    """Source: SPICE (arXiv 2510.24684), with its sigma^2 = 0.01. Flatter than `variance` in the middle: 0.93 at a solve
    rate of 0.3. Deviation: the expectation under the posterior. Where all attempts agree it is the bell's own value at
    that end, 0.04 and not 0. In [0, 1]."""

    name = "variance_exp"

    def __call__(self, posterior: Posterior) -> float:
        return posterior.worth(_value)


def _value(p: Rates) -> Rates:
    bell: Rates = np.exp(-((p * (1 - p) - 0.25) ** 2) / (2 * 0.01))
    return bell
