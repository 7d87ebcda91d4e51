"""Running means by name: what a table of values is made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

_MOST = 200_000
"""Names that are remembered; those not met for longest leave."""

_ONCE = 20_000
"""Of these, names that were met once only: where hardly any comes twice, a checkpoint need not carry them all."""


class Means:
    """`memory`: how many values it is a mean of, at most; older ones fade."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._found: dict[str, tuple[float, int]] = {}

    def get(self, name: str, default: float) -> float:
        return self._found.get(name, (default, 0))[0]

    def learn(self, pairs: Iterable[tuple[str, float]]) -> None:
        """Fold in (name, value) pairs; those of one name enter together, so that their order is of no account."""
        new: dict[str, list[float]] = defaultdict(list)
        for name, value in pairs:
            new[name].append(value)
        for name, values in new.items():
            mean, count = self._found.pop(name, (0.0, 0))
            total, count = mean * count + sum(values), count + len(values)
            self._found[name] = total / count, min(count, self._memory)
        once = [name for name, (_, count) in self._found.items() if count == 1]
        for name in once[:-_ONCE]:
            del self._found[name]
        for name in list(self._found)[:-_MOST]:
            del self._found[name]

    def state_dict(self) -> dict[str, Any]:
        return dict(self._found)

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        self._found = {name: (mean, count) for name, (mean, count) in state.items()}
