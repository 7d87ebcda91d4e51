"""1 inside a band of solve rates, 0 outside: a filter as a score."""

from __future__ import annotations

from selfplay.curriculum.posterior import Posterior, Rates


class Band:
    """The belief that the solve rate lies inside [low, high], 0 where all attempts agree. In [0, 1].

    Source: the filter of many systems; [0.25, 0.75] is R-Zero's (arXiv 2508.05004). Deviation: the probability under
    the posterior instead of a yes or no, which would turn on one attempt.
    """

    name = "band"

    def __init__(self, low: float = 0.25, high: float = 0.75) -> None:
        self._low, self._high = low, high

    def __call__(self, posterior: Posterior) -> float:
        return posterior.worth(self._value)

    def _value(self, p: Rates) -> Rates:
        return ((self._low <= p) & (p <= self._high)).astype(float)
