"""How long do the reading verbs take on a run of a million tasks?

The run is made first (see `synthetic.run`), in a temporary folder. Each figure is the time of the verb's own function,
database opened anew, rendering included; two are of a whole process besides, as a person waits for it. Each is timed
three times, and the least counts: a machine that is busy with something else does not speak for the code.
"""

from __future__ import annotations

import io
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import selfplay
from selfplay import report
from selfplay.bench.synthetic.run import make
from selfplay.store.filters import GameFilter, TaskFilter
from selfplay.store.queries import ORDERS
from selfplay.store.reader import Reader
from selfplay.views import episodes, replay, show, task, tasks
from selfplay.views.text import console

LIMIT = 20


def measure(tasks: int = 1_000_000, turns: int = 200_000) -> dict[str, Any]:
    """Measures for some minutes, most of them to make the run; it takes 2 GB of the temporary folder.

    made_s, run_mb: what making the run took, and the size of its database. report_s, report_mb: the same of its
    report. The rest is of `figures`.
    """
    with tempfile.TemporaryDirectory(prefix="selfplay-views-") as root:
        began = time.perf_counter()
        folder = make(Path(root), tasks, turns)
        made = {
            "made_s": round(time.perf_counter() - began, 1),
            "run_mb": round((folder / "run.db").stat().st_size / 1e6),
        }
        return {"tasks": tasks, "turns": turns, **made, **figures(folder), **_reported(folder)}


def figures(folder: Path) -> dict[str, Any]:
    """What the reading verbs take on a run that is there.

    show_s, task_s, replay_s: the verb's function, on the task with the most children and the longest game.
    tasks_page_s, proposals_page_s, episodes_page_s: the worst page of any order and filter, of which the first, the
    middle and the last one are opened; `tasks_worst` says which it was, `pages` how many of tasks were opened.
    show_process_s, tasks_process_s: `selfplay show RUN` and the middle page of `selfplay tasks RUN` as whole processes.
    cpu: the same figures in seconds of this program's own work, whatever else the machine did.
    """
    pages = list(_task_pages(folder))
    with Reader(folder) as reader:
        middle = reader.count_tasks() // 2
    taken = {
        "show_s": _timed(lambda: _print(show.render(show.summary(folder)))),
        "tasks_page_s": _worst(spent for spent, _ in pages),
        "task_s": _timed(lambda: _one_task(folder)),
        "proposals_page_s": _worst(_proposal_pages(folder)),
        "episodes_page_s": _worst(_episode_pages(folder)),
        "replay_s": _timed(lambda: _longest_game(folder)),
        "show_process_s": _timed(lambda: _process("show", str(folder))),
        "tasks_process_s": _timed(lambda: _process("tasks", str(folder), "--offset", str(middle))),
    }
    wall = {name: round(spent.wall, 3) for name, spent in taken.items()}
    cpu = {name: round(spent.cpu, 3) for name, spent in taken.items()}
    return {**wall, "tasks_worst": max(pages, key=lambda page: page[0].cpu)[1], "pages": len(pages), "cpu": cpu}


def _reported(folder: Path) -> dict[str, float]:
    began = time.perf_counter()
    page = report.write(folder)
    return {
        "report_s": round(time.perf_counter() - began, 1), "report_mb": round(page.stat().st_size / 1e6, 2)
    }  # fmt: skip


class Spent(NamedTuple):
    """Seconds on the clock, and of this process and its children."""

    wall: float
    cpu: float


FILTERS: dict[str, TaskFilter] = {
    "all": {},
    "family": {"family": "math"},
    "steps": {"step": (50, 300)},
    "solved": {"solved": (0.25, 0.75)},
    "learnable": {"learnable": (0.1, 0.9)},
    "theme": {"theme": "loops"},
    "active": {"active": True},
    "evicted": {"active": False},
    "most together": {
        "family": "math", "step": (1, 400), "solved": (0.0, 1.0), "learnable": (0.0, 1.0), "theme": "loops",
        "active": False,
    },
    "nothing": {"family": "no such family"},
}  # fmt: skip
_PROPOSALS: tuple[tuple[str, dict[str, Any]], ...] = (("any", {}), ("any", {"family": "math", "step": (50, 300)}))
_GAMES: tuple[GameFilter, ...] = (
    {},
    {"game": "kuhn_poker"},
    {"step": (50, 300)},
    {"end": "invalid"},
    {"won": 1},
    {"game": "tic_tac_toe", "step": (50, 300), "end": "finished", "won": 0},
)


def _task_pages(folder: Path) -> Iterator[tuple[Spent, str]]:
    with Reader(folder) as reader:
        eve, late = reader.tasks(1, 0, "fertile")[0]["id"], reader.tasks(1, reader.count_tasks() // 200)[0]["id"]
    which: list[tuple[str, dict[str, Any]]] = [(name, {**only}) for name, only in FILTERS.items()]
    which += [("of the most fertile", {"ancestor": eve}), ("of a late one", {"ancestor": late})]
    for name, only in which:
        for order in ORDERS:
            open = partial(_read, folder, tasks.page, tasks.render_page, order=order, **only)
            for offset, spent in _three(open):
                yield spent, f"{order}, {name}, from {offset}"


def _proposal_pages(folder: Path) -> Iterator[Spent]:
    with Reader(folder) as reader:
        gates: list[tuple[str, dict[str, Any]]] = [(gate, {}) for gate in reader.funnel()["refusals"]]
    for gate, only in (*_PROPOSALS, *gates):
        open = partial(_read, folder, tasks.refused, tasks.render_refused, gate=gate, **only)
        yield from (spent for _, spent in _three(open))


def _episode_pages(folder: Path) -> Iterator[Spent]:
    for only in _GAMES:
        open = partial(_read, folder, episodes.page, episodes.render_page, **only)
        yield from (spent for _, spent in _three(open))


def _three(open: Callable[..., int]) -> Iterator[tuple[int, Spent]]:
    """Where the first, the middle and the last page begin, and how long each took. `open` says how many rows there
    are."""
    total = open(limit=0, offset=0)
    for offset in sorted({0, total // 2, max(total - LIMIT, 0)}):
        yield offset, _timed(partial(open, limit=LIMIT, offset=offset))


def _read(folder: Path, view: Callable[..., Any], render: Callable[..., Any], **call: Any) -> int:
    with Reader(folder) as reader:
        page = view(reader, **call)
        _print(render(page))
    return page["total"]


def _one_task(folder: Path) -> None:
    with Reader(folder) as reader:
        _print(task.render_one(task.one(reader, reader.tasks(1, 0, "fertile")[0]["id"])))


def _longest_game(folder: Path) -> None:
    with Reader(folder) as reader:
        longest = reader._rows("SELECT id FROM episodes ORDER BY plies DESC LIMIT 1")
        _print(replay.render_episode(replay.episode(reader, longest[0][0])))


def _process(*words: str) -> None:
    command, root = [sys.executable, "-m", "selfplay.cli", *words], Path(selfplay.__file__).parents[1]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=root, env=os.environ)


def _print(renderable: Any) -> None:
    console(io.StringIO()).print(renderable)


def _timed(call: Callable[[], Any]) -> Spent:
    """The least of three, of either."""
    taken = []
    for _ in range(3):
        wall, cpu = time.perf_counter(), _cpu()
        call()
        taken.append((time.perf_counter() - wall, _cpu() - cpu))
    return Spent(*map(min, zip(*taken, strict=True)))


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _worst(spent: Iterable[Spent]) -> Spent:
    return Spent(*map(max, zip(*spent, strict=True)))
