from __future__ import annotations

from random import Random

from selfplay.curriculum.entry import Entry
from selfplay.curriculum.pool import Pool


class Uniform:
    """Any active task."""

    name = "uniform"

    def draw(self, pool: Pool, rng: Random) -> Entry:
        return pool.any(rng)
