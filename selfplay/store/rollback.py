"""Taking steps back, so that nothing of them is left: as if they had never been committed."""

from __future__ import annotations

import sqlite3

_ORPHANED = "SELECT DISTINCT parent FROM lineage WHERE child IN (SELECT id FROM tasks WHERE committed > ?)"
_CHILDREN = "UPDATE tasks SET children = (SELECT count(*) FROM lineage WHERE parent = tasks.id) WHERE id = ?"

_DELETES = (
    "DELETE FROM lineage WHERE child IN (SELECT id FROM tasks WHERE committed > ?)",
    "DELETE FROM identities WHERE task IN (SELECT n FROM tasks WHERE committed > ?)",
    "DELETE FROM tasks WHERE committed > ?",
    "UPDATE tasks SET evicted = NULL, reason = NULL WHERE evicted > ?",
    "DELETE FROM plies WHERE episode IN (SELECT id FROM episodes WHERE step > ?)",
    "DELETE FROM episodes WHERE step > ?",
    "DELETE FROM attempts WHERE step > ?",
    "DELETE FROM proposals WHERE step > ?",
    "DELETE FROM turns WHERE step > ?",
    "DELETE FROM prompts WHERE step > ?",
    "DELETE FROM metrics WHERE step > ?",
    "DELETE FROM measures WHERE step > ?",
    "DELETE FROM evaluations WHERE step > ?",
    "DELETE FROM evaluation_seconds WHERE step > ?",
    "DELETE FROM events WHERE step > ? AND inside",
    "DELETE FROM steps WHERE step > ?",
)

_TOTALS = """
UPDATE tasks SET
    attempts = (SELECT coalesce(sum(attempts), 0) FROM measures WHERE task = tasks.id),
    correct = (SELECT coalesce(sum(correct), 0) FROM measures WHERE task = tasks.id),
    solve_rate = (SELECT sum(correct) * 1.0 / nullif(sum(attempts), 0) FROM measures WHERE task = tasks.id),
    learnability = (SELECT learnability FROM measures WHERE task = tasks.id AND learnability IS NOT NULL
                    ORDER BY step DESC LIMIT 1)
WHERE id = ?"""


def undo_steps_after(db: sqlite3.Connection, step: int) -> None:
    """Inside the caller's transaction. The totals of tasks that were measured in the undone steps are summed anew, and
    the children of their parents counted; events that happened to the run itself (a resumption) stay."""
    parents = db.execute(_ORPHANED, (step,)).fetchall()
    touched = db.execute("SELECT DISTINCT task FROM measures WHERE step > ?", (step,)).fetchall()
    for delete in _DELETES:
        db.execute(delete, (step,))
    db.executemany(_TOTALS, touched)
    db.executemany(_CHILDREN, parents)
