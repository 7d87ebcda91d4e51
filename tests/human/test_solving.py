"""A person's answers to a run's own tasks, judged by the families' own verifiers in the real sandbox."""

from __future__ import annotations

import dataclasses
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from selfplay.cli import main
from selfplay.records import Task
from selfplay.store.folder import RunFolder
from tests.store import made

DOUBLE = Task("aa01", "deduction", {"code": "def f(n):\n    return n * 2", "input": "21"}, "42", 1)
SHOUT = Task("bb02", "deduction", {"code": "def f(s):\n    return s + '!'", "input": "'no'"}, "'no!'", 1)
SQUARE = Task("cc03", "abduction", {"code": "def f(n):\n    return n * n", "output": "49", "luck": "0.01"}, "7", 1)
LINES = Task(
    "dd04", "induction",
    {"message": "one more", "shown": "1 -> 2\n2 -> 3\n3 -> 4\n4 -> 5\n5 -> 6",
     "hidden": "6 -> 7\n7 -> 8\n8 -> 9\n9 -> 10\n10 -> 11"},
    "def f(n):\n    return n + 1", 1,
)  # fmt: skip
WILD = Task("ee05", "deduction", {"code": made.HOSTILE, "input": made.HOSTILE}, repr(made.HOSTILE))


def run(root: Path, *tasks: Task) -> Path:
    """A run that made these tasks and solved each in two of four tries."""
    families = {"families": ["deduction", "abduction", "induction"]}
    config = json.dumps({"name": "own", "steps": 1, "curriculum": families})
    folder = RunFolder.create(root, "own", config, {"seed": 1})
    inputs = [dataclasses.replace(task, body={"input": "", **task.body}) for task in tasks]
    tries = tuple(made.attempts(1, inputs, [2 for _ in tasks]))
    with folder.writer() as writer:
        writer.commit(
            dataclasses.replace(
                made.record(1),
                proposals=(),
                tasks=tasks,
                attempts=tries,
                episodes=(),
                samples={},
                learnability={task.id: 0.5 for task in tasks},
            )  # fmt: skip
        )
    folder.release()
    return folder.path


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(lines: str, folder: Path, *more: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        status = main(["play", "tasks", str(folder), "--seed", "1", *more])
        return (status, *capsys.readouterr())

    return call


def verdicts(typed: Any, folder: Path, *answers: str) -> list[str]:
    """The verdict on each answer, the task asked anew for each."""
    found = [json.loads(typed(answer + "\nq\n", folder, "--json")[1]) for answer in answers]
    return [one["tries"][0]["verdict"] for one in found]


def test_answers_are_judged_by_meaning_and_not_by_spelling(typed: Any, tmp_path: Path) -> None:
    folder = run(tmp_path, DOUBLE)
    assert verdicts(typed, folder, "42", " 42.0 ", "41", "forty-two", "") == [
        "correct", "correct", "wrong", "unparsed", "unparsed",
    ]  # fmt: skip


def test_any_input_that_leads_there_is_right(typed: Any, tmp_path: Path) -> None:
    assert verdicts(typed, run(tmp_path, SQUARE), "7", "-7", "8") == ["correct", "correct", "wrong"]


def test_a_program_is_typed_line_by_line_up_to_an_empty_one(typed: Any, tmp_path: Path) -> None:
    right, whole, wrong = "n):\n    return n + 1\n", "def f(n):\n    return 1 + n\n", "n):\n    return n\n"
    assert verdicts(typed, run(tmp_path, LINES), right, whole, wrong) == ["correct", "correct", "wrong"]


def test_the_question_holds_no_truth_and_what_follows_tells_it(typed: Any, tmp_path: Path) -> None:
    status, out, err = typed("41\n", run(tmp_path, DOUBLE))
    assert (status, err) == (0, "")
    asked, told = out.split("Your answer: ", 1)
    assert "def f(n):" in asked and "assert f(21) ==" in asked and "42" not in asked
    assert "wrong; right is:\n  │ 42\n" in told
    assert "The model solved it in 2 of 4 tries." in told
    assert "You solved 0 of 1; of the model's tries at them 50% were right." in told
    assert f"selfplay play tasks {tmp_path / 'own-001'} --seed 1" in told


def test_every_task_comes_once_and_the_same_seed_gives_the_same_order(typed: Any, tmp_path: Path) -> None:
    folder = run(tmp_path, DOUBLE, SHOUT, SQUARE)
    first, again = (json.loads(typed("42\n'no!'\n7\n", folder, "--json")[1]) for _ in range(2))
    assert first == again and sorted(one["task"] for one in first["tries"]) == ["aa01", "bb02", "cc03"]
    only = json.loads(typed("7\n7\n7\n", folder, "--json", "--family", "abduction")[1])
    assert [(one["task"], one["verdict"]) for one in only["tries"]] == [("cc03", "correct")] and only["solved"] == 1


def test_leaving_at_once_is_no_failure(typed: Any, tmp_path: Path) -> None:
    folder = run(tmp_path, DOUBLE)
    for words in ("q\n", ""):
        status, out, _ = typed(words, folder)
        assert status == 0 and "You solved" not in out and "The same tasks again" in out


def test_a_hostile_task_is_shown_as_text(typed: Any, tmp_path: Path) -> None:
    status, out, _ = typed("1\n", run(tmp_path, WILD))
    assert status == 0 and not set(out) & set("\x1b\x07\x9b\x00\r\u202e") and "\\x1b[31mred" in out


def test_a_run_without_measured_tasks_has_nothing_to_solve(typed: Any, tmp_path: Path) -> None:
    status, out, err = typed("", run(tmp_path))
    assert (status, out) == (1, "") and "no active task that the model was measured on" in err
    status, _, err = typed("", run(tmp_path, DOUBLE), "--family", "math")
    assert status == 1 and "of the family 'math'" in err
