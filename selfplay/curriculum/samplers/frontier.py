from __future__ import annotations

from random import Random

from selfplay.curriculum.entry import Entry
from selfplay.curriculum.pool import Pool


class Frontier:
    """By learnability; what was never measured counts as fully learnable, and nothing is ruled out for good, so that a
    difficulty that changed is found out."""

    name = "frontier"

    def draw(self, pool: Pool, rng: Random) -> Entry | None:
        return pool.weighted(self.name, _weight, rng)


def _weight(entry: Entry) -> float:
    return 0.05 + (1.0 if entry.worth is None else max(0.0, entry.worth))
