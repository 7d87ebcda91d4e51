"""How many of a column's things lie in each row, as a shade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from selfplay.report.charts.scale import few, written

SAMPLES = (0.01, 0.1, 0.25, 0.5, 1.0)


def heat(
    title: str, steps: Sequence[str], rows: Mapping[str, Sequence[int]], note: str = "", what: str = ""
) -> dict[str, Any]:
    """rows: name → a count a column, the first one lowest. Each column is shaded by the shares of its own sum."""
    sums = [sum(column) for column in zip(*rows.values(), strict=True)]
    names = list(rows)[::-1]
    cells = [
        (row, column, shade(count / sums[column]), f"step {steps[column]}, {name}: {count:,} of {sums[column]:,}")
        for row, name in enumerate(names)
        for column, count in enumerate(rows[name])
        if count
    ]
    return {
        "kind": "heat",
        "title": title,
        "note": note,
        "what": what,
        "names": names,
        "columns": len(steps),
        "cells": cells,
        "x": few(steps),
        "ramp": [(written(share, "%"), shade(share)) for share in SAMPLES],
        "alt": f"{title}. First: {_said(rows, sums, 0)}. Last: {_said(rows, sums, -1)}.",
        "table": {
            "columns": ["step", *rows],
            "rows": [[step, *map(str, row)] for step, *row in zip(steps, *rows.values(), strict=True)],
        },
    }


def shade(share: float) -> float:
    """The square root, so that a hundredth can be seen beside a whole."""
    return round(share**0.5, 2)


def _said(rows: Mapping[str, Sequence[int]], sums: Sequence[int], first_or_last: int) -> str:
    filled = [i for i, whole in enumerate(sums) if whole]
    if not filled:
        return "nothing"
    at = filled[first_or_last]
    return ", ".join(f"{name} {written(counts[at] / sums[at], '%')}" for name, counts in rows.items() if counts[at])
