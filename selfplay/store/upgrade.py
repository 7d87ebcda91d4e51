"""Runs of the schema before: read as they are through a view, and brought up to date by the first one to write to them.

Schema 2 had no `tasks.children`, and an index for each column that a listing ordered by, without what it filtered by.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

OLDER = 2
_CHILDREN = "(SELECT count(*) FROM lineage WHERE parent = tasks.id)"
_DROPPED = ("proposals_gate", "tasks_family", "tasks_solve_rate", "tasks_learnability", "tasks_attempts")


def show_as_current(db: sqlite3.Connection) -> None:
    """For a reader, which may not write: a temporary view takes the table's name and counts children as it goes."""
    db.execute(f"CREATE TEMP VIEW tasks AS SELECT *, {_CHILDREN} AS children FROM main.tasks")


def upgrade(db: sqlite3.Connection, tables: Iterable[str]) -> None:
    """For the writer, inside its transaction. `tables`: the statements that make a new database."""
    db.execute("ALTER TABLE tasks ADD COLUMN children INTEGER NOT NULL DEFAULT 0")
    db.execute(f"UPDATE tasks SET children = {_CHILDREN} WHERE id IN (SELECT parent FROM lineage)")
    for name in _DROPPED:
        db.execute(f"DROP INDEX {name}")
    there = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    for statement in tables:
        words = statement.split()
        if "INDEX" in words[:3] and words[words.index("INDEX") + 1] not in there:
            db.execute(statement)
