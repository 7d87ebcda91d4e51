from __future__ import annotations

from random import Random

from selfplay.curriculum.entry import Entry
from selfplay.curriculum.pool import Pool


class Recent:
    """One of the 32 that were admitted last."""

    name = "recent"

    def draw(self, pool: Pool, rng: Random) -> Entry:
        return pool.newest(rng, 32)
