"""1 - 2|p - 1/2|: how little the outcome of one more attempt is foreseen."""

from __future__ import annotations

import numpy as np

from selfplay.curriculum.posterior import Posterior, Rates


class Uncertainty:
    """Source: R-Zero (arXiv 2508.05004), where p is how often a majority of the solver's answers agree; here it is the
    verified solve rate. Deviation: the expectation under the posterior, 0 where all attempts agree. In [0, 1]."""

    name = "uncertainty"

    def __call__(self, posterior: Posterior) -> float:
        return posterior.worth(_value)


def _value(p: Rates) -> Rates:
    return 1 - 2 * np.abs(p - 0.5)
