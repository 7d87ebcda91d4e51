"""What is known of a task's solve rate after some attempts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Rates: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[[Rates], Rates]
"""A function of the solve rate, on many rates at once."""

_CELLS = 2000
_EDGES = np.linspace(0.0, 1.0, _CELLS + 1)
_MIDDLES: Rates = (_EDGES[1:] + _EDGES[:-1]) / 2
_SOLVED, _FAILED = np.log(_MIDDLES), np.log1p(-_MIDDLES)
_CAUTION = 1.28  # standard errors: luck reaches further in about one sample of ten


@dataclass(frozen=True, slots=True)
class Posterior:
    """Beta(1 + correct, 1 + attempts - correct): one policy's solve rate under a uniform prior.

    Counts may be fractions: older attempts weigh less, and luck is taken off. previous: the observed rate when the task
    was measured before, None where it was not. Raises ValueError for counts that no sample has.
    """

    correct: float = 0
    attempts: float = 0
    previous: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.correct <= self.attempts:
            raise ValueError(f"{self.correct} correct of {self.attempts} attempts")

    def __add__(self, other: Posterior) -> Posterior:
        """Both samples together; `previous` is the first one's, or else the other's."""
        previous = other.previous if self.previous is None else self.previous
        return Posterior(self.correct + other.correct, self.attempts + other.attempts, previous)

    @property
    def mean(self) -> float:
        return (1 + self.correct) / (2 + self.attempts)

    @property
    def rate(self) -> float:
        """The observed share of correct attempts; 0 before any."""
        return self.correct / self.attempts if self.attempts else 0.0

    @property
    def mixed(self) -> float:
        """1 as soon as one attempt was right and one was wrong, 0 where all agree, their count where it is below 1."""
        return min(1.0, self.correct, self.attempts - self.correct)

    def interval(self, mass: float = 0.9) -> tuple[float, float]:
        """The equal-tailed credible interval that holds `mass`, to 1e-3."""
        below = np.concatenate(([0.0], np.cumsum(_weights(self.correct, self.attempts))))
        low, high = np.interp(((1 - mass) / 2, (1 + mass) / 2), below, _EDGES)
        return float(low), float(high)

    def expect(self, function: Function) -> float:
        """The mean of `function` over the posterior, to 1e-3 for up to 64 attempts: on a fixed grid of 2,000 rates,
        where a function that jumps does so at a multiple of 0.0005. Remembered by function and counts."""
        return _expect(function, self.correct, self.attempts)

    def worth(self, function: Function) -> float:
        """`expect`, but a sample that is all alike is taken at its word.

        Under the uniform prior a task that was never solved in 8 attempts is solved at a rate of 0.1 in the mean, and
        would earn by that alone. Many proposed tasks cannot be solved at all, or cannot be failed: a prior that also
        has an atom at 0 and one at 1 gives such a task what `function` has at that end, and leaves every mixed sample
        its expectation. Deviation: the atoms are given all of an all-alike sample, and between it and a first whole
        exception the two are mixed in proportion, so that nothing jumps where counts are fractions.
        """
        at_0, at_1 = (float(end) for end in function(np.array([0.0, 1.0])))
        end = (1 - self.rate) * at_0 + self.rate * at_1
        return self.mixed * self.expect(function) + (1 - self.mixed) * end if self.mixed else end

    def discounted(self, keep: float) -> Posterior:
        """The same rate from `keep` (0 to 1) times as many attempts."""
        if not 0 <= keep <= 1:
            raise ValueError(f"keep is {keep}, not between 0 and 1")
        return Posterior(self.correct * keep, self.attempts * keep, self.previous)

    def known(self, guess: float) -> Posterior:
        """The counts with luck taken off, where blind guesses are right at the rate `guess`.

        Of n attempts k were known, and s = k + guess (n - k) were right: k = (s - guess n) / (1 - guess), and n - k
        failed. That k is noisy, and cut off at 0 it is positive in the mean even where nothing is known: fair coin
        flips, 8 a task, would earn a third of what they do now. So only those of the k count that luck does not reach,
        at 1.28 standard errors above its mean; those between are left out, as neither known nor failed. `previous`, as
        the rate of an equally large sample, is treated alike, so that a rate that did not move shows no movement.
        """
        if guess <= 0 or not self.attempts:
            return self
        known, attempts = _without_luck(self.rate, self.attempts, guess)
        previous = self.previous
        if previous is not None:
            before, of = _without_luck(previous, self.attempts, guess)
            previous = before / of if of else None
        return Posterior(known, attempts, previous)


class Scorer(Protocol):
    """Learnability: how much a task is worth to the policy now. Between 0 and 1, unless a scorer says otherwise."""

    name: str

    def __call__(self, posterior: Posterior) -> float: ...


def _without_luck(rate: float, attempts: float, guess: float) -> tuple[float, float]:
    """What was known for certain, and that plus what failed."""
    if guess >= 1:
        return 0.0, 0.0
    reach = guess + _CAUTION * sqrt(guess * (1 - guess) / attempts)
    certain, likely = (attempts * max(0.0, (rate - luck) / (1 - guess)) for luck in (reach, guess))
    return certain, certain + (attempts - likely)


@lru_cache(maxsize=4096)
def _expect(function: Function, correct: float, attempts: float) -> float:
    return float(function(_MIDDLES) @ _weights(correct, attempts))


@lru_cache(maxsize=128)
def _weights(correct: float, attempts: float) -> Rates:
    """The posterior mass of each cell of the grid."""
    logs = correct * _SOLVED + (attempts - correct) * _FAILED
    density: Rates = np.exp(logs - logs.max())
    return density / density.sum()
