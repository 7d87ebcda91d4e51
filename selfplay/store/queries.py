"""The reader's questions about tasks, proposals and games, each a page at a time or one by its id."""

from __future__ import annotations

import json
from typing import Any

from selfplay.errors import UserError
from selfplay.store.packing import unpack_ids, unpack_logprobs

ORDERS = {
    "newest": "n DESC",
    "oldest": "n",
    "hardest": "solve_rate, n",
    "easiest": "solve_rate DESC, n DESC",
    "learnable": "learnability DESC, n DESC",
    "attempts": "attempts DESC, n DESC",
}
_MEASURED = {
    "hardest": "solve_rate IS NOT NULL",
    "easiest": "solve_rate IS NOT NULL",
    "learnable": "learnability IS NOT NULL",
}
TASK = "id, family, step, body, gold, themes, evicted, reason, attempts, correct, solve_rate, learnability"


class _Queries:
    def _rows(self, query: str, *values: Any) -> list[tuple]:
        raise NotImplementedError

    def _dicts(self, columns: str, rest: str, *values: Any) -> list[dict[str, Any]]:
        """The rows as dicts under the columns' names, with the JSON ones read."""
        names = [column.strip().split(" AS ")[-1].split(".")[-1].strip('"') for column in columns.split(",")]
        return [_read(dict(zip(names, row, strict=True))) for row in self._rows(f"SELECT {columns} {rest}", *values)]

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
        self, limit: int = 20, offset: int = 0, order: str = "newest", family: str | None = None
    ) -> list[dict[str, Any]]:
        """One page. Orders by difficulty or learnability leave out tasks that were never measured. UserError: no
        such order."""
        page = f"SELECT n FROM tasks {_where(order, family)} ORDER BY {_order(order)} LIMIT ? OFFSET ?"
        values = ([family] if family else []) + [limit, offset]
        return self._dicts(TASK, f"FROM tasks WHERE n IN ({page}) ORDER BY {_order(order)}", *values)

    def count_tasks(self, order: str = "newest", family: str | None = None) -> int:
        """How many `tasks` would list in all."""
        return self._rows(f"SELECT count(*) FROM tasks {_where(order, family)}", *([family] if family else []))[0][0]

    def task(self, id: str) -> dict[str, Any]:
        """One task by its id or the beginning of it, with `parents`, `children` and `history` (one entry a step that
        measured it). UserError: unknown, or several begin so."""
        found = self._dicts(TASK, "FROM tasks WHERE id >= ? AND id < ? ORDER BY id LIMIT 6", id, id + "\U0010ffff")
        exact = [task for task in found if task["id"] == id]
        if len(exact or found) != 1:
            raise UserError(
                _unclear(id, [task["id"] for task in found], self._rows("SELECT max(id) FROM tasks WHERE id < ?", id))
            )
        task = (exact or found)[0]
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
    def proposals(
        self, limit: int = 20, offset: int = 0, gate: str | None = None, step: int | None = None
    ) -> list[dict[str, Any]]:
        """Newest first, of one gate (`any`: refused by whichever) or step if told, with what was written in `turn`."""
        where = "WHERE gate IS NOT NULL" if gate == "any" else "WHERE 1"
        values: list[Any] = []
        for column, value in (("gate", None if gate == "any" else gate), ("step", step)):
            if value is not None:
                where, values = f"{where} AND {column} = ?", [*values, value]
        columns = "id, step, idx, family, gate, detail, task, draft, refs, directive"
        found = self._dicts(
            columns, f"FROM proposals {where} ORDER BY id DESC LIMIT ? OFFSET ?", *values, limit, offset
        )
        return [proposal | {"turn": self.turn("proposal", proposal["id"])} for proposal in found]


class Episodes(_Queries):
    def episodes(
        self, limit: int = 20, offset: int = 0, game: str | None = None, step: int | None = None
    ) -> list[dict[str, Any]]:
        """Newest first, of one game or step if told, without plies."""
        where = "WHERE 1"
        values: list[Any] = []
        for column, value in (("game", game), ("step", step)):
            if value is not None:
                where, values = f"{where} AND {column} = ?", [*values, value]
        return self._dicts(_EPISODE, f"FROM episodes {where} ORDER BY id DESC LIMIT ? OFFSET ?", *values, limit, offset)

    def count_episodes(self) -> int:
        return self._rows("SELECT count(*) FROM episodes")[0][0]

    def episode(self, id: int) -> dict[str, Any]:
        """One game with its `plies`, each with its `turn` (None for a scripted opponent). UserError: no such
        episode."""
        found = self._dicts(_EPISODE, "FROM episodes WHERE id = ?", id)
        if not found:
            first, last = self._rows("SELECT min(id), max(id) FROM episodes")[0]
            known = f"it has episodes {first} to {last}" if last else "it has no episodes yet"
            raise UserError(f"Episode {id} is not in this run; {known}.")
        columns = "ply, seat, observation, legal, action"
        plies = self._dicts(columns, "FROM plies WHERE episode = ? ORDER BY ply", id)
        return found[0] | {"plies": [ply | {"turn": self.turn("episode", id, ply["ply"])} for ply in plies]}


_EPISODE = "id, step, idx, game, seed, opponents, returns, plies, end, offender"


_JSON = frozenset("body draft refs directive themes reason opponents returns legal".split())  # noqa: SIM905


def _read(row: dict[str, Any]) -> dict[str, Any]:
    for name, value in row.items():
        if name in ("ids", "prompt_ids"):
            row[name] = list(unpack_ids(value))
        elif name == "logprobs":
            row[name] = list(unpack_logprobs(value))
        elif name == "seed":
            row[name] = int(value)
        elif name in _JSON and value is not None:
            row[name] = json.loads(value)
    return row


def _order(order: str) -> str:
    if order not in ORDERS:
        raise UserError(f"Tasks have no order {order!r}; choose one of {', '.join(ORDERS)}.")
    return ORDERS[order]


def _where(order: str, family: str | None) -> str:
    _order(order)
    parts = [_MEASURED.get(order), "family = ?" if family else None]
    kept = [part for part in parts if part]
    return f"WHERE {' AND '.join(kept)}" if kept else ""


def _unclear(id: str, found: list[str], before: list[tuple]) -> str:
    if found:
        return f"Several tasks begin with {id!r}: {', '.join(found)}; give more of the id."
    near = before[0][0]
    return f"No task of this run has the id {id!r}" + (f"; the nearest is {near}." if near else ".")
