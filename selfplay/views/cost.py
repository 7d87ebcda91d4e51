"""What a run cost: wall time by phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from selfplay.views.text import duration, percent, safe, table


def cost(steps: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """`total` seconds, `share` of the whole and `last` (the newest step's), by phase."""
    sums: dict[str, float] = {}
    for step in steps:
        for phase, value in step["seconds"].items():
            sums[phase] = sums.get(phase, 0.0) + value
    whole = sum(sums.values())
    share = {phase: value / whole if whole else 0.0 for phase, value in sums.items()}
    return {"total": sums, "share": share, "last": dict(steps[-1]["seconds"]) if steps else {}}


def cost_table(seconds: Mapping[str, Mapping[str, float]], steps: int) -> Any:
    """A rich renderable: one line a phase, and the sum."""
    total, last = seconds["total"], seconds["last"]
    whole = sum(total.values())
    lines = {safe(phase): (value, last.get(phase)) for phase, value in total.items()}
    lines["in all"] = (whole, sum(last.values()))
    rows = [
        (name, duration(value), percent(value, whole), duration(value / max(steps, 1)), duration(late or 0.0))
        for name, (value, late) in lines.items()
    ]
    return table(("time by phase", "all steps", "share", "a step", "last step"), rows, right=range(1, 5))
