"""The reader's questions about tasks and proposals, each a page at a time or one by its id."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Unpack

from selfplay.errors import WrongCall
from selfplay.store import filters
from selfplay.store.filters import ProposalFilter, TaskFilter, Where
from selfplay.store.packing import unpack_ids, unpack_logprobs
from selfplay.store.schema import damaged

ORDERS = {
    "newest": "n DESC",
    "oldest": "n",
    "hardest": "solve_rate, n",
    "easiest": "solve_rate DESC, n DESC",
    "learnable": "learnability DESC, n DESC",
    "attempts": "attempts DESC, n DESC",
    "fertile": "children DESC, n DESC",
}
_LEAVES_OUT = {
    "hardest": "solve_rate IS NOT NULL",
    "easiest": "solve_rate IS NOT NULL",
    "learnable": "learnability IS NOT NULL",
    "attempts": "attempts > 0",
    "fertile": "children > 0",
}
TASK = "id, family, step, body, gold, themes, evicted, reason, attempts, correct, solve_rate, learnability, children"


class _Queries:
    path: Path

    def _rows(self, query: str, *values: Any) -> list[tuple]:
        raise NotImplementedError

    def _dicts(self, columns: str, rest: str, *values: Any) -> list[dict[str, Any]]:
        """The rows as dicts under the columns' names, with the JSON ones read."""
        names = [column.strip().split(" AS ")[-1].split(".")[-1].strip('"') for column in columns.split(",")]
        rows = self._rows(f"SELECT {columns} {rest}", *values)
        return [{name: self._value(name, value) for name, value in zip(names, row, strict=True)} for row in rows]

    def _value(self, column: str, value: Any) -> Any:
        if value is None or column not in _FORMS:
            return value
        return self._parsed(_FORMS[column], value)

    def _parsed(self, form: Callable[[Any], Any], value: Any) -> Any:
        """What `form` reads out of a stored value. UserError: it is none of that form, so the file is damaged."""
        try:
            return form(value)
        except (ValueError, TypeError) as error:
            raise damaged(self.path, str(error)) from error

    def turn(self, kind: str, owner: int, index: int = 0) -> dict[str, Any] | None:
        """One call of the policy, by the `id` of its proposal, attempt or episode (`kind`); token ids and logprobs
        are lists. None when nobody was asked there."""
        columns = (
            't.step, t.idx, t.role, t.grp AS "group", p.text AS prompt, p.ids AS prompt_ids, t.ids, t.logprobs, '
            "t.text, t.stop, t.version, t.reward, t.advantage"
        )
        rest = "FROM turns t JOIN prompts p ON p.id = t.prompt WHERE t.kind = ? AND t.owner = ? AND t.idx = ?"
        found = self._dicts(columns, rest, kind, owner, index)
        return found[0] if found else None


