"""The folder of a large synthetic run. Steps go through the writer; most tasks, which no stored proposal made, go by
SQL."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

from selfplay.bench.synthetic.steps import record, task
from selfplay.records import Event, Task
from selfplay.store.folder import RunFolder
from selfplay.store.writer import Writer

_KEPT, _SEEDS = 20_000, 10
_CONFIG = {"name": "synthetic", "seed": 0, "curriculum": {"families": ["deduction", "math"], "capacity": _KEPT}}
_BEFORE = {"proposer/valid_rate": 0.1, "solver/solve_rate": 0.05, "kuhn_poker/exploitability": 0.45}
_AFTER = {"proposer/valid_rate": 0.9, "solver/solve_rate": 0.25, "kuhn_poker/exploitability": 0.1}


def make(root: Path, tasks: int, turns: int, steps: int = 500, seed: int = 0) -> Path:
    """A finished run of that many tasks and about that many turns; its folder, under `root`.

    Tasks come from earlier ones, two parents each; three in ten were measured, in one to four steps; those that SQL
    stored were evicted, but for the last 20,000, and have no identities: no view reads them.
    """
    steps = max(1, min(steps, tasks, turns))
    folder = RunFolder.create(
        root, "synthetic", json.dumps({**_CONFIG, "steps": steps}), {"seed": seed, "started": 0.0}
    )
    with folder.writer() as writer:
        db = writer._db
        indexes = _without_indexes(db)
        db.execute("PRAGMA synchronous = OFF")
        writer.evaluation("before", 0, _BEFORE, seconds=30.0)
        making = _Making(writer, Random(seed), steps, last_evicted=tasks - _KEPT)
        for step in range(1, steps + 1):
            making.step(step, _share(tasks - _SEEDS, step, steps), _share(turns, step, steps))
        writer.evaluation("after", steps, _AFTER, seconds=30.0)
        writer.event(Event("finished", "the run reached its last step"), steps)
        _finish(db, indexes)
    folder.release()
    return folder.path


def _share(whole: int, step: int, steps: int) -> int:
    return whole * step // steps - whole * (step - 1) // steps


class _Making:
    """`pool`: the tasks that new ones come from: the seeds, and those of the last steps."""

    def __init__(self, writer: Writer, rng: Random, steps: int, last_evicted: int) -> None:
        self.writer, self.rng, self.steps, self.last_evicted = writer, rng, steps, last_evicted
        self.pool = [task(rng, 0) for _ in range(_SEEDS)]

    def step(self, step: int, count: int, turns: int) -> None:
        made = [task(self.rng, step, self._parents()) for _ in range(count)]
        admitted = min(turns // 8, count)
        seeds = self.pool[:_SEEDS] if step == 1 else []
        self.writer.commit(record(self.rng, step, turns, made[:admitted], seeds))
        self._store(step, made[admitted:])
        self.pool[_SEEDS:] = [*self.pool[_SEEDS:], *made][-2000:]

    def _store(self, step: int, tasks: list[Task]) -> None:
        db = self.writer._db
        n = db.execute("SELECT coalesce(max(n), 0) FROM tasks").fetchone()[0]
        rows, measures = [], []
        for place, one in enumerate(tasks, n + 1):
            visits = list(self._visits(one, step)) if self.rng.random() < 0.3 else []
            attempts, correct = sum(visit[2] for visit in visits), sum(visit[3] for visit in visits)
            gone = step if place <= self.last_evicted else None
            about = (json.dumps(one.body), one.gold, json.dumps(one.themes), gone, '{"gate": "capacity", "detail": ""}')
            rate, worth = (correct / attempts, visits[-1][4]) if attempts else (None, None)
            rows.append((one.id, one.family, step, step, *about, attempts, correct, rate, worth))
            measures += visits
        lineage = ((one.id, parent, place) for one in tasks for place, parent in enumerate(one.parents))
        with self.writer._transaction("store tasks of the bench"):
            db.executemany(f"INSERT INTO tasks ({_COLUMNS}) VALUES ({', '.join('?' * 13)})", rows)
            db.executemany("INSERT INTO lineage VALUES (?, ?, ?)", lineage)
            db.executemany("INSERT INTO measures VALUES (?, ?, ?, ?, ?, 0)", measures)

    def _parents(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.rng.choice(self.pool).id for _ in range(2)))

    def _visits(self, one: Task, step: int) -> Iterator[tuple]:
        for visit in range(self.rng.choice((1, 1, 1, 4)) if step < self.steps - 4 else 1):
            yield (one.id, step + visit, 8, self.rng.randrange(9), self.rng.random())


_COLUMNS = (
    "id, family, step, committed, body, gold, themes, evicted, reason, attempts, correct, solve_rate, learnability"
)


def _without_indexes(db: sqlite3.Connection) -> list[str]:
    """Drops those that can be dropped, and gives the statements that make them again."""
    found = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").fetchall()
    for name, _ in found:
        db.execute(f"DROP INDEX {name}")
    return [sql for _, sql in found]


def _finish(db: sqlite3.Connection, indexes: list[str]) -> None:
    for statement in indexes:
        db.execute(statement)
    children = "(SELECT count(*) FROM lineage WHERE parent = tasks.id)"
    db.execute(f"UPDATE tasks SET children = {children} WHERE id IN (SELECT DISTINCT parent FROM lineage)")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.execute("PRAGMA synchronous = FULL")
