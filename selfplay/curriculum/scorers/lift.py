"""10 p ((1-p) / 0.9)^9: hard tasks that are solved once in a while."""

from __future__ import annotations

from selfplay.curriculum.posterior import Posterior, Rates


class Lift:
    """Source: GASP (arXiv 2603.15957). Its own scale: the factors put the greatest value, at p = 0.1, at exactly 1, so
    it is in [0, 1]. Deviation: the expectation under the posterior, 0 where all attempts agree."""

    name = "lift"

    def __call__(self, posterior: Posterior) -> float:
        return posterior.worth(_value)


def _value(p: Rates) -> Rates:
    return 10 * p * ((1 - p) / 0.9) ** 9
