"""The real loop, from the command line to the last table, on a model that starts from nothing."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from selfplay.cli import main
from selfplay.store.folder import RunFolder
from selfplay.store.reader import Reader

pytestmark = pytest.mark.model

ROOT = Path(__file__).resolve().parents[1]
STEPS = 6
SMALL = {
    "sampler.engine": "transformers", "deterministic": "true", "steps": str(STEPS), "games.episodes": "16",
    "evaluation.games": "4", "evaluation.every": "2", "training.schedule": "constant",
}  # fmt: skip
CALL = ["run", "scratch", *(word for key, value in SMALL.items() for word in (f"--{key}", value))]
HOLDS = """
import sys
from selfplay.store.folder import RunFolder
folder = RunFolder.open(sys.argv[1], write=True)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module", autouse=True)
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SELFPLAY_RUNS", str(root / "runs"))
        patch.setenv("SELFPLAY_CACHE", str(root / "cache"))
        yield root / "runs"


@pytest.fixture(scope="module")
def finished(runs: Path) -> Path:
    assert main(CALL) == 0
    return runs / "scratch-001"


def weights(run: Path, step: int = STEPS) -> str:
    policy = run / "checkpoints" / f"step-{step:05d}" / "policy"
    return hashlib.sha256((policy / "model.safetensors").read_bytes()).hexdigest()


def told(run: Path) -> dict[str, Any]:
    """Everything that a run's database holds, but for the clock."""
    with Reader(run) as reader:
        columns = "step, kind, owner, idx, role, grp, prompt, ids, logprobs, text, stop, version, reward, advantage"
        played = "step, idx, game, seed, returns, plies, end, offender"
        metrics = reader.metrics()
        clock = [key for key in metrics if key.endswith(("seconds", "overlap", "step_time"))]
        return {
            "steps": [step["step"] for step in reader.steps()],
            "turns": reader._rows(f"SELECT {columns} FROM turns ORDER BY step, kind, owner, idx"),
            "episodes": reader._rows(f"SELECT {played} FROM episodes ORDER BY id"),
            "metrics": {key: pairs for key, pairs in metrics.items() if key not in clock},
            "evaluation": reader.evaluations(),
        }


def sentence(capsys: pytest.CaptureFixture[str], call: list[str]) -> str:
    capsys.readouterr()
    assert main(call) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith(f"selfplay {call[0]}: ")
    return err


def test_a_run_ends_with_both_evaluations_parity_and_the_seconds_of_every_phase(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(finished), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["state"], shown["step"], shown["steps"], shown["episodes"]) == ("finished", STEPS, STEPS, 16 * STEPS)
    for label in ("before", "after"):
        measures = shown["evaluation"][label]
        assert {"player/legal_rate", "player/score_vs_random", "kuhn_poker/exploitability"} <= set(measures)
        assert not {"proposer/valid_rate", "solver/solve_rate"} & set(measures), "nobody proposes in this recipe"
        assert 0 <= measures["player/legal_rate"] <= 1 and 0 <= measures["player/score_vs_random"] <= 1
    assert shown["evaluation"]["before"]["kuhn_poker/exploitability"] == pytest.approx(0.4, abs=0.15)
    assert shown["evaluation"]["after"] != shown["evaluation"]["before"]
    for stat in ("mean", "max"):
        assert [step for step, _ in shown["parity"][stat]] == list(range(1, STEPS + 1))
        assert all(0 <= value < 1e-3 for _, value in shown["parity"][stat])
    assert {"rollouts", "train", "publish", "parity", "checkpoint"} <= set(shown["seconds"]["total"])
    for key in ("kuhn_poker/exploitability", "kuhn_poker/not_lost_vs_random"):
        curve = shown["curves"][key]
        assert [step for step, _ in curve] == [2, 4, 6]
        assert curve[-1][1] == shown["evaluation"]["after"][key], "the same games as at the end"
    assert [one["label"] for one in shown["evaluations"]] == ["before", "after"]


