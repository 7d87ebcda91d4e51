"""What is known of a task's solve rate after some attempts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Posterior:
    """Beta(1 + correct, 1 + attempts - correct): one fixed policy's solve rate under a uniform prior."""

    correct: int = 0
    attempts: int = 0

    def __add__(self, other: Posterior) -> Posterior:
        return Posterior(self.correct + other.correct, self.attempts + other.attempts)

    @property
    def mean(self) -> float:
        return (1 + self.correct) / (2 + self.attempts)

    @property
    def rate(self) -> float:
        """The observed share of correct attempts; 0 before any."""
        return self.correct / self.attempts if self.attempts else 0.0


class Scorer(Protocol):
    """Learnability: how much a task is worth to the policy now, in [0, 1]."""

    name: str

    def __call__(self, posterior: Posterior) -> float: ...
