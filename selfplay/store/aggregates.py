"""The reader's questions about a whole run, answered by SQL, so that a report of a million tasks needs no million rows.

Steps come in groups of `width`: group 0 holds steps 1 to `width`. Examples are chosen by an index and without chance:
the same run gives the same ones.
"""

from __future__ import annotations

import json
from typing import Any

from selfplay.store.digest import SPREAD
from selfplay.store.queries import TASK, _Queries

_BOUNDS = dict(
    zip(
        SPREAD,
        (
            "solve_rate = 0",
            "solve_rate > 0 AND solve_rate <= .25",
            "solve_rate > .25 AND solve_rate <= .5",
            "solve_rate > .5 AND solve_rate <= .75",
            "solve_rate > .75 AND solve_rate < 1",
            "solve_rate = 1",
        ),
        strict=True,
    )
)


class Aggregates(_Queries):
    def metric_keys(self) -> list[str]:
        """Every metric that any step has, in order; one index look-up a key."""
        first, later = "SELECT min(key) FROM metrics", "SELECT min(key) FROM metrics WHERE key > k"
        keys = f"WITH RECURSIVE found(k) AS ({first} UNION ALL SELECT ({later}) FROM found WHERE k IS NOT NULL)"
        return [key for (key,) in self._rows(f"{keys} SELECT k FROM found WHERE k IS NOT NULL")]

    def binned_metrics(self, keys: list[str], width: int) -> dict[str, dict[int, float | None]]:
        """Key → group → the mean over the group's steps, None where no step has a number."""
        one = "SELECT (step - 1) / ?, avg(value) FROM metrics WHERE key = ? AND step > 0 GROUP BY 1 ORDER BY 1"
        return {key: dict(self._rows(one, width, key)) for key in keys}

    def outcomes(self, width: int) -> list[dict[str, Any]]:
        """How many games ended so: `group`, `game`, `opponents`, `returns`, `end`, `offender`, `count`."""
        columns = "game, opponents, returns, end, offender"
        query = f"SELECT (step - 1) / ?, {columns}, count(*) FROM episodes GROUP BY 1, {columns} ORDER BY 1, {columns}"
        return [
            {
                "group": group,
                "game": game,
                "opponents": self._parsed(json.loads, opponents),
                "returns": self._parsed(json.loads, returns),
                "end": end,
                "offender": offender,
                "count": count,
            }
            for group, game, opponents, returns, end, offender, count in self._rows(query, width)
        ]

    def seat_credit(self, width: int) -> list[tuple[str, int, float, float]]:
        """Seat (`GAME/SEAT`), group, mean reward, mean advantage of the turns that games were scored by."""
        where = "WHERE kind = 'episode' AND reward IS NOT NULL AND advantage IS NOT NULL"
        query = (
            f"SELECT grp, (step - 1) / ?, avg(reward), avg(advantage) FROM turns {where} GROUP BY 1, 2 ORDER BY 1, 2"
        )
        return self._rows(query, width)

    def themes(self, width: int) -> list[tuple[int | None, str, int]]:
        """Group, theme, how many tasks made then have it; the group of the seeds is None."""
        group = "CASE WHEN t.step > 0 THEN (t.step - 1) / ? END"
        return self._rows(
            f"SELECT {group}, j.value, count(*) FROM tasks t, json_each(t.themes) j GROUP BY 1, 2 ORDER BY 1, 2", width
        )

    def solve_rates(self) -> dict[str, int]:
        """How many tasks have a solve rate, over all their attempts, in each bin of `digest.SPREAD`."""
        return {name: self._rows(f"SELECT count(*) FROM tasks WHERE {_BOUNDS[name]}")[0][0] for name in SPREAD}

    def tasks_across(self, name: str, count: int) -> list[dict[str, Any]]:
        """At most `count` tasks of one bin of `digest.SPREAD`, evenly over it, by solve rate and then by age."""
        where = f"FROM tasks WHERE {_BOUNDS[name]}"
        total = self._rows(f"SELECT count(*) {where}")[0][0]
        places = sorted({(2 * i + 1) * total // (2 * count) for i in range(count)}) if total else []
        chosen = [self._rows(f"SELECT n {where} ORDER BY solve_rate, n LIMIT 1 OFFSET ?", place) for place in places]
        return [self._dicts(TASK, "FROM tasks WHERE n = ?", rows[0][0])[0] for rows in chosen if rows]

    def hardest(self, count: int, solved: bool) -> list[dict[str, Any]]:
        """Of the tasks that some attempt solved (`solved`), or that none did, those that were solved least of most
        attempts."""
        where = "solve_rate > 0" if solved else "solve_rate = 0"
        query = f"SELECT n FROM tasks WHERE {where} ORDER BY solve_rate, attempts DESC, n LIMIT ?"
        return [self._dicts(TASK, "FROM tasks WHERE n = ?", n)[0] for (n,) in self._rows(query, count)]

    def an_attempt(self, task: str, right: bool) -> dict[str, Any] | None:
        """The newest attempt at a task that was right, or that was not, with its `turn`; None when there is none."""
        verdict = "verdict = 'correct'" if right else "verdict <> 'correct'"
        found = self._dicts(
            "id, step, answer, verdict", f"FROM attempts WHERE task = ? AND {verdict} ORDER BY id DESC LIMIT 1", task
        )
        return found[0] | {"turn": self.turn("attempt", found[0]["id"])} if found else None

    def fertile(self, count: int) -> list[tuple[str, int]]:
        """The tasks that most proposals that became tasks were shown, and how many."""
        return self._rows("SELECT parent, count(*) FROM lineage GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?", count)

    def offspring(self, task: str, count: int) -> list[tuple[str, int]]:
        """The children of a task that have most children of their own, and how many those have."""
        own = "(SELECT count(*) FROM lineage WHERE parent = l.child)"
        return self._rows(
            f"SELECT l.child, {own} FROM lineage l WHERE l.parent = ? ORDER BY 2 DESC, 1 LIMIT ?", task, count
        )

    def tasks_by_id(self, ids: list[str]) -> dict[str, dict[str, Any]]:
        marks = ", ".join("?" * len(ids))
        return {task["id"]: task for task in self._dicts(TASK, f"FROM tasks WHERE id IN ({marks})", *ids)}

    def last_refusal(self, gate: str) -> dict[str, Any] | None:
        """The newest proposal that a gate refused, with its `turn`."""
        columns = "id, step, family, gate, detail, draft, directive"
        rest = "FROM proposals WHERE gate = ? ORDER BY step DESC, idx DESC LIMIT 1"
        found = self._dicts(columns, rest, gate)
        return found[0] | {"turn": self.turn("proposal", found[0]["id"])} if found else None

    def a_game(self, game: str, among: int = 200) -> int | None:
        """The id of the longest of the newest `among` games that ended by the rules; of any, when none did."""
        for where in ("AND end = 'finished'", ""):
            newest = f"SELECT id, plies FROM episodes WHERE game = ? {where} ORDER BY id DESC LIMIT ?"
            found = self._rows(f"SELECT id FROM ({newest}) ORDER BY plies DESC, id DESC LIMIT 1", game, among)
            if found:
                return found[0][0]
        return None