def test_a_run_s_folder_is_left_free_with_its_last_checkpoint(finished: Path) -> None:
    assert RunFolder.open(finished).used_by() is None
    assert [path.name for path in (finished / "checkpoints").iterdir()] == [f"step-{STEPS:05d}"]
    page = (finished / "report.html").read_text(encoding="utf-8")
    assert f"finished, step {STEPS} of {STEPS}" in page and "still running" not in page


def test_two_deterministic_runs_agree_bit_for_bit(finished: Path, runs: Path) -> None:
    assert main(["run", str(finished), "--name", "again"]) == 0
    assert weights(runs / "again-001") == weights(finished)
    assert told(runs / "again-001") == told(finished)


def test_another_seed_is_another_run(finished: Path, runs: Path) -> None:
    assert main([*CALL, "--seed", "1", "--steps", "1", "--name", "other", "--evaluation.games", "2"]) == 0
    one, other = told(finished), told(runs / "other-001")
    assert [turn[7] for turn in one["turns"] if turn[0] == 1] != [turn[7] for turn in other["turns"]]


def committed(database: Path) -> int:
    with suppress(sqlite3.OperationalError):
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        try:
            return connection.execute("SELECT coalesce(max(step), 0) FROM steps").fetchone()[0]
        finally:
            connection.close()
    return 0


def test_a_run_that_is_killed_in_the_middle_of_a_step_resumes_to_the_end_it_would_have_reached(
    finished: Path, runs: Path
) -> None:
    run = runs / "killed-001"
    command = [sys.executable, "-m", "selfplay.cli", *CALL, "--name", "killed"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ)
    while (done := committed(run / "run.db")) < 2:
        assert process.poll() is None
        time.sleep(0.005)
    with Reader(run) as reader:
        pace = min(sum(step["seconds"].values()) for step in reader.steps())
    time.sleep(Random(5).uniform(0, pace))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert 2 <= done <= committed(run / "run.db") < STEPS
    before = told(run)
    assert main(["resume", str(run)]) == 0
    after, whole = told(run), told(finished)
    assert after["steps"] == list(range(1, STEPS + 1))
    assert [turn for turn in after["turns"] if turn[0] in before["steps"]] == before["turns"]
    assert after == whole
    assert weights(run) == weights(finished)
    with Reader(run) as reader:
        (event,) = [event for event in reader.events() if event["kind"] == "resume"]
    assert event["step"] == before["steps"][-1]


@pytest.mark.parametrize("lost", [[], ["step-00002", "step-00003"]], ids=["half a step", "every checkpoint"])
def test_a_step_that_was_not_committed_is_dropped_and_what_has_no_checkpoint_is_done_again(
    finished: Path, runs: Path, lost: list[str]
) -> None:
    """As a kill leaves a run between the checkpoint and the commit of step 3: the checkpoint is half of a step."""
    name = f"sparse{len(lost)}"
    assert main([*CALL, "--name", name, "--training.checkpoint_every", "2", "--steps", "2"]) == 0
    run = runs / f"{name}-001"
    config = json.loads((run / "config.json").read_text())
    (run / "config.json").write_text(json.dumps(config | {"steps": 3}))
    shutil.copytree(run / "checkpoints" / "step-00002", run / "checkpoints" / "step-00003")
    for checkpoint in lost:
        shutil.rmtree(run / "checkpoints" / checkpoint)
    assert main(["resume", str(run)]) == 0
    assert told(run)["steps"] == [1, 2, 3]
    assert told(run)["turns"] == [turn for turn in told(finished)["turns"] if turn[0] <= 3]
    with Reader(run) as reader:
        assert [event["step"] for event in reader.events() if event["kind"] == "resume"] == [0 if lost else 2]


def test_a_run_in_use_is_not_resumed(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-c", HOLDS, str(finished)]
    holder = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    before = told(finished)
    said = sentence(capsys, ["resume", str(finished)])
    assert f"is in use by process {holder.pid}" in said
    holder.communicate()
    assert told(finished) == before


def test_a_finished_run_is_not_resumed_and_stays_free(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = told(finished)
    assert f"is finished ({STEPS} steps)" in sentence(capsys, ["resume", str(finished)])
    assert told(finished) == before
    assert RunFolder.open(finished).used_by() is None
