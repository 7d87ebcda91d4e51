from __future__ import annotations

from random import Random

from selfplay.curriculum.entry import Entry
from selfplay.curriculum.pool import Pool


class Failed:
    """By failure rate, among tasks that were failed at their last measurement but not hopelessly: WebRL (arXiv
    2411.02337) grows its curriculum from those, and admits a solve rate of 0.05 to 0.75. A task that was never solved
    keeps a small chance, while it is not yet stale."""

    name = "failed"

    def draw(self, pool: Pool, rng: Random) -> Entry | None:
        return pool.weighted(self.name, _weight, rng)


def _weight(entry: Entry) -> float:
    rate = entry.posterior.rate
    if not entry.visits or rate > 0.75:
        return 0.0
    return 1.0 - rate if rate >= 0.05 else 0.1 * 0.5**entry.stale
