"""Steps in groups, so that a chart of a hundred thousand steps has no more columns than one of a hundred."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from selfplay.store.digest import total

MOST = 120


@dataclass(frozen=True, slots=True)
class Groups:
    """`width` steps each, the last one maybe fewer; group 0 begins with step 1."""

    last: int
    width: int

    @classmethod
    def of(cls, last: int, most: int = MOST) -> Groups:
        return cls(last, max(1, -(-last // most)))

    @property
    def names(self) -> list[str]:
        """`7` of one step, `7–9` of several."""
        firsts = range(1, self.last + 1, self.width)
        ends = [min(first + self.width - 1, self.last) for first in firsts]
        return [str(first) if first == end else f"{first}–{end}" for first, end in zip(firsts, ends, strict=True)]

    def sums(self, steps: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The digests of each group's steps, summed (see `store.digest`), and their `seconds` by phase."""
        grouped: list[list[Mapping[str, Any]]] = [[] for _ in self.names]
        for step in steps:
            grouped[(step["step"] - 1) // self.width].append(step)
        return [_counts(group) | {"seconds": _seconds(group)} for group in grouped]

    def series(self, found: Mapping[int, float | None]) -> list[float | None]:
        """A value a group, None where there is none."""
        return [found.get(group) for group in range(len(self.names))]


def _counts(steps: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return total(
        {key: value for key, value in step.items() if key not in ("step", "time", "seconds")} for step in steps
    )


def _seconds(steps: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for step in steps:
        for phase, value in step["seconds"].items():
            sums[phase] = sums.get(phase, 0.0) + value
    return sums
