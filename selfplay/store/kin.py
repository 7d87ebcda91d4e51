"""The reader's questions about lineage: the family tree around one task, up and down, cut where it gets large."""

from __future__ import annotations

from typing import Any

from selfplay.store.queries import _Queries

FAMILY_TREE = 10_000
"""So many descendants of a task are listed, and kin counted, the nearest first; a seed of a long run may have a
million."""

_UP = (
    "SELECT parent FROM lineage WHERE child = ? ORDER BY idx LIMIT ?",
    "SELECT count(*) FROM lineage WHERE child = ?",
)
_DOWN = (
    "SELECT child FROM lineage WHERE parent = ? ORDER BY child LIMIT ?",
    "SELECT count(*) FROM lineage WHERE parent = ?",
)
_KNOWN = "SELECT family, step, attempts, correct, evicted FROM tasks WHERE id = ?"
_ALL_UP = """WITH RECURSIVE kin(id) AS (
    SELECT parent FROM lineage WHERE child = ?
    UNION SELECT lineage.parent FROM kin JOIN lineage ON lineage.child = kin.id LIMIT ?)"""
_ALL_DOWN = """WITH RECURSIVE kin(id) AS (
    SELECT child FROM lineage WHERE parent = ?
    UNION SELECT lineage.child FROM kin JOIN lineage ON lineage.parent = kin.id LIMIT ?)"""


class Kin(_Queries):
    def ancestors(self, id: str, depth: int = 3, breadth: int = 4) -> list[dict[str, Any]]:
        """The parents of a task, with theirs, up to `depth` generations and `breadth` of them each.

        A node: `id`, `family`, `step`, `attempts`, `correct`, `evicted` (all but the id None when the task is not in
        the run), `of` (how many it has in the next generation), `kin` (those of them that are told).
        """
        return self._generation(id, depth, breadth, *_UP)

    def descendants(self, id: str, depth: int = 3, breadth: int = 4) -> list[dict[str, Any]]:
        """The same, downwards."""
        return self._generation(id, depth, breadth, *_DOWN)

    def count_kin(self, id: str) -> dict[str, int]:
        """`ancestors` and `descendants` of all generations; counting stops at FAMILY_TREE."""
        found = {"ancestors": _ALL_UP, "descendants": _ALL_DOWN}
        counted = {name: self._rows(f"{all} SELECT count(*) FROM kin", id, FAMILY_TREE) for name, all in found.items()}
        return {name: rows[0][0] for name, rows in counted.items()}

    def below(self, id: str) -> list[int]:
        """The serial numbers of a task's descendants, each once: all of them, or the FAMILY_TREE nearest."""
        rows = self._rows(f"{_ALL_DOWN} SELECT n FROM kin JOIN tasks USING (id)", id, FAMILY_TREE)
        return [n for (n,) in rows]

    def _generation(self, id: str, depth: int, breadth: int, find: str, count: str) -> list[dict[str, Any]]:
        return [self._node(kin, depth, breadth, find, count) for (kin,) in self._rows(find, id, breadth)]

    def _node(self, id: str, depth: int, breadth: int, find: str, count: str) -> dict[str, Any]:
        known = self._rows(_KNOWN, id) or [(None,) * 5]
        node = dict(zip(("family", "step", "attempts", "correct", "evicted"), known[0], strict=True))
        further = self._generation(id, depth - 1, breadth, find, count) if depth > 1 else []
        return {"id": id, **node, "of": self._rows(count, id)[0][0], "kin": further}
