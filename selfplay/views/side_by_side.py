"""A comparison of two runs for a person: one table a subject, A before B."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from selfplay.evaluation.estimate import BOUNDS
from selfplay.views.steps import curve_keys
from selfplay.views.text import duration, number, safe, short, sparkline, table


def render(found: Mapping[str, Any]) -> Any:
    """What `compare` found, as a rich renderable that holds no unsafe text."""
    from rich.console import Group
    from rich.text import Text

    parts: list[Any] = [Text(_run("A", found["a"]), style="bold"), Text(_run("B", found["b"]), style="bold"), Text("")]
    if found["unlike"]:
        parts += [
            Text("Not like with like:", style="bold"),
            *[Text(f"  {safe(line)}") for line in found["unlike"]],
            Text(""),
        ]
    for columns, rows, right in _tables(found):
        if rows:
            parts += [table(columns, rows, right=right), Text("")]
    return Group(*parts)


def _run(name: str, run: Mapping[str, Any]) -> str:
    of = f" of {run['steps']}" if run["steps"] else ""
    return safe(
        f"{name}  {run['run']}: {run['state']}, step {run['step']}{of}, recipe {run['recipe']}, seed {run['seed']}"
    )


def _tables(found: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], list[tuple[str, ...]], range]]:
    settings = [_row(row["key"], _setting(row["a"]), _setting(row["b"])) for row in found["settings"]]
    yield ("setting", "A", "B"), settings, range(0)
    measures = [row for row in found["evaluation"] if not row["key"].endswith(BOUNDS)]
    columns = ("measure", "A before", "after", "B before", "after", "B - A")
    yield columns, [_measure(row) for row in measures], range(1, 6)
    yield ("curve", "A", "last", "B", "last", "B - A"), list(_curves(found["curves"])), range(2, 6)
    gates = {f"refused, {gate}": each for gate, each in found["refusals"].items()}
    counts = [_row(name, number(each["a"]), number(each["b"])) for name, each in {**found["funnel"], **gates}.items()]
    yield ("proposals", "A", "B"), [row for row in counts if {*row[1:]} - {"0", "–"}], range(1, 3)
    seconds = [_row(phase, _seconds(each["a"]), _seconds(each["b"])) for phase, each in found["seconds"].items()]
    whole = [sum(each[name] or 0.0 for each in found["seconds"].values()) for name in ("a", "b")]
    seconds += [_row("in all", *map(duration, whole))] if seconds else []
    yield ("time a step", "A", "B"), seconds, range(1, 3)


def _row(name: str, *cells: str) -> tuple[str, ...]:
    return (safe(name), *cells)


def _measure(row: Mapping[str, Any]) -> tuple[str, ...]:
    lower = " (lower is better)" if row["better"] == "lower" else ""
    values = [number(row[name].get(label)) for name in ("a", "b") for label in ("before", "after")]
    return (safe(row["key"]) + lower, *values, _difference(row["difference"]))


def _curves(curves: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Both on one scale, from the least value of either to the greatest."""
    rows = {row["key"]: row for row in curves if not row["key"].startswith("directive/")}
    for key in curve_keys(rows, most=16):
        a, b = ([value for _, value in rows[key][name] or ()] for name in ("a", "b"))
        known = [value for value in (*a, *b) if value is not None and math.isfinite(value)]
        bounds = (min(known), max(known)) if known else None
        drawn = [
            cell
            for values in (a, b)
            for cell in (sparkline(values, 16, bounds), number(values[-1] if values else None))
        ]
        yield (safe(key), *drawn, _difference(rows[key]["difference"]))


def _setting(value: Any) -> str:
    return "–" if value is None else short(value if isinstance(value, str) else json.dumps(value), 60)


def _seconds(value: float | None) -> str:
    return "–" if value is None else duration(value)


def _difference(value: float | None) -> str:
    return "–" if value is None else f"{value:+.3f}"
