"""The end of a run: what the fixed evaluation measured before the first step and after the last, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from selfplay.evaluation.estimate import BOUNDS
from selfplay.store.reader import Reader
from selfplay.views.text import console, number, safe, table

LEAGUE = "league"
"""The label of the round robin, which is no side of a comparison."""
Evaluation = Mapping[str, Mapping[str, float | None]]


def compare(evaluation: Evaluation) -> list[dict[str, Any]]:
    """One row a measure: `key`, its value under every label, `difference` and `ratio` of after to before (None where
    one is missing or the start is 0), and `better`: `lower` for exploitability, forfeits, losses and what names give
    away, `higher` for everything else."""
    labels = sides(evaluation)
    rows = []
    for key in dict.fromkeys(key for label in labels for key in evaluation[label]):
        before, after = evaluation.get("before", {}).get(key), evaluation.get("after", {}).get(key)
        rows.append(
            {
                "key": key,
                **{label: evaluation[label].get(key) for label in labels},
                "difference": None if before is None or after is None else after - before,
                "ratio": None if after is None or not before else after / before,
                "better": better(key),
            }
        )
    return rows


def better(key: str) -> str:
    """Which way of this measure is the better one: `lower` or `higher`."""
    return "lower" if key.endswith(("exploitability", "forfeit_rate", "/lost", "/name_gap")) else "higher"


def comparison(evaluation: Evaluation) -> Any:
    """The table of `compare`, as a rich renderable; the bounds of intervals are left to `--json`, the league's round
    robin to `show`."""
    labels = sides(evaluation)
    rows = [
        [
            safe(row["key"]) + (" (lower is better)" if row["better"] == "lower" else ""),
            *[number(row[label]) for label in labels],
            "–" if row["difference"] is None else f"{row['difference']:+.3f}",
            "–" if row["ratio"] is None else f"×{row['ratio']:.2f}",
        ]
        for row in compare(evaluation)
        if not row["key"].endswith(BOUNDS)
    ]
    columns = ["measure", *[safe(label) for label in labels], "difference", "ratio"]
    return table(columns, rows, right=range(1, len(columns)))


def sides(evaluation: Evaluation) -> list[str]:
    """The labels that measured the same things: `before`, `after` and their like."""
    return [label for label in evaluation if label != LEAGUE]


def print_ending(folder: Path, report: Path | None = None, file: IO[str] | None = None) -> None:
    """Prints the table of the run in `folder`, its path, and what opens it: only what there is to open."""
    with Reader(folder) as reader, reader.snapshot():
        evaluation, steps = reader.evaluations(), reader.last_step()
        seeds, stored, games = reader.count_seeds(), reader.count_tasks(), reader.count_episodes()
    done = [f"{steps:,} step{'s' * (steps != 1)}"]
    done += [made_line(stored - seeds, seeds)] if stored else []
    done += [f"{games:,} games played"] if games else []
    out, name = console(file), safe(str(folder))
    out.print(f"\n{', '.join(done)}. The same fixed evaluation, before and after:\n", soft_wrap=True)
    out.print(comparison(evaluation) if evaluation else "(it was not evaluated)")
    out.print(f"\nThe run is in {name}", soft_wrap=True)
    if report:
        out.print(f"  {safe(str(report))}    the whole of it as one page, for a browser", soft_wrap=True)
    out.print(f"  selfplay show {name}    what it did, step by step", soft_wrap=True)
    if stored:
        out.print(f"  selfplay tasks {name}   the tasks it set itself", soft_wrap=True)
    if games:
        out.print(f"  selfplay replay {name}  a game it played, turn by turn", soft_wrap=True)


def made_line(made: int, seeds: int) -> str:
    """`508 tasks made from 3 seeds`."""
    return f"{made:,} tasks made" + (f" from {seeds:,} seed{'s' * (seeds != 1)}" if seeds else "")
