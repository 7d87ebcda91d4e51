from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch

from selfplay.errors import UserError
from selfplay.training import checkpoint
from selfplay.training.trainer import Trainer
from tests.training import made

pytestmark = pytest.mark.model

ROOT = Path(__file__).resolve().parents[2]
SAVES_UNTIL_KILLED = """
import sys
from pathlib import Path
from selfplay.training import checkpoint
from tests.training import made
trainer = made.trainer(Path(sys.argv[1]), Path(sys.argv[2]))
for step in range(1, 1000):
    checkpoint.save(Path(sys.argv[2]), step, trainer, {"credit": {"step": step}})
    print(step, flush=True)
"""


@pytest.fixture
def trainer(model: Path, tmp_path: Path) -> Trainer:
    return made.trainer(model, tmp_path)


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_checkpoint_gives_back_what_was_saved(trainer: Trainer, model: Path, tmp_path: Path) -> None:
    trainer.step(made.samples())
    parts = {"credit": {"player": {"baselines": {"kuhn_poker/0": 0.1}}}}
    folder = checkpoint.save(tmp_path / "new", 12, trainer, parts)
    assert folder == tmp_path / "new" / "step-00012" and names(folder.parent) == ["step-00012"]
    assert set(names(folder)) == {"policy", "trainer.pt", "parts.json"}
    other = made.trainer(folder / "policy", tmp_path)
    assert checkpoint.load(tmp_path / "new", 12, other) == parts
    assert all(torch.equal(made.weights(trainer)[name], weight) for name, weight in made.weights(other).items())
    assert other.state_dict()["global_step"] == 1


@pytest.mark.parametrize("most", [1_000, 200_000, 600_000], ids=["nothing", "a part of the weights", "no optimizer"])
def test_a_checkpoint_that_cannot_be_written_is_one_sentence_and_leaves_nothing(
    trainer: Trainer, tmp_path: Path, most: int
) -> None:
    trainer.step(made.samples())
    checkpoint.save(tmp_path, 1, trainer, {})
    weights = (tmp_path / "step-00001" / "policy" / "model.safetensors").stat().st_size
    assert 200_000 < weights < 600_000 < (tmp_path / "step-00001" / "trainer.pt").stat().st_size
    sentence = r"^The checkpoint of step 2 could not be written .*selfplay resume"
    with files_of_at_most(most), pytest.raises(UserError, match=sentence) as caught:
        checkpoint.save(tmp_path, 2, trainer, {})
    assert "\n" not in str(caught.value)
    assert names(tmp_path) == ["step-00001"]
    checkpoint.load(tmp_path, 1, trainer)


def test_a_full_disk_is_one_sentence_and_leaves_nothing(trainer: Trainer, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(disk)], capture_output=True).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        with pytest.raises(UserError, match="could not be written"):
            checkpoint.save(disk, 1, trainer, {})
        assert names(disk) == []
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_checkpoint_newer_than_the_last_committed_step_is_dropped(tmp_path: Path) -> None:
    for step in (2, 4, 6):
        (tmp_path / checkpoint.name(step) / "policy").mkdir(parents=True)
    (tmp_path / ".step-00008.new").mkdir()
    assert checkpoint.newest(tmp_path, 5) == 4
    assert [name for name in names(tmp_path) if name.startswith("step")] == ["step-00002", "step-00004"]
    assert checkpoint.newest(tmp_path, 4) == 4
    assert checkpoint.newest(tmp_path, 1) == 0
    assert [name for name in names(tmp_path) if name.startswith("step")] == []
    assert checkpoint.newest(tmp_path / "missing", 3) == 0


def test_older_checkpoints_go_once_a_newer_step_is_committed(tmp_path: Path) -> None:
    for step in (2, 4, 6):
        (tmp_path / checkpoint.name(step) / "policy").mkdir(parents=True)
    (tmp_path / ".step-00001.old" / "policy").mkdir(parents=True)  # a kill left it
    checkpoint.forget_older(tmp_path, 4)
    assert names(tmp_path) == ["step-00004", "step-00006"]


def test_a_kill_at_any_moment_leaves_only_whole_checkpoints(trainer: Trainer, model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "checkpoints"
    command = [sys.executable, "-c", SAVES_UNTIL_KILLED, str(model), str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    reported = [int(process.stdout.readline()) for _ in range(5)]
    while not any(name.startswith(".") for name in names(folder)):
        time.sleep(0)  # until one is being written
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    reported += [int(line) for line in process.stdout.read().split()]
    process.stdout.close()
    whole = [name for name in names(folder) if name.startswith("step-")]
    assert len(whole) in (len(reported), len(reported) + 1)
    for name in whole:
        step = int(name.removeprefix("step-"))
        assert checkpoint.load(folder, step, trainer) == {"credit": {"step": step}}
    last = made.trainer(folder / whole[-1] / "policy", tmp_path)
    assert all(torch.equal(made.weights(trainer)[name], weight) for name, weight in made.weights(last).items())
    checkpoint.save(folder, reported[-1] + 1, trainer, {})
    assert not (folder / f".{checkpoint.name(reported[-1] + 1)}.new").exists()
