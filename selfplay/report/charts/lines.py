"""Values over steps, a line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from selfplay.report.charts.scale import Scale, centres, few, written

Values = list[float | None]
ALONE: tuple[Values, ...] = ([], [None], [None, None])


def lines(
    title: str,
    steps: Sequence[str],
    series: Mapping[str, Values],
    unit: str = "",
    note: str = "",
    low: float | None = None,
    high: float | None = None,
    sparse: bool = False,
) -> dict[str, Any]:
    """series: name → a value a column, None where there is none; the line ends there, unless `sparse` (measured every
    so many steps), which draws it on and marks the points."""
    scale = Scale.of([value for values in series.values() for value in values], low, high)
    return {
        "kind": "lines",
        "title": title,
        "note": note,
        "unit": unit,
        "y": scale.ticks(unit),
        "x": few(steps),
        "zero": 100 - scale.place(0) if scale.low < 0 < scale.high else None,
        "paths": [(_path(values, scale, sparse), _dots(values, scale, sparse)) for values in series.values()],
        "legend": [(name, _ends(values, unit)) for name, values in series.items()],
        "alt": f"{title}. " + " ".join(_said(name, values, steps, unit) for name, values in series.items()),
        "table": {
            "columns": ["step", *series],
            "rows": [
                [step, *(written(value, unit) for value in row)]
                for step, *row in zip(steps, *series.values(), strict=True)
                if any(value is not None for value in row)
            ],
        },
    }


def _path(values: Values, scale: Scale, sparse: bool) -> str:
    parts, pen = [], False
    for x, value in zip(centres(len(values)), values, strict=True):
        if value is None:
            pen = pen and sparse
            continue
        y = round(100 - scale.place(value), 2)
        parts.append(f"{'L' if pen else 'M'}{x:g} {y:g}")
        pen = True
    return "".join(parts)


def _dots(values: Values, scale: Scale, sparse: bool) -> str:
    """The points that no line meets, or all of a sparse series: lines of no length, whose round ends stay round."""
    alone = [sparse or values[max(0, i - 1) : i] + values[i + 1 : i + 2] in ALONE for i in range(len(values))]
    points = zip(centres(len(values)), values, alone, strict=True)
    return "".join(f"M{x:g} {100 - scale.place(value):.2f}h0" for x, value, dot in points if value is not None and dot)


def _ends(values: Values, unit: str) -> str:
    known = [value for value in values if value is not None]
    return f"{written(known[0], unit)} → {written(known[-1], unit)}" if known else "–"


def _said(name: str, values: Values, steps: Sequence[str], unit: str) -> str:
    known = [(value, step) for value, step in zip(values, steps, strict=True) if value is not None]
    if not known:
        return f"{name}: nothing."
    (least, at), (most, when) = min(known), max(known)
    first, last = (written(pair[0], unit) for pair in (known[0], known[-1]))
    extremes = f"least {written(least, unit)} in step {at}, most {written(most, unit)} in step {when}"
    return f"{name}: from {first} to {last}; {extremes}."
