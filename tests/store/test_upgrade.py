from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from selfplay.store.queries import ORDERS
from selfplay.store.reader import Reader
from selfplay.store.schema import SCHEMA
from selfplay.store.writer import Writer
from tests.store import made

OLD_INDEXES = (
    "CREATE INDEX proposals_gate ON proposals (gate, step)",
    "CREATE INDEX tasks_family ON tasks (family)",
    "CREATE INDEX tasks_solve_rate ON tasks (solve_rate)",
    "CREATE INDEX tasks_learnability ON tasks (learnability)",
    "CREATE INDEX tasks_attempts ON tasks (attempts)",
)


def make_older(path: Path) -> None:
    """What the schema before left behind: no `tasks.children`, an index a column."""
    db = sqlite3.connect(path)
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE name LIKE 'tasks_by_%'")]
    for name in (*names, "proposals_refused"):
        db.execute(f"DROP INDEX {name}")
    db.execute("ALTER TABLE tasks DROP COLUMN children")
    for statement in OLD_INDEXES:
        db.execute(statement)
    db.execute("PRAGMA user_version = 2")
    db.commit()
    db.close()


def structure(path: Path) -> set[str]:
    db = sqlite3.connect(path)
    columns = {str(row[1:]) for row in db.execute("PRAGMA table_info(tasks)")}
    found = columns | {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    found.add(str(db.execute("PRAGMA user_version").fetchone()))
    db.close()
    return found


def pages(path: Path) -> list[object]:
    with Reader(path) as reader:
        listed: list[object] = [reader.tasks(100, order=order) for order in ORDERS]
        some = reader.tasks(100, solved=(0.2, 0.8), step=(2, 3)), reader.count_tasks("fertile"), reader.count_seeds()
        return [*listed, *some, reader.task("002000"), reader.proposals(gate="any"), reader.count_proposals(gate="run")]


@pytest.fixture
def older(tmp_path: Path) -> Path:
    folder = made.run(tmp_path, steps=4)
    make_older(folder.database)
    return folder.path


def test_a_run_of_the_schema_before_reads_like_one_of_today_and_stays_as_it_is(older: Path, tmp_path: Path) -> None:
    today = made.run(tmp_path / "today", steps=4).path
    before = (older / "run.db").read_bytes()
    assert pages(older) == pages(today)
    assert (older / "run.db").read_bytes() == before


def test_the_next_writer_brings_it_up_to_date_and_goes_on(older: Path, tmp_path: Path) -> None:
    today = made.run(tmp_path / "today", steps=4).path
    with Writer(older / "run.db") as writer:
        writer.commit(made.record(5))
    with Writer(today / "run.db") as writer:
        writer.commit(made.record(5))
    assert structure(older / "run.db") == structure(today / "run.db") and SCHEMA == 3
    assert pages(older) == pages(today)


def test_a_reader_that_is_open_while_the_writer_brings_it_up_to_date_reads_on(older: Path) -> None:
    with Reader(older) as reader:
        first = reader.tasks(order="oldest")
        with Writer(older / "run.db") as writer:
            writer.commit(made.record(5))
        assert [task["id"] for task in reader.tasks(order="oldest")][:8] == [task["id"] for task in first]


def test_children_are_counted_as_tasks_come_and_as_steps_are_taken_back(tmp_path: Path) -> None:
    with Writer(tmp_path / "run.db") as writer:
        for step in range(1, 5):
            writer.commit(made.record(step))
        assert children(tmp_path) == {"001000c0ffee": 2, "002000c0ffee": 2, "003000c0ffee": 2}
        writer.rollback_to(3)
        assert children(tmp_path) == {"001000c0ffee": 2, "002000c0ffee": 2}


def children(folder: Path) -> dict[str, int]:
    with Reader(folder) as reader:
        return {task["id"]: task["children"] for task in reader.tasks(100, order="fertile")}
