from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from selfplay.errors import UserError
from selfplay.store.folder import RunFolder, describe_run, listing, newest
from tests.store import made

ROOT = Path(__file__).resolve().parents[2]

HOLDS_THE_FOLDER = """
import os, sys, time
from selfplay.store.folder import RunFolder
folder = RunFolder.open(sys.argv[1], write=True)
child = os.fork()
if child == 0:
    time.sleep(60)
    os._exit(0)
print(child, flush=True)
time.sleep(60)
"""


def test_runs_of_one_name_are_numbered_and_a_name_as_told_is_kept(tmp_path: Path) -> None:
    names = [RunFolder.create(tmp_path, name, "{}", {}).path.name for name in ("a", "a", "a-b", "a")]
    assert names == ["a-001", "a-002", "a-b-001", "a-003"]
    assert RunFolder.create(tmp_path, "mine", "{}", {}, exact=True).path == tmp_path / "mine"


def test_numbers_are_never_given_twice_even_after_a_run_was_removed_from_the_middle(tmp_path: Path) -> None:
    (tmp_path / "a-001").mkdir()
    (tmp_path / "a-1207").mkdir()
    assert RunFolder.create(tmp_path, "a", "{}", {}).path.name == "a-1208"


def test_a_new_folder_explains_itself(tmp_path: Path) -> None:
    meta = describe_run(["selfplay", "run", "x"], seed=3, recipe="x")
    folder = RunFolder.create(tmp_path, "x", '{"name": "x", "steps": 4}', meta)
    assert folder.config() == {"name": "x", "steps": 4}
    assert folder.meta() == json.loads(json.dumps(meta, default=str))
    assert folder.meta()["machine"]["cores"] >= 1 and folder.meta()["seed"] == 3
    assert folder.checkpoints.is_dir()
    with folder.reader() as reader:
        assert reader.meta()["seed"] == 3
        assert reader.last_step() == 0
    assert not list(folder.path.glob("*.new"))


def test_a_folder_with_something_in_it_is_not_taken_and_not_touched(tmp_path: Path) -> None:
    folder = made.run(tmp_path)
    before = folder.database.read_bytes()
    with pytest.raises(UserError, match=r"made-001 exists already; choose another name"):
        RunFolder.create(tmp_path, "made-001", "{}", {}, exact=True)
    assert folder.database.read_bytes() == before


def test_a_second_process_is_told_who_uses_the_folder_and_gets_it_after_a_kill(tmp_path: Path) -> None:
    folder = made.run(tmp_path)
    command = [sys.executable, "-c", HOLDS_THE_FOLDER, str(folder.path)]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert holder.stdout is not None
    orphan = int(holder.stdout.readline())
    try:
        with pytest.raises(UserError, match=rf"made-001 is in use by process {holder.pid};"):
            RunFolder.open(folder.path, write=True)
        assert folder.used_by() == holder.pid
        with folder.reader() as reader:
            assert reader.last_step() == 3
        holder.kill()
        holder.wait()
        os.kill(orphan, 0)  # a forked child of the killed run still lives, and does not keep the folder
        assert folder.used_by() is None
        mine = RunFolder.open(folder.path, write=True)
        assert mine.used_by() == os.getpid()
        mine.release()
        assert folder.used_by() is None
    finally:
        os.kill(orphan, signal.SIGKILL)
        holder.kill()
        holder.stdout.close()


def test_one_process_cannot_hold_a_folder_twice(tmp_path: Path) -> None:
    first = RunFolder.create(tmp_path, "a", "{}", {})
    with pytest.raises(UserError, match=rf"in use by process {os.getpid()}"):
        RunFolder.open(first.path, write=True)
    first.release()
    RunFolder.open(first.path, write=True).release()


def test_nobody_writes_without_the_lock(tmp_path: Path) -> None:
    folder = made.run(tmp_path)
    with pytest.raises(RuntimeError, match="without its lock"):
        RunFolder.open(folder.path).writer()


def test_runs_are_listed_newest_first_and_strange_folders_are_not_runs(tmp_path: Path) -> None:
    for name, started in (("a", 10.0), ("b", 30.0), ("c", 20.0)):
        RunFolder.create(tmp_path, name, "{}", {"started": started}).release()
    (tmp_path / "recipes").mkdir()
    assert [path.name for path in listing(tmp_path)] == ["b-001", "c-001", "a-001"]
    assert newest(tmp_path).name == "b-001"


def test_where_there_are_no_runs_the_sentence_says_how_to_start_one(tmp_path: Path) -> None:
    for root in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(UserError, match="There are no runs under .* start one with"):
            newest(root)


@pytest.mark.parametrize("what", ["nothing", "empty", "junk", "truncated"])
def test_a_corrupt_or_foreign_folder_gives_one_sentence(tmp_path: Path, what: str) -> None:
    folder = made.run(tmp_path)
    path = tmp_path / "foreign"
    if what != "nothing":
        path.mkdir()
    if what == "junk":
        (path / "run.db").write_bytes(b"junk" * 5000)
    if what == "truncated":
        (path / "run.db").write_bytes(folder.database.read_bytes()[:3000])
    sentence = r"^\S*foreign\S* is not a (run|readable run database)[^\n]*$"
    with pytest.raises(UserError, match=sentence), RunFolder.open(path).reader() as reader:
        reader.funnel()


def test_damage_inside_the_database_is_one_sentence_wherever_it_is_met(tmp_path: Path) -> None:
    folder = made.run(tmp_path, steps=20)
    content = bytearray(folder.database.read_bytes())
    content[4096:-4096] = b"\xa5" * (len(content) - 8192)
    folder.database.write_bytes(content)
    with folder.reader() as reader:
        looks = (reader.funnel, reader.tasks, reader.metrics, reader.evaluations, lambda: list(reader.active_tasks()))
        for look in looks:
            with pytest.raises(UserError, match=r"run\.db is not a readable run database \([^\n]*\); it is damaged"):
                look()
