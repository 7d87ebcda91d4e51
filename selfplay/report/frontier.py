"""How hard the tasks were, and how that moved: what a step measured of each task, by solve rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from selfplay.report.steps import Groups
from selfplay.store.digest import SPREAD
from selfplay.store.reader import Reader

NAMES = dict(zip(SPREAD, ("never", "to 25%", "to 50%", "to 75%", "to 99%", "always"), strict=True))


def frontier(reader: Reader, groups: Groups, sums: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """`spread`: bin → a count a group, of tasks measured in its steps; `between`: the share of them that was solved
    sometimes and not always; `learnability`: its mean a group; `tasks`: bin → how many tasks, over all their attempts;
    `measured`, `unmeasured`: how many tasks. None when nothing was attempted."""
    spread = {name: [group["spread"][name] for group in sums] for name in SPREAD}
    if not any(map(any, spread.values())):
        return None
    tasks = reader.solve_rates()
    key = "curriculum/learnability/mean"
    return {
        "names": NAMES,
        "spread": spread,
        "between": [_between(group["spread"]) for group in sums],
        "learnability": groups.series(reader.binned_metrics([key], groups.width)[key]),
        "tasks": tasks,
        "measured": sum(tasks.values()),
        "unmeasured": reader.admitted() - sum(tasks.values()),
    }


def _between(spread: Mapping[str, int]) -> float | None:
    measured = sum(spread.values())
    return (measured - spread["0"] - spread["1"]) / measured if measured else None
