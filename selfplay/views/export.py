"""What an export wrote, for a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from selfplay.views.text import duration, safe, table


def render(export: Mapping[str, Any]) -> Any:
    from rich.console import Group
    from rich.text import Text

    rows = [(name, f"{made['rows']:,}", size(made["bytes"])) for name, made in export["tables"].items()]
    if export["model"]:
        rows.append((f"model, step {export['model']['step']}", "", size(export["model"]["bytes"])))
    lines = [f"not written: {name} ({why})" for name, why in export["left_out"].items()]
    if any(export["cut"].values()):
        lines.append(f"left out: {sum(export['cut'].values()):,} pairs whose prompt had lost its beginning")
    head = f"{export['run']} as of step {export['step']}, in {safe(export['path'])} ({duration(export['seconds'])})"
    return Group(
        Text(head, style="bold"),
        table(("what", "rows", "size"), rows, right=(1, 2)),
        *[Text(safe(line)) for line in lines],
    )


def size(count: int) -> str:
    """`812 B`, `4.2 kB`, `538 MB`."""
    value, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{value:.0f} {unit}" if value >= 10 or unit == "B" else f"{value:.1f} {unit}"
