from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from selfplay.store.reader import Reader
from selfplay.store.writer import Writer
from tests.store import made

ROOT = Path(__file__).resolve().parents[2]

COMMITS_UNTIL_KILLED = """
import sys
from pathlib import Path
from selfplay.store.writer import Writer
from tests.store import made
with Writer(Path(sys.argv[1])) as writer:
    for step in range(writer.last_step() + 1, 10_000):
        writer.commit(made.record(step, proposals=40))
        print(step, flush=True)
"""

STOPS_INSIDE_A_COMMIT = """
import dataclasses, sys, time
from pathlib import Path
from selfplay.store.writer import Writer
from tests.store import made

class Slow(dict):
    def items(self):
        print("inside", flush=True)
        time.sleep(600)

with Writer(Path(sys.argv[1])) as writer:
    writer.commit(made.record(1, proposals=40))
    writer._db.execute("PRAGMA cache_size = 1")
    writer.commit(dataclasses.replace(made.record(2, proposals=2000), metrics=Slow()))
"""


def start(code: str, database: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code, str(database)], stdout=subprocess.PIPE, text=True, cwd=ROOT)


def kill(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def check_that_steps_are_whole(folder: Path) -> int:
    """Every step has all of its rows, and nothing belongs to a step that is not there."""
    with Reader(folder) as reader:
        last = reader.last_step()
        assert [step["step"] for step in reader.steps()] == list(range(1, last + 1))
        for table in ("proposals", "attempts", "episodes", "turns", "metrics", "measures", "prompts"):
            assert reader._rows(f"SELECT count(*) FROM {table} WHERE step > ?", last) == [(0,)]
        for step in reader.steps():
            n = step["step"]
            assert len(reader.proposals(10_000, step=n)) == step["funnel"]["proposed"] == 40
            assert reader._rows("SELECT count(*) FROM turns WHERE step = ?", n) == [(step["turns"],)]
            assert reader._rows("SELECT count(*) FROM tasks WHERE committed = ?", n) == [(step["tasks"],)]
            assert len(reader.step(n)["metrics"]) == len(made.record(n).metrics)
    return last


def test_a_kill_inside_a_commit_leaves_nothing_of_that_step(tmp_path: Path) -> None:
    process = start(STOPS_INSIDE_A_COMMIT, tmp_path / "run.db")
    assert process.stdout is not None
    assert process.stdout.readline() == "inside\n"
    assert (tmp_path / "run.db-wal").stat().st_size > 1_000_000, "the half-written step has reached the disk"
    kill(process)
    assert check_that_steps_are_whole(tmp_path) == 1
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(made.record(2, proposals=40))
    assert check_that_steps_are_whole(tmp_path) == 2


def test_kills_at_any_moment_lose_no_step_that_was_reported_and_keep_no_half_one(tmp_path: Path) -> None:
    rng, reported = random.Random(5), 0
    for _ in range(5):
        process = start(COMMITS_UNTIL_KILLED, tmp_path / "run.db")
        assert process.stdout is not None
        for _ in range(3):
            reported = int(process.stdout.readline())
        time.sleep(rng.random() * 0.05)
        kill(process)
        assert check_that_steps_are_whole(tmp_path) >= reported


def test_a_reader_beside_a_busy_writer_sees_whole_steps_and_they_only_grow(tmp_path: Path) -> None:
    process = start(COMMITS_UNTIL_KILLED, tmp_path / "run.db")
    try:
        assert process.stdout is not None
        process.stdout.readline()
        seen = [0]
        while seen[-1] < 20:
            with Reader(tmp_path) as reader, reader.snapshot():
                last = reader.last_step()
                assert len(reader.steps()) == last
                assert reader.funnel()["proposed"] == 40 * last
                assert reader._rows("SELECT count(*) FROM proposals") == [(40 * last,)]
                seen.append(last)
        assert seen == sorted(seen)
    finally:
        kill(process)


def test_a_reader_in_the_middle_of_a_look_does_not_hold_up_the_writer(tmp_path: Path) -> None:
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(made.record(1))
        with Reader(tmp_path) as reader, reader.snapshot():
            assert reader.last_step() == 1
            writer._db.execute("PRAGMA busy_timeout = 0")
            writer.commit(made.record(2))
            assert reader.last_step() == 1, "a look stays the same while it lasts"
        with Reader(tmp_path) as reader:
            assert reader.last_step() == 2
