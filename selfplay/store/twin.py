"""`metrics.jsonl`: one line a committed step, for `tail -f` and for tools that read no SQLite.

It is a copy, never the truth: where it is missing, torn or out of step with the database it is written anew.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path


class Twin:
    """A disk that has no room for the copy does not stop a run whose step is safe: it is said once, and made good
    later."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stale = False
        self._told = False

    def append(self, db: sqlite3.Connection, step: int) -> None:
        """Adds the line of `step`, which was committed just now."""
        try:
            if self._stale:
                self._write_anew(db)
            else:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write("".join(_lines(db, step)))
            self._stale = False
        except OSError as error:
            self._failed(error)

    def heal(self, db: sqlite3.Connection) -> None:
        """Writes the file anew unless its steps are the database's."""
        want = [row[0] for row in db.execute("SELECT step FROM steps ORDER BY step")]
        if want != self._steps():
            self.rewrite(db)

    def rewrite(self, db: sqlite3.Connection) -> None:
        try:
            self._write_anew(db)
            self._stale = False
        except OSError as error:
            self._failed(error)

    def _write_anew(self, db: sqlite3.Connection) -> None:
        new = self.path.with_name(self.path.name + ".new")
        with new.open("w", encoding="utf-8") as file:
            file.writelines(_lines(db, 0))
        os.replace(new, self.path)

    def _steps(self) -> list[int] | None:
        """The steps the file holds; None when a line cannot be read."""
        try:
            with self.path.open(encoding="utf-8") as file:
                return [json.loads(line)["step"] for line in file]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _failed(self, error: OSError) -> None:
        self._stale = True
        if not self._told:
            print(f"Could not write {self.path} ({error.strerror}); the database is whole.", file=sys.stderr)
            self._told = True


def _lines(db: sqlite3.Connection, since: int) -> Iterator[str]:
    """The lines of the steps from `since` on, oldest first. Not-a-number is null."""
    rows = db.execute("SELECT step, time, digest, seconds FROM steps WHERE step >= ? ORDER BY step", (since,))
    for step, when, summary, seconds in rows:
        metrics = dict(db.execute("SELECT key, value FROM metrics WHERE step = ? ORDER BY key", (step,)))
        line = {"step": step, "time": when, "seconds": json.loads(seconds), **json.loads(summary), "metrics": metrics}
        yield json.dumps(line) + "\n"
