"""Measures before and after, each with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from selfplay.report.charts.scale import Scale, written

FIXED = ("exploitability",)


def dumbbells(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of `report.measures`. Shares and scores lie between 0 and 1; what is in a unit of its own has an axis from 0
    to a round number."""
    return [_dumbbell(row) for row in rows]


def _dumbbell(row: Mapping[str, Any]) -> dict[str, Any]:
    own = row["key"].endswith(FIXED) or row["kind"] == "other"
    values = [side[name] for label in ("before", "after") if (side := row[label]) for name in ("value", "low", "high")]
    scale = Scale.of(values, 0.0) if own else Scale(0.0, 1.0, 0.5)
    unit = "" if own or "score" in row["key"] else "%"
    sides = {label: _side(row[label], scale, unit) for label in ("before", "after")}
    return {
        "row": row,
        **sides,
        "axis": [scale.ticks(unit)[0], scale.ticks(unit)[-1]],
        "alt": f"{row['name']}: before {_said(sides['before'])}, after {_said(sides['after'])}"
        + (f"; {row['outcome']}." if row["outcome"] else "."),
    }


def _side(side: Mapping[str, float | None] | None, scale: Scale, unit: str) -> dict[str, Any] | None:
    if not side or side["value"] is None:
        return None
    low, high = side["low"], side["high"]
    bounds = None if low is None or high is None else (scale.place(low), scale.place(high))
    interval = None if low is None or high is None else f"{written(low, unit)} to {written(high, unit)}"
    return {
        "at": scale.place(side["value"]),
        "bounds": bounds,
        "text": written(side["value"], unit),
        "interval": interval,
    }


def _said(side: Mapping[str, Any] | None) -> str:
    if side is None:
        return "not measured"
    return side["text"] + (f" (95 % interval {side['interval']})" if side["interval"] else "")
