"""Draws in proportion to weights that change: a tree of sums, O(log n) for a draw and for a change."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random


class Weights:
    """Weights by position, none negative. The sums depend on the weights alone, not on the order of changes."""

    def __init__(self, weights: Iterable[float] = ()) -> None:
        self._build(list(weights))

    @property
    def total(self) -> float:
        return self._sums[1]

    def put(self, place: int, weight: float) -> None:
        """Set one weight; there is room for any place."""
        if place >= self._size:
            self._build([*self._sums[self._size :], *[0.0] * (place + 1 - self._size)])
        node = self._size + place
        self._sums[node] = weight
        while node > 1:
            node //= 2
            self._sums[node] = self._sums[2 * node] + self._sums[2 * node + 1]

    def draw(self, rng: Random) -> int:
        """A place, by weight. ValueError when all weights are 0."""
        if not self.total > 0:
            raise ValueError("nothing to draw: every weight is 0")
        mark, node = rng.random() * self.total, 1
        while node < self._size:
            node *= 2
            if mark >= self._sums[node] and self._sums[node + 1] > 0:
                mark -= self._sums[node]
                node += 1
        return node - self._size

    def _build(self, leaves: list[float]) -> None:
        self._size = 1
        while self._size < len(leaves):
            self._size *= 2
        self._sums = [0.0] * self._size + leaves + [0.0] * (self._size - len(leaves))
        for node in range(self._size - 1, 0, -1):
            self._sums[node] = self._sums[2 * node] + self._sums[2 * node + 1]
