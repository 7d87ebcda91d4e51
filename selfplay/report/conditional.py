"""Two measures that the evaluation holds without naming them, and that keep skill and form apart.

Against random, a forfeited game scores 0, so the score in the games that were not forfeited is the score over their
share: fewer forfeits alone do not raise it. Of the valid proposals, the share that are distinct is one rate over the
other: a proposer that writes one valid task again and again does not raise that. It falls with the count of proposals
too, so nothing is concluded from a difference in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from selfplay.evaluation.estimate import wilson

Row = Mapping[str, Any]
Side = dict[str, float | None]


def conditional(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The further rows, in the form of `measures` and without an outcome; `tries` are those after."""
    by_key = {row["key"]: row for row in rows}
    found = []
    for row in rows:
        prefix, _, measure = row["key"].rpartition("/")
        if measure == "score_vs_random" and (forfeits := by_key.get(f"{prefix}/forfeit_rate")):
            name = f"{row['name']}, games not forfeited"
            found.append(_row(row, forfeits, f"{prefix}/score_without_forfeits_vs_random", name, complement=True))
        if measure == "distinct_rate" and (valid := by_key.get(f"{prefix}/valid_rate")):
            name = row["name"].replace("valid and distinct proposals", "distinct among valid proposals")
            found.append(_row(row, valid, f"{prefix}/distinct_among_valid", name, complement=False))
    return [row for row in found if row["after"] or row["before"]]


def _row(row: Row, given: Row, key: str, name: str, complement: bool) -> dict[str, Any]:
    sides = {label: _side(row[label], given[label], row["tries"], complement) for label in ("before", "after")}
    both = [side["value"] for side in sides.values() if side and side["value"] is not None]
    difference = both[1] - both[0] if len(both) == 2 else None
    tries = _count(given["after"], row["tries"], complement)
    return {**row, "key": key, "name": name, **sides, "tries": tries, "difference": difference}


def _side(part: Side | None, given: Side | None, tries: int | None, complement: bool) -> Side | None:
    if not part or not given or part["value"] is None or given["value"] is None:
        return None
    kept = 1 - given["value"] if complement else given["value"]
    if kept <= 0:
        return None
    share, count = min(1.0, part["value"] / kept), _count(given, tries, complement)
    if not count:
        return {"value": share, "low": None, "high": None}
    estimate = wilson(share * count, count)  # type: ignore[arg-type]  # a mean of scores counts parts of a try
    return {"value": share, "low": estimate.low, "high": estimate.high}


def _count(given: Side | None, tries: int | None, complement: bool) -> int | None:
    if not given or given["value"] is None or not tries:
        return None
    return round(tries * (1 - given["value"] if complement else given["value"]))
