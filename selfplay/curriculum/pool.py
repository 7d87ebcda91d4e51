"""The active tasks of one family, in order of admission: what is drawn from. All others are the store's to remember."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable
from random import Random

from selfplay.curriculum.entry import Entry
from selfplay.curriculum.weights import Weights


class Pool:
    """Draws cost the same whatever its size, or its logarithm. `themes` counts its tasks by theme."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries: list[Entry] = []
        self.themes: Counter[str] = Counter()
        self._place: dict[str, int] = {}
        self._weights: dict[str, tuple[Callable[[Entry], float], Weights]] = {}
        for entry in entries:
            self.add(entry)

    def __len__(self) -> int:
        return len(self.entries)

    def add(self, entry: Entry) -> None:
        self._place[entry.task.id] = len(self.entries)
        self.entries.append(entry)
        self.themes.update(entry.task.themes)
        self.changed(entry)

    def changed(self, entry: Entry) -> None:
        """The entry is worth something else now."""
        place = self._place[entry.task.id]
        for weight, weights in self._weights.values():
            weights.put(place, weight(entry))

    def without(self, gone: Container[str]) -> Pool:
        """The pool that is left, in the same order: costs its whole size."""
        return Pool(entry for entry in self.entries if entry.task.id not in gone)

    def any(self, rng: Random) -> Entry:
        return self.entries[rng.randrange(len(self.entries))]

    def newest(self, rng: Random, most: int) -> Entry:
        """One of the `most` that were admitted last."""
        return self.entries[-1 - rng.randrange(min(most, len(self.entries)))]

    def weighted(self, name: str, weight: Callable[[Entry], float], rng: Random) -> Entry | None:
        """One by `weight`, which is asked once an entry and when it changes; `name` tells weights apart. None where
        all weights are 0."""
        if name not in self._weights:
            self._weights[name] = weight, Weights(map(weight, self.entries))
        weights = self._weights[name][1]
        return self.entries[weights.draw(rng)] if weights.total > 0 else None
