"""Which tasks of the bank are drawn, as references for a proposer or to be attempted again: one short class each."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Protocol

from selfplay import plugins
from selfplay.curriculum.entry import Entry
from selfplay.curriculum.pool import Pool

_TRIES = 20


class Sampler(Protocol):
    name: str

    def draw(self, pool: Pool, rng: Random) -> Entry | None:
        """One entry of a pool that has some; None where it finds none to its taste."""


class Mixture:
    """Draws by one of several samplers, chosen by share each time: what the recipe's shares mean."""

    name = "mixture"

    def __init__(self, shares: Mapping[str, float]) -> None:
        """Raises UserError for a name that no sampler has."""
        self._samplers: list[Sampler] = [plugins.find("samplers", name, __name__)() for name in shares]
        self._shares = list(shares.values())

    def draw(self, pool: Pool, rng: Random) -> Entry | None:
        (sampler,) = rng.choices(self._samplers, self._shares)
        return sampler.draw(pool, rng) or pool.any(rng)

    def several(self, pool: Pool, count: int, rng: Random) -> list[Entry]:
        """Up to `count` different entries, in the order of drawing."""
        if len(pool) <= count:
            return rng.sample(pool.entries, len(pool))
        found: dict[str, Entry] = {}
        for _ in range(_TRIES * count):
            if len(found) == count:
                break
            entry = self.draw(pool, rng)
            if entry is not None:
                found.setdefault(entry.task.id, entry)
        while len(found) < count:  # the shares name the same few again and again: whatever else is there
            entry = pool.any(rng)
            found.setdefault(entry.task.id, entry)
        return list(found.values())
