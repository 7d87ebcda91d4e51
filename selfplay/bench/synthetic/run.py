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

_KEPT = 20_000
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
    rng, pool = Random(seed), [task(Random(seed + i), 0) for i in range(10)]
    seeds = list(pool)
    with folder.writer() as writer:
        db = writer._db
        indexes = _without_indexes(db)
        db.execute("PRAGMA synchronous = OFF")
        writer.evaluation("before", 0, _BEFORE, seconds=30.0)
        for step in range(1, steps + 1):
            new = _share(tasks - len(seeds), step, steps), _share(turns, step, steps)
            _step(writer, rng, step, steps, *new, tasks - _KEPT, pool, seeds if step == 1 else [])
        writer.evaluation("after", steps, _AFTER, seconds=30.0)
        writer.event(Event("finished", "the run reached its last step"), steps)
        _finish(db, indexes)
    folder.release()
    return folder.path


def _share(whole: int, step: int, steps: int) -> int:
    return whole * step // steps - whole * (step - 1) // steps


def _step(
    writer: Writer,
    rng: Random,
    step: int,
    steps: int,
    count: int,
    turns: int,
    last_evicted: int,
    pool: list[Task],
    seeds: list[Task],
) -> None:
    """`pool`: the tasks that new ones come from: the first ten, and those of the last steps."""
    made = [task(rng, step, _parents(rng, pool)) for _ in range(count)]
    admitted = made[: min(turns // 8, count)]
    writer.commit(record(rng, step, turns, admitted, seeds))
    rest = made[len(admitted) :]
    n = writer._db.execute("SELECT coalesce(max(n), 0) FROM tasks").fetchone()[0]
    rows, measures = [], []
    for place, one in enumerate(rest, n + 1):
        visits = list(_visits(rng, one, step, steps)) if rng.random() < 0.3 else []
        attempts, correct = sum(v[2] for v in visits), sum(v[3] for v in visits)
        gone = step if place <= last_evicted else None
        about = (json.dumps(one.body), one.gold, json.dumps(one.themes), gone, '{"gate": "capacity", "detail": ""}')
        rate, worth = (correct / attempts, visits[-1][4]) if attempts else (None, None)
        rows.append((one.id, one.family, step, step, *about, attempts, correct, rate, worth))
        measures += visits
    columns = (
        "id, family, step, committed, body, gold, themes, evicted, reason, attempts, correct, solve_rate, learnability"
    )
    lineage = ((one.id, parent, place) for one in rest for place, parent in enumerate(one.parents))
    with writer._transaction("store tasks of the bench"):
        writer._db.executemany(f"INSERT INTO tasks ({columns}) VALUES ({', '.join('?' * 13)})", rows)
        writer._db.executemany("INSERT INTO lineage VALUES (?, ?, ?)", lineage)
        writer._db.executemany("INSERT INTO measures VALUES (?, ?, ?, ?, ?, 0)", measures)
    pool[10:] = [*pool[10:], *made][-2000:]


def _parents(rng: Random, pool: list[Task]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rng.choice(pool).id for _ in range(2)))


def _visits(rng: Random, one: Task, step: int, last: int) -> Iterator[tuple]:
    for visit in range(rng.choice((1, 1, 1, 4)) if step < last - 4 else 1):
        yield (one.id, step + visit, 8, rng.randrange(9), rng.random())


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
