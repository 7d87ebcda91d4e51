"""The end of a run: what the fixed evaluation measured before the first step and after the last, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from selfplay.store.reader import Reader
from selfplay.views.text import console, number, safe, table

Evaluation = Mapping[str, Mapping[str, float | None]]


def compare(evaluation: Evaluation) -> list[dict[str, Any]]:
    """One row a measure: `key`, its value under every label, `difference` and `ratio` of after to before (None where
    one is missing or the start is 0), and `better`: `lower` for exploitability and forfeits, `higher` for everything
    else."""
    labels = list(evaluation)
    rows = []
    for key in dict.fromkeys(key for label in labels for key in evaluation[label]):
        before, after = evaluation.get("before", {}).get(key), evaluation.get("after", {}).get(key)
        rows.append(
            {
                "key": key,
                **{label: evaluation[label].get(key) for label in labels},
                "difference": None if before is None or after is None else after - before,
                "ratio": None if after is None or not before else after / before,
                "better": "lower" if key.endswith(("exploitability", "forfeit_rate", "/lost")) else "higher",
            }
        )
    return rows


def comparison(evaluation: Evaluation) -> Any:
    """The table of `compare`, as a rich renderable; the bounds of intervals are left to `--json`, the league's round
    robin to `show`."""
    evaluation = {label: measures for label, measures in evaluation.items() if label != "league"}
    labels = list(evaluation)
    rows = [
        [
            safe(row["key"]) + (" (lower is better)" if row["better"] == "lower" else ""),
            *[number(row[label]) for label in labels],
            "–" if row["difference"] is None else f"{row['difference']:+.3f}",
            "–" if row["ratio"] is None else f"×{row['ratio']:.2f}",
        ]
        for row in compare(evaluation)
        if not row["key"].endswith(("/low", "/high"))
    ]
    columns = ["measure", *[safe(label) for label in labels], "difference", "ratio"]
    return table(columns, rows, right=range(1, len(columns)))


def print_ending(folder: Path, file: IO[str] | None = None) -> None:
    """Prints the table of the run in `folder`, its path, and what opens it."""
    with Reader(folder) as reader, reader.snapshot():
        evaluation, steps, tasks, games = (
            reader.evaluations(),
            reader.last_step(),
            reader.count_tasks(),
            reader.count_episodes(),
        )
    out = console(file)
    out.print(
        f"\n{steps} steps, {tasks:,} tasks made, {games:,} games played. The same fixed evaluation, before and after:\n"
    )
    out.print(comparison(evaluation) if evaluation else "(it was not evaluated)")
    out.print(f"\nThe run is in {safe(str(folder))}", soft_wrap=True)
    out.print(f"  selfplay show {safe(str(folder))}    what it did, step by step", soft_wrap=True)
    out.print(f"  selfplay tasks {safe(str(folder))}   the tasks it set itself", soft_wrap=True)
    out.print(f"  selfplay replay {safe(str(folder))}  a game it played, turn by turn", soft_wrap=True)