class Tasks(_Queries):
    def tasks(
        self, limit: int = 20, offset: int = 0, order: str = "newest", **only: Unpack[TaskFilter]
    ) -> list[dict[str, Any]]:
        """One page. Orders by difficulty or learnability leave out tasks that were never measured, `attempts` those
        never attempted, `fertile` those without children. UserError: no such order."""
        where = _which(order, only)
        page = f"SELECT n FROM tasks {where.text} ORDER BY {ORDERS[order]} LIMIT ? OFFSET ?"
        rest = f"FROM tasks WHERE n IN ({page}) ORDER BY {ORDERS[order]}"
        return self._dicts(TASK, rest, *where.values, limit, offset)

    def count_tasks(self, order: str = "newest", **only: Unpack[TaskFilter]) -> int:
        """How many `tasks` would list in all."""
        where = _which(order, only)
        return self._rows(f"SELECT count(*) FROM tasks {where.text}", *where.values)[0][0]

    def count_seeds(self) -> int:
        """How many of the tasks were there before the first step."""
        return self.count_tasks(step=0)

    def kinds_of_tasks(self, newest: int = 10_000) -> dict[str, list[str]]:
        """`family` and `theme`: every value that the newest tasks of the run have there."""
        some = "SELECT family, themes FROM tasks ORDER BY n DESC LIMIT ?"
        rows = self._rows(f"SELECT DISTINCT family, themes FROM ({some})", newest)
        themes = {theme for _, listed in rows for theme in self._parsed(json.loads, listed)}
        return {"family": sorted({family for family, _ in rows}), "theme": sorted(themes)}

    def task_id(self, id: str) -> str:
        """The full id of the task whose id begins so. UserError: unknown, or several begin so."""
        found = [row[0] for row in self._rows(_BEGINS, id, id + "\U0010ffff")]
        if len(found) == 1 or id in found[:1]:
            return found[0]
        if found:
            more = " and others" if len(found) > 5 else ""
            raise WrongCall(f"Several tasks begin with {id!r}: {', '.join(found[:5])}{more}; give more of the id.")
        near = [self._rows(f"SELECT {end}(id) FROM tasks WHERE id {side} ?", id)[0][0] for end, side in _NEAREST]
        known = " and ".join(other for other in near if other)
        words = f"the nearest {'are' if all(near) else 'is'} {known}." if known else "it has no tasks."
        raise WrongCall(f"No task of this run has the id {id!r}; {words}")

    def task(self, id: str) -> dict[str, Any]:
        """One task by its id or the beginning of it, with `parents`, `children` and `history` (one entry a step that
        measured it). UserError: unknown, or several begin so."""
        task = self._dicts(TASK, "FROM tasks WHERE id = ?", self.task_id(id))[0]
        parents = self._rows("SELECT parent FROM lineage WHERE child = ? ORDER BY idx", task["id"])
        children = self._rows("SELECT child FROM lineage WHERE parent = ?", task["id"])
        columns = "step, attempts, correct, learnability, guess"
        history = self._dicts(columns, "FROM measures WHERE task = ? ORDER BY step", task["id"])
        return task | {"parents": [p for (p,) in parents], "children": [c for (c,) in children], "history": history}

    def attempts(self, task_id: str) -> list[dict[str, Any]]:
        """Every attempt at one task, oldest first, with its `turn`."""
        columns = "id, step, idx, task, family, answer, verdict"
        found = self._dicts(columns, "FROM attempts WHERE task = ? ORDER BY id", task_id)
        return [attempt | {"turn": self.turn("attempt", attempt["id"])} for attempt in found]


class Proposals(_Queries):
    def proposals(self, limit: int = 20, offset: int = 0, **only: Unpack[ProposalFilter]) -> list[dict[str, Any]]:
        """One page, newest first, each with what was written in `turn`."""
        columns = "id, step, idx, family, gate, detail, task, draft, refs, directive"
        where = filters.of_proposals(only)
        page = f"SELECT id FROM proposals {where.text} ORDER BY step DESC, idx DESC LIMIT ? OFFSET ?"
        rest = f"FROM proposals WHERE id IN ({page}) ORDER BY step DESC, idx DESC"
        found = self._dicts(columns, rest, *where.values, limit, offset)
        return [proposal | {"turn": self.turn("proposal", proposal["id"])} for proposal in found]

    def count_proposals(self, **only: Unpack[ProposalFilter]) -> int:
        """How many `proposals` would list in all."""
        where = filters.of_proposals(only)
        return self._rows(f"SELECT count(*) FROM proposals {where.text}", *where.values)[0][0]


_NEAREST = (("max", "<"), ("min", ">"))
_BEGINS = "SELECT id FROM tasks WHERE id >= ? AND id < ? ORDER BY id LIMIT 6"
_JSON = ("body", "draft", "refs", "directive", "themes", "reason", "opponents", "returns", "legal")
_FORMS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(_JSON, json.loads),
    **dict.fromkeys(("ids", "prompt_ids"), lambda blob: list(unpack_ids(blob))),
    "logprobs": lambda blob: list(unpack_logprobs(blob)),
    "seed": int,
}


def _which(order: str, only: TaskFilter) -> Where:
    if order not in ORDERS:
        raise WrongCall(f"Tasks have no order {order!r}; choose one of {', '.join(ORDERS)}.")
    where = filters.of_tasks(only, key=ORDERS[order].split()[0].rstrip(","))
    if order in _LEAVES_OUT:
        where.add(_LEAVES_OUT[order])
    return where
