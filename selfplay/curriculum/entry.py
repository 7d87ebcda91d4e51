"""One task of the bank, with what its visits showed: how often it was solved, how much of it was luck, and whether
that moves."""

from __future__ import annotations

from dataclasses import dataclass, replace

from selfplay.curriculum.posterior import Posterior
from selfplay.records import Task

KEEP = 0.5
"""What of earlier visits' counts is kept at each new one: older policies say less about the present one."""


@dataclass(slots=True)
class Entry:
    """`serial` counts admissions, seeds too. `guess`: the rate at which luck alone is right, over the visits.
    `stale`: how many visits brought no progress, less those that did. `worth`: learnability, None before any visit."""

    task: Task
    serial: int
    posterior: Posterior = Posterior()
    visits: int = 0
    stale: int = 0
    guess: float = 0.0
    worth: float | None = None

    def observe(self, seen: Posterior, guess: float) -> None:
        """Fold in one visit. Progress is a solve rate that rose by more than the standard error of the difference."""
        before = self.posterior
        if self.visits:
            self.stale = max(0, self.stale - 1) if _rose(before, seen) else self.stale + 1
        old = before.discounted(KEEP)
        share = seen.attempts / (old.attempts + seen.attempts) if seen.attempts else 0.0
        self.guess += share * (guess - self.guess)
        self.posterior = replace(old + seen, previous=before.rate if self.visits else None)
        self.visits += 1


def _rose(before: Posterior, seen: Posterior) -> bool:
    both = before + seen
    spread = both.rate * (1 - both.rate)
    error = (spread / max(before.attempts, 1) + spread / max(seen.attempts, 1)) ** 0.5
    return seen.rate - before.rate > error
