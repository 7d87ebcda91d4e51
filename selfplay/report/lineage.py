"""What grew out of what: the tasks that most later tasks were written after, and a little of the tree under each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from selfplay.report.texts import clip
from selfplay.store.reader import Reader

ROOTS, BREADTH, DEPTH = 3, 3, 2


def lineage(reader: Reader) -> list[dict[str, Any]]:
    """The `ROOTS` tasks with most children, each a tree: `id`, `family`, `step`, `what`, `solve_rate`, `children` (how
    many it has), `shown` (the most fertile of them, as trees)."""
    roots = [_branch(reader, task, count, DEPTH, set()) for task, count in reader.fertile(ROOTS)]
    tasks = reader.tasks_by_id([id for root in roots for id in _ids(root)])
    return [_described(root, tasks) for root in roots]


def _branch(reader: Reader, task: str, children: int, depth: int, seen: set[str]) -> dict[str, Any]:
    """A task that has several parents is shown under the first one only."""
    seen.add(task)
    shown = []
    for child, own in reader.offspring(task, BREADTH) if depth else ():
        if child not in seen:
            shown.append(_branch(reader, child, own, depth - 1, seen))
    return {"id": task, "children": children, "shown": shown}


def _ids(branch: Mapping[str, Any]) -> Iterator[str]:
    yield branch["id"]
    for child in branch["shown"]:
        yield from _ids(child)


def _described(branch: Mapping[str, Any], tasks: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    task = tasks.get(branch["id"])
    about = {key: task[key] if task else None for key in ("family", "step", "solve_rate", "attempts")}
    what = clip(_what(task), 160) if task else "(not stored)"
    return {**branch, **about, "what": what, "shown": [_described(child, tasks) for child in branch["shown"]]}


def _what(task: Mapping[str, Any]) -> str:
    """The task in one line: its first field without a name, for it says what the task is about."""
    first, *others = [(name, " ".join(text.split())) for name, text in task["body"].items()]
    return "; ".join([first[1], *(f"{name} {text}" for name, text in others)]) + f" → {' '.join(task['gold'].split())}"
