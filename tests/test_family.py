"""A family of tasks that a stranger wrote in one file: it runs, resumes and is read like any other, and is registered
nowhere."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from selfplay.cli import main
from selfplay.store.reader import Reader
from tests.test_run import ROOT, committed, told, weights

pytestmark = pytest.mark.model

README = (ROOT / "proposers" / "README.md").read_text()
FAMILY = README.partition("```python file=letters.py\n")[2].partition("```")[0]
"""The documentation's own example."""
STEPS = 4
KEYS = {
    "sampler.engine": "transformers", "deterministic": "true", "steps": STEPS, "games.names": "[]", "games.episodes": 0,
    "sampler.max_len": 256, "curriculum.proposals": 16, "curriculum.prompts": 2, "curriculum.replays": 3,
    "curriculum.attempts": 4, "curriculum.more_attempts": 4, "curriculum.new_tasks": 6, "curriculum.max_tokens": 8,
    "curriculum.answer_tokens": 2, "curriculum.capacity": 10,
    "curriculum.directives": "{theme = 0.5, variation = 0.4}",
    "evaluation.exploitability": "[]", "evaluation.games": 0, "evaluation.proposals": 8,
}  # fmt: skip


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    root = tmp_path_factory.mktemp("family")
    file = root / "letters.py"
    file.write_text(FAMILY)
    keys = KEYS | {"curriculum.families": json.dumps([str(file)])}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SELFPLAY_RUNS", str(root / "runs"))
        patch.setenv("SELFPLAY_CACHE", str(root / "cache"))
        yield ["run", "scratch", *(word for key, value in keys.items() for word in (f"--{key}", str(value)))]


@pytest.fixture(scope="module")
def finished(call: list[str]) -> Path:
    assert main(call) == 0
    return Path(os.environ["SELFPLAY_RUNS"]) / "scratch-001"


def test_every_proposal_is_a_task_or_has_one_reason_and_the_tasks_are_listed(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["tasks", str(finished), "--json", "--limit", "500"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert {task["family"] for task in listed["tasks"]} == {"first_letter"}
    with Reader(finished) as reader:
        proposals = reader.proposals(limit=500)
        assert len(proposals) == 16 * STEPS and all((p["task"] is None) != (p["gate"] is None) for p in proposals)
        admitted = [p for p in proposals if p["task"]]
        assert len(admitted) + 2 == listed["total"] == reader.admitted()
        for step in range(1, STEPS + 1):
            funnel = reader.funnel(step)
            assert funnel["proposed"] == 16 == funnel["admitted"] + sum(funnel["refusals"].values())
        evicted = [task for task in listed["tasks"] if task["evicted"]]
        assert evicted and {task["reason"]["gate"] for task in evicted} == {"capacity"}
        assert {p["directive"]["kind"] for p in proposals if p["directive"]} == {"theme", "variation"}
        measured = [reader.task(task["id"]) for task in listed["tasks"] if task["attempts"]]
        for task in measured:
            blind = 1 / len(set(task["body"]["word"]))
            assert all(visit["guess"] >= blind for visit in task["history"])
        assert len(measured) > 10
    assert main(["task", admitted[0]["task"][:10], str(finished)]) == 0
    assert "first_letter" in capsys.readouterr().out


def test_a_run_that_was_killed_draws_on_as_one_that_was_not(finished: Path, call: list[str]) -> None:
    run = finished.with_name("killed-001")
    command = [sys.executable, "-m", "selfplay.cli", *call, "--name", "killed"]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 120
        while committed(run / "run.db") < 2 and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
    finally:
        child.kill()
        child.wait()
    assert 2 <= committed(run / "run.db") <= STEPS
    assert main(["resume", str(run)]) == 0
    assert weights(run, STEPS) == weights(finished, STEPS)
    assert told(run) == told(finished)
