"""Which tasks, proposals or games a listing is about: conditions that combine, as SQL over what its indexes hold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypedDict

Steps = int | tuple[int, int]
"""One step, or the first and the last of several."""


class TaskFilter(TypedDict, total=False):
    """All that is given, and is not None, must hold; ends of ranges count as inside.

    step: the task was made in it. solved: its solve rate. learnable: its learnability. theme: one of its themes.
    active: it is in the bank (True) or evicted. among: its serial number is one of these.
    """

    family: str | None
    step: Steps | None
    solved: tuple[float, float] | None
    learnable: tuple[float, float] | None
    theme: str | None
    active: bool | None
    among: Sequence[int] | None


class ProposalFilter(TypedDict, total=False):
    """gate: refused by it (`any`: by whichever)."""

    gate: str | None
    family: str | None
    step: Steps | None


class GameFilter(TypedDict, total=False):
    """end: why it ended. won: the seat whose return was greater than every other's."""

    game: str | None
    step: Steps | None
    end: str | None
    won: int | None


class Where:
    """Conditions that all hold, and their values. A column behind `+` is tested and never chosen to search by."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.values: list[Any] = []

    def add(self, part: str, *values: Any) -> None:
        self.parts.append(part)
        self.values += values

    def equal(self, column: str, value: Any) -> None:
        if value is not None:
            self.add(f"{column} = ?", value)

    def between(self, column: str, bounds: tuple[float, float] | None) -> None:
        if bounds is not None:
            self.add(f"{column} BETWEEN ? AND ?", *bounds)

    def in_steps(self, column: str, steps: Steps | None) -> None:
        self.between(column, (steps, steps) if isinstance(steps, int) else steps)

    @property
    def text(self) -> str:
        return f"WHERE {' AND '.join(self.parts)}" if self.parts else ""


def of_tasks(only: TaskFilter, key: str) -> Where:
    """key: the column that the listing is ordered by; a range of it is the part of the index that is read."""
    where = Where()
    where.equal("+family", only.get("family"))
    where.in_steps("+step", only.get("step"))
    for column, name in (("solve_rate", "solved"), ("learnability", "learnable")):
        where.between(column if column == key else f"+{column}", only.get(name))  # type: ignore[arg-type]
    if (theme := only.get("theme")) is not None:
        where.add("instr(themes, ?)", json.dumps(theme))
    if (active := only.get("active")) is not None:
        where.add(f"+n {'IN' if active else 'NOT IN'} (SELECT n FROM tasks WHERE evicted IS NULL)")
    if (among := only.get("among")) is not None:
        where.add("n IN (SELECT value FROM json_each(?))", json.dumps(among))
    return where


def of_proposals(only: ProposalFilter) -> Where:
    where, gate = Where(), only.get("gate")
    if gate is not None:
        where.add("gate IS NOT NULL")
    where.equal("+gate", None if gate == "any" else gate)
    where.equal("family", only.get("family"))
    where.in_steps("step", only.get("step"))
    return where


def of_games(only: GameFilter) -> Where:
    where, won = Where(), only.get("won")
    where.equal("+game", only.get("game"))
    where.equal("end", only.get("end"))
    where.in_steps("+step", only.get("step"))
    if won is not None:
        others = "SELECT max(value) FROM json_each(returns) WHERE key <> ?"
        where.add(f"json_extract(returns, ?) > ({others})", f"$[{won}]", won)
    return where


def given(only: TaskFilter | ProposalFilter | GameFilter) -> dict[str, Any]:
    """What is asked for, without what is left open."""
    return {name: value for name, value in only.items() if value is not None}
