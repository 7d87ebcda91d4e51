"""The whole of a table, row after row: what an export reads.

Rows come out of the database as they are asked for, so memory does not grow with the run; what has to be sorted is
sorted by SQLite, on disk where it is large. Inside a snapshot all streams see the same step. Columns that hold one JSON
object of a family's own making (`body`, `draft`, `directive`, `reason`) stay text.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from selfplay.store.schema import damaged, explain

Row = dict[str, Any]

_LISTS = frozenset({"themes", "references", "opponents", "returns", "legal"})
_SAID = "p.text AS prompt, t.text AS completion, t.stop, t.version, t.reward, t.advantage"
_TURN = "turns t ON t.kind = '{}' AND t.owner = {}.id AND t.idx = 0 JOIN prompts p ON p.id = t.prompt"


class Streams:
    path: Path
    _db: sqlite3.Connection

    def each_task(self) -> Iterator[Row]:
        """In order of admission."""
        columns = "id, family, step, body, gold, themes, evicted, reason, attempts, correct, solve_rate, learnability"
        return self._each(f"SELECT {columns} FROM tasks ORDER BY n")

    def each_parent(self) -> Iterator[Row]:
        """`child`, `parent`, `index`: one row for each parent of a task."""
        return self._each('SELECT child, parent, idx AS "index" FROM lineage')

    def each_proposal(self) -> Iterator[Row]:
        """Oldest first, with what was asked and written."""
        own = 'o.id, o.step, o.idx AS "index", o.family, gate, detail, task, draft, refs AS "references", directive'
        return self._each(f"SELECT {own}, {_SAID} FROM proposals o JOIN {_TURN.format('proposal', 'o')} ORDER BY o.id")

    def each_attempt(self) -> Iterator[Row]:
        """Oldest first, with what was asked and written."""
        own = 'o.id, o.step, o.idx AS "index", task, family, answer, verdict'
        return self._each(f"SELECT {own}, {_SAID} FROM attempts o JOIN {_TURN.format('attempt', 'o')} ORDER BY o.id")

    def each_episode(self) -> Iterator[Row]:
        """Oldest first, without plies; `seed` is text."""
        columns = 'id, step, idx AS "index", game, seed, opponents, returns, plies, "end", offender'
        return self._each(f"SELECT {columns} FROM episodes ORDER BY id")

    def each_ply(self) -> Iterator[Row]:
        """Every decision of every game; what was asked and written is None where the policy was not asked."""
        own = "y.episode, y.ply, e.step, e.game, y.seat, y.observation, y.legal, y.action"
        turn = "LEFT JOIN turns t ON t.kind = 'episode' AND t.owner = y.episode AND t.idx = y.ply"
        tables = f"plies y JOIN episodes e ON e.id = y.episode {turn} LEFT JOIN prompts p ON p.id = t.prompt"
        return self._each(f"SELECT {own}, {_SAID} FROM {tables} ORDER BY y.episode, y.ply")

    def each_metric(self) -> Iterator[Row]:
        """`step`, `key`, `value`, step after step; not-a-number is None."""
        return self._each("SELECT step, key, value FROM metrics ORDER BY step, key")

    def each_measure(self) -> Iterator[Row]:
        """`step`, `label`, `key`, `value` of every evaluation, step after step."""
        return self._each("SELECT step, label, key, value FROM evaluations ORDER BY step, label, key")

    def _each(self, query: str, *values: Any) -> Iterator[Row]:
        """The rows as dicts under the names of their columns, JSON lists read."""
        try:
            found = self._db.execute(query, values)
            names = [column[0] for column in found.description]
            for row in found:
                yield {
                    name: json.loads(value) if name in _LISTS and value is not None else value
                    for name, value in zip(names, row, strict=True)
                }
        except sqlite3.ProgrammingError:
            raise
        except ValueError as error:
            raise damaged(self.path, str(error)) from error
        except sqlite3.DatabaseError as error:
            raise explain(error, self.path, "read the run") from error
