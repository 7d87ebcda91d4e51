"""Reading a run, while it is live and after: what `show` and its like are made of, and what a resumption needs.

Everything comes back as plain data that JSON can hold, except `active_tasks`. A reader never blocks the writer. Two
calls may see two different steps as the newest; inside `with reader.snapshot():` all calls see the same one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from selfplay.errors import UserError, WrongCall
from selfplay.records import Task
from selfplay.store import digest
from selfplay.store.aggregates import Aggregates
from selfplay.store.games import Episodes
from selfplay.store.graded import Graded
from selfplay.store.kin import Kin
from selfplay.store.queries import Proposals, Tasks
from selfplay.store.schema import damaged, explain, open_for_reading


class Reader(Tasks, Kin, Proposals, Episodes, Aggregates, Graded):
    """`path` is the database or the folder that holds it. UserError: no such file, not a run's, another schema,
    damaged."""

    def __init__(self, path: Path | str) -> None:
        path = Path(path)
        self.path = path / "run.db" if path.is_dir() else path
        if not self.path.is_file():
            raise UserError(
                f"{path} is not a run: there is no {self.path.name} in it (`selfplay runs` lists the runs)."
            )
        try:
            self._db = open_for_reading(self.path)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise explain(error, self.path, "open the run's database") from error

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, *_: object) -> None:
        """UserError instead of an error that a damaged file explains."""
        try:
            if isinstance(error, ValueError | TypeError | LookupError | ArithmeticError) and (why := self.damage()):
                raise damaged(self.path, why) from error
        finally:
            self.close()

    def damage(self) -> str | None:
        """What SQLite finds wrong with the file, in a line; None: nothing. It reads all of it."""
        try:
            found = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            return str(error)
        return None if found == "ok" else " ".join(found.split())

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Until it ends, every call sees the run as it was at the first one."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def meta(self) -> dict[str, Any]:
        return {
            key: self._parsed(json.loads, value)
            for key, value in self._rows("SELECT key, value FROM meta ORDER BY key")
        }

    def last_step(self) -> int:
        """The newest committed step; 0 when there is none."""
        return self._rows("SELECT coalesce(max(step), 0) FROM steps")[0][0]

    def stamp(self) -> str:
        """A text that changes with every commit: who keeps the last one need not read again what did not change."""
        steps = "(SELECT time FROM steps ORDER BY step DESC LIMIT 1), (SELECT max(id) FROM events)"
        return " ".join(map(str, self._rows(f"SELECT {steps}, (SELECT count(*) FROM evaluation_seconds)")[0]))

    def step(self, n: int) -> dict[str, Any]:
        """`step`, `time`, `seconds` by phase, the digest's counts (`funnel`, `refusals`, `spread`, …), `metrics`,
        `events`."""
        rows = self._rows("SELECT step, time, digest, seconds FROM steps WHERE step = ?", n)
        if not rows:
            raise WrongCall(f"Step {n} is not in this run; it has steps 1 to {self.last_step()}.")
        metrics = {key: values[0][1] for key, values in self.metrics(since=n, until=n).items()}
        return self._step(rows[0]) | {"metrics": metrics, "events": [e for e in self.events(n) if e["step"] == n]}

    def steps(self, since: int = 1) -> list[dict[str, Any]]:
        """The light summaries of all steps from `since` on, oldest first, without metrics."""
        rows = self._rows("SELECT step, time, digest, seconds FROM steps WHERE step >= ? ORDER BY step", since)
        return [self._step(row) for row in rows]

    def funnel(self, n: int | None = None) -> dict[str, Any]:
        """`proposed`, `parsed`, `valid`, `new`, `admitted` and `refusals` by gate: of step `n`, or of the whole run."""
        steps = [self.step(n)] if n is not None else self.steps()
        sums = digest.total({"funnel": s["funnel"], "refusals": s["refusals"]} for s in steps)
        return {**sums["funnel"], "refusals": sums["refusals"]}

    def metrics(
        self, keys: Iterable[str] | None = None, since: int = 0, until: int | None = None
    ) -> dict[str, list[tuple[int, float | None]]]:
        """Key → its (step, value) pairs in order of step. None stands for not-a-number."""
        where, values = "step >= ?", [since]
        if until is not None:
            where, values = where + " AND step <= ?", [*values, until]
        if keys is None:
            rows = self._rows(f"SELECT key, step, value FROM metrics WHERE {where} ORDER BY key, step", *values)
        else:
            one = f"SELECT key, step, value FROM metrics WHERE key = ? AND {where} ORDER BY step"
            rows = [row for key in keys for row in self._rows(one, key, *values)]
        found: dict[str, list[tuple[int, float | None]]] = {}
        for key, step, value in rows:
            found.setdefault(key, []).append((step, value))
        return found

    def evaluations(self) -> dict[str, dict[str, float | None]]:
        """Label → {key: value}; of a label that was measured at several steps, the newest."""
        newest = "SELECT label AS l, max(step) AS s FROM evaluations GROUP BY label"
        join = f"evaluations JOIN ({newest}) ON label = l AND step = s"
        rows = self._rows(f"SELECT label, key, value FROM {join} ORDER BY step, label, key")
        found: dict[str, dict[str, float | None]] = {}
        for label, key, value in rows:
            found.setdefault(label, {})[key] = value
        return found

    def evaluation_steps(self) -> list[dict[str, Any]]:
        """`label`, `step`, `seconds` of every evaluation, in order of step."""
        rows = self._rows("SELECT label, step, seconds FROM evaluation_seconds ORDER BY step, label")
        return [dict(zip(("label", "step", "seconds"), row, strict=True)) for row in rows]

    def events(self, since: int = 0) -> list[dict[str, Any]]:
        rows = self._rows("SELECT step, time, kind, detail, data FROM events WHERE step >= ? ORDER BY id", since)
        return [
            {"step": step, "time": when, "kind": kind, "detail": detail, "data": self._parsed(json.loads, data)}
            for step, when, kind, detail, data in rows
        ]

    def active_tasks(self) -> Iterator[tuple[Task, int, list[tuple[int, int, float]]]]:
        """Every task that was not evicted, in order of admission: what refills the bank. With each its serial number
        and its visits, oldest first, as (attempts, correct ones, rate at which luck is right). Without identities."""
        active = "tasks t JOIN {} ON {} = t.id WHERE t.evicted IS NULL ORDER BY t.n, {}"
        parents = self._by_task("parent", active.format("lineage", "child", "idx"))
        visits = self._by_task("m.attempts, m.correct, guess", active.format("measures m", "m.task", "m.step"))
        query = "SELECT n, id, family, body, gold, step, themes FROM tasks WHERE evicted IS NULL ORDER BY n"
        for n, id, family, body, gold, step, themes in self._rows(query):
            kin = tuple(parent for (parent,) in parents.get(id, []))
            about, known = tuple(self._parsed(json.loads, themes)), self._parsed(json.loads, body)
            yield Task(id, family, known, gold, step, kin, themes=about), n, visits.get(id, [])

    def admitted(self) -> int:
        """How many tasks were ever stored, seeds and evicted ones too."""
        return self._rows("SELECT coalesce(max(n), 0) FROM tasks")[0][0]

    def _step(self, row: tuple) -> dict[str, Any]:
        step, when, summary, seconds = row
        known: Mapping[str, Any] = self._parsed(json.loads, summary)
        return {"step": step, "time": when, "seconds": self._parsed(json.loads, seconds), **known}

    def _by_task(self, columns: str, rest: str) -> dict[str, list[tuple]]:
        found: dict[str, list[tuple]] = {}
        for id, *values in self._rows(f"SELECT t.id, {columns} FROM {rest}"):
            found.setdefault(id, []).append(tuple(values))
        return found

    def _rows(self, query: str, *values: Any) -> list[tuple]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.ProgrammingError:
            raise
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise explain(error, self.path, "read the run") from error
