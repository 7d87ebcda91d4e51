"""What an export wrote, for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from selfplay.views.text import duration, safe, table


def render(done: Mapping[str, Any]) -> Any:
    """`done` is what `export` returns, where a folder was written, and `trackers` (name → what `track` returns)."""
    from rich.console import Group
    from rich.text import Text

    tracked = [
        Text(safe(f"{name}: {found['values']:,} values of {found['steps']:,} steps in {found['where']}"))
        for name, found in done["trackers"].items()
    ]
    return Group(*(_folder(done) if "path" in done else ()), *tracked)


def _folder(export: Mapping[str, Any]) -> Iterator[Any]:
    from rich.text import Text

    rows = [(safe(name), f"{made['rows']:,}", size(made["bytes"])) for name, made in export["tables"].items()]
    if export["model"]:
        rows.append((f"model, step {export['model']['step']}", "", size(export["model"]["bytes"])))
    took = duration(export["seconds"])
    head = f"{export['run']} as of step {export['step']}, in {export['path']} ({took})"
    yield Text(safe(head), style="bold")
    yield table(("what", "rows", "size"), rows, right=(1, 2))
    for name, why in export["left_out"].items():
        yield Text(f"not written: {name} ({why})")
    if cut := sum(export["cut"].values()):
        yield Text(f"left out: {cut:,} pairs whose prompt had lost its beginning")


def size(count: int) -> str:
    """`812 B`, `4.2 kB`, `538 MB`."""
    value, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{value:.0f} {unit}" if value >= 10 or unit == "B" else f"{value:.1f} {unit}"
