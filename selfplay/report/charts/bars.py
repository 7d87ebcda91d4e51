"""Sizes side by side, a bar each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from selfplay.report.charts.scale import written


def bars(
    title: str, sizes: Mapping[str, float], unit: str = "", note: str = "", whole: float | None = None
) -> dict[str, Any]:
    """whole: what the shares beside the bars are of; their sum when left out."""
    most, of = max(sizes.values(), default=0) or 1, whole or sum(sizes.values()) or 1
    rows = [
        (name, round(100 * size / most, 2), written(size, unit), written(size / of, "%"))
        for name, size in sizes.items()
    ]
    return {
        "kind": "bars",
        "title": title,
        "note": note,
        "rows": rows,
        "alt": f"{title}. " + ", ".join(f"{name} {size} ({share})" for name, _, size, share in rows) + ".",
    }
