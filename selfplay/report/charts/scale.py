"""Axes: round numbers from low to high, places in per cent, and how a value is written in its unit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from selfplay.views.text import duration, number


@dataclass(frozen=True, slots=True)
class Scale:
    """low, high: what the axis spans. step: from one tick to the next."""

    low: float
    high: float
    step: float

    @classmethod
    def of(cls, values: Iterable[float | None], low: float | None = None, high: float | None = None) -> Scale:
        """Round bounds around the values, wide enough for `low` and `high` where told; 0 is one of them when it is
        near."""
        known = [v for v in values if v is not None and math.isfinite(v)] + [b for b in (low, high) if b is not None]
        least, most = min(known, default=0.0), max(known, default=1.0)
        if 0 < least < 0.6 * most or 0 < least == most:
            least = 0.0
        if 0.6 * least < most < 0:
            most = 0.0
        span = (most - least) or abs(most) or 1.0
        step = _round(span / 4)
        floor = math.floor(least / step + 1e-9) * step
        ceiling = math.ceil(most / step - 1e-9) * step
        return cls(floor, ceiling if ceiling > floor else floor + step, step)

    def place(self, value: float) -> float:
        """From the low end, in per cent, two decimals; within the axis."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)

    def ticks(self, unit: str) -> list[tuple[float, str]]:
        """Place and text of each tick, from the low end."""
        count = round((self.high - self.low) / self.step)
        values = [self.low + i * self.step for i in range(count + 1)]
        return [(self.place(value), _tick(round(value, 12), unit)) for value in values]


def written(value: float | None, unit: str) -> str:
    """In its unit: `%` of a share, `s` as a duration, else the number."""
    if value is None:
        return "–"
    if unit == "%":
        share = 100 * value
        return f"{share:.0f}%" if share >= 1 or share < 0.05 else f"{share:.1f}%"
    return duration(value) if unit == "s" else number(value)


def centres(count: int) -> list[float]:
    """Where each of `count` columns has its middle, in per cent."""
    return [round(100 * (i + 0.5) / count, 2) for i in range(count)]


def few(names: Sequence[str], most: int = 6) -> list[tuple[float, str]]:
    """Place and name of the first column, the last, and some between; of several steps the first, of the last column
    the last."""
    if not names:
        return []
    chosen = sorted({round(i * (len(names) - 1) / (most - 1)) for i in range(most)})
    places = centres(len(names))
    ends = {len(names) - 1: -1}
    return [(places[i], names[i].split("–")[ends.get(i, 0)]) for i in chosen]


def _tick(value: float, unit: str) -> str:
    return written(value, unit) if unit else f"{value:,.6g}"


def _round(size: float) -> float:
    """The next of 1, 2, 2.5, 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(size))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= size * (1 - 1e-9))
