from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from selfplay.errors import UserError
from selfplay.store.folder import RunFolder
from selfplay.store.reader import Reader
from selfplay.store.writer import Writer
from tests.store import made

ROOT = Path(__file__).resolve().parents[2]

WRITES_UNDER_A_LIMIT = """
import resource, sys
from pathlib import Path
from selfplay.errors import UserError
from selfplay.store.writer import Writer
from tests.store import made
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
try:
    with Writer(Path(sys.argv[1])) as writer:
        for step in range(1, 1000):
            writer.commit(made.record(step, proposals=40))
            print(step, flush=True)
except UserError as error:
    print(error)
"""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("only root can mount a small disk")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_file_that_may_not_grow_gives_one_sentence_and_leaves_the_steps_before_it(tmp_path: Path) -> None:
    database = tmp_path / "run.db"
    command = [sys.executable, "-c", WRITES_UNDER_A_LIMIT, str(database)]
    *steps, sentence = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.splitlines()
    assert len(steps) >= 2
    assert sentence.startswith(f"Could not store step {len(steps) + 1}: ")
    assert str(database) in sentence and "selfplay resume" in sentence
    with Reader(tmp_path) as reader:
        assert reader.last_step() == len(steps)
        assert reader.funnel()["proposed"] == 40 * len(steps)
    with Writer(database) as writer:
        writer.commit(made.record(len(steps) + 1))


def test_a_full_disk_gives_one_sentence_and_the_run_goes_on_when_there_is_room(small_disk: Path) -> None:
    with Writer(small_disk / "run.db") as writer:
        with pytest.raises(
            UserError, match=r"^Could not store step \d+: the disk that holds .*run.db is full; .*resume"
        ):
            for step in range(1, 1000):
                writer.commit(made.record(step, proposals=40))
        done = writer.last_step()
        assert done >= 1
        subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
        writer.commit(made.record(done + 1, proposals=40))
    with Reader(small_disk) as reader:
        assert reader.last_step() == done + 1
        assert reader.funnel()["proposed"] == 40 * (done + 1)
    steps = [line.split(",")[0] for line in (small_disk / "metrics.jsonl").read_text().splitlines()]
    assert len(steps) == done + 1, "the twin is made good as soon as there is room"


def test_a_run_that_finds_no_room_to_begin_leaves_no_folder_behind(small_disk: Path) -> None:
    whole = made.run(small_disk, steps=1)
    with suppress(OSError):
        (small_disk / "filler").write_bytes(b"x" * 2**20)
    with pytest.raises(UserError, match="full|free some space"):
        RunFolder.create(small_disk, "made", "{}", {})
    (small_disk / "filler").unlink()
    assert [path.name for path in small_disk.iterdir()] == ["made-001"]
    with whole.reader() as reader:
        assert reader.last_step() == 1
