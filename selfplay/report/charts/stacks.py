"""Parts of a whole over steps, one column a group of steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from selfplay.report.charts.scale import Scale, few, written


def stacks(
    title: str,
    steps: Sequence[str],
    layers: Mapping[str, Sequence[float]],
    unit: str = "",
    note: str = "",
    share: bool = False,
) -> dict[str, Any]:
    """layers: name → a size a column, the first one lowest. share: each column is 100 %, whatever its sum."""
    sums = [sum(column) for column in zip(*layers.values(), strict=True)]
    scale = Scale(0.0, 1.0, 0.25) if share else Scale.of(sums, 0.0)
    shown = "%" if share else unit
    totals = {name: sum(sizes) for name, sizes in layers.items()}
    whole = sum(totals.values()) or 1
    said = [f"{name} {written(total / whole, '%')}" for name, total in totals.items()]
    return {
        "kind": "stacks",
        "title": title,
        "note": note,
        "unit": shown,
        "y": scale.ticks(shown),
        "x": few(steps),
        "paths": _paths(list(layers.values()), sums, scale, share),
        "legend": list(zip(totals, (written(total / whole, "%") for total in totals.values()), strict=True)),
        "alt": f"{title}. Over all steps: {', '.join(said)}.",
        "table": {
            "columns": ["step", *layers],
            "rows": [
                [step, *(written(size, unit) for size in row)]
                for step, *row in zip(steps, *layers.values(), strict=True)
            ],
        },
    }


def _paths(layers: Sequence[Sequence[float]], sums: Sequence[float], scale: Scale, share: bool) -> list[str]:
    """A rectangle a column and layer, as one path a layer."""
    width = 100 / max(1, len(sums))
    gap = 0.12 * width if len(sums) <= 60 else 0.0
    floors, paths = [0.0] * len(sums), []
    for sizes in layers:
        parts = []
        for i, size in enumerate(sizes):
            whole = sums[i] if share else 1
            if not size or not whole:
                continue
            below, above = scale.place(floors[i]), scale.place(floors[i] + size / whole)
            floors[i] += size / whole
            x, wide = i * width + gap / 2, width - gap
            parts.append(f"M{x:.2f} {100 - below:.2f}h{wide:.2f}V{100 - above:.2f}h{-wide:.2f}z")
        paths.append("".join(parts))
    return paths
