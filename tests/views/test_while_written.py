"""Every view on a run that another process is writing: whole steps only, and the writer is never kept waiting."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from selfplay.store.folder import RunFolder
from selfplay.store.reader import Reader
from selfplay.views import episodes, replay, show, task, tasks
from selfplay.views.compare import compare
from selfplay.views.ending import print_ending
from selfplay.views.runs import runs
from tests.store import made
from tests.views.shown import printed

ROOT = Path(__file__).resolve().parents[2]
STEPS = 60

WRITES = """
import sys
from pathlib import Path
from selfplay.store.folder import RunFolder
from tests.store import made
folder = RunFolder.open(Path(sys.argv[1]), write=True)
with folder.writer() as writer:
    writer._db.execute("PRAGMA busy_timeout = 0")  # whoever makes it wait ends it
    for step in range(2, int(sys.argv[2]) + 1):
        writer.commit(made.record(step))
        if step == 3:
            print("writing", flush=True)
"""


def of_reader(view: Callable[[Reader], dict[str, Any]]) -> Callable[[Path], dict[str, Any]]:
    def look(path: Path) -> dict[str, Any]:
        with Reader(path) as reader:
            return view(reader)

    return look


def whole_summary(path: Path) -> None:
    data = show.summary(path)
    step = data["step"]
    assert data["tasks"] == data["funnel"]["total"]["admitted"] == 2 * step
    assert data["episodes"] == data["games"]["total"]["kuhn_poker"] == 2 * step
    assert data["funnel"]["total"]["proposed"] == 8 * step
    assert all(pairs[-1][0] == step and len(pairs) == step for pairs in data["curves"].values())
    printed(show.render(data))


def whole_pages(path: Path) -> None:
    for order in ("newest", "fertile", "learnable"):
        page = of_reader(lambda reader: tasks.page(reader, 10**6, 0, order))(path)  # noqa: B023
        assert page["total"] == len(page["tasks"])
    newest = of_reader(lambda reader: tasks.page(reader, 10**6))(path)
    assert newest["total"] == 2 * newest["tasks"][0]["step"]
    refused = of_reader(lambda reader: tasks.refused(reader, "any", 10**6))(path)
    assert refused["total"] == len(refused["proposals"]) == sum(refused["refusals"].values())
    assert refused["total"] == 6 * refused["proposals"][0]["step"]
    assert all(proposal["turn"] for proposal in refused["proposals"])


def whole_games(path: Path) -> None:
    page = of_reader(lambda reader: episodes.page(reader, 10**6))(path)
    assert page["total"] == len(page["episodes"]) == 2 * page["episodes"][0]["step"]
    newest = of_reader(replay.episode)(path)
    assert newest["end"] == "invalid" and newest["plies"][0]["turn"] is not None
    assert sum(move["times"] for move in newest["plies"][0]["said_here"]) == 2


def whole_task(path: Path) -> None:
    found = of_reader(lambda reader: task.one(reader, reader.tasks(1, 0, "fertile")[0]["id"]))(path)
    assert len(found["tries"]) == found["attempts"] == sum(entry["attempts"] for entry in found["history"])
    assert len(found["children"]) == found["kin"]["descendants"] or found["kin"]["descendants"] > 2


def whole_rest(path: Path) -> None:
    found = compare(path, path)
    assert found["funnel"]["proposed"]["a"] == 8 * found["a"]["step"]
    assert found["funnel"]["proposed"]["b"] == 8 * found["b"]["step"]
    (listed,) = runs(path.parent)["runs"]
    assert listed["tasks"] == 2 * listed["step"]
    print_ending(path)


@pytest.fixture
def writing(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    folder = RunFolder.create(tmp_path, "live", f'{{"name": "live", "steps": {STEPS}}}', {"seed": 7})
    with folder.writer() as writer:
        writer.commit(made.record(1))
    folder.release()
    command = [sys.executable, "-c", WRITES, str(folder.path), str(STEPS)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    yield folder.path, process
    process.kill()
    process.communicate()


@pytest.mark.parametrize("look", [whole_summary, whole_pages, whole_games, whole_task, whole_rest])
def test_a_view_of_a_run_that_is_written_sees_whole_steps_and_keeps_nobody_waiting(
    writing: tuple[Path, subprocess.Popen[str]], look: Callable[[Path], None]
) -> None:
    path, process = writing
    looked = 0
    while process.poll() is None:
        look(path)
        looked += 1
    assert process.communicate()[1] == "" and process.returncode == 0, "the writer was kept waiting"
    assert looked > 0, "the writer was done before anybody looked"
    look(path)
    with Reader(path) as reader:
        assert reader.last_step() == STEPS


def test_a_step_is_stored_while_a_view_is_in_the_middle_of_its_snapshot(tmp_path: Path) -> None:
    folder = made.run(tmp_path, steps=2)
    folder.lock.acquire()
    with folder.writer() as writer, Reader(folder.path) as reader, reader.snapshot():
        writer._db.execute("PRAGMA busy_timeout = 0")
        before = reader.count_tasks()
        writer.commit(made.record(3))
        assert writer.last_step() == 3
        assert (reader.last_step(), reader.count_tasks(), reader.count_episodes()) == (2, before, 4)
    folder.release()
    assert show.summary(folder.path)["step"] == 3
