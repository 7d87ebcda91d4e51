from __future__ import annotations

import asyncio

import pytest

from selfplay.records import Draft, Refusal, Task, Verdict
from verifiers import Verifier
from verifiers.abduction import Abduction
from verifiers.sandbox import Sandbox


def examined(sandbox: Sandbox, code: str, given: str) -> Task | Refusal:
    family: Verifier = Abduction(sandbox)
    return asyncio.run(family.examine(Draft("abduction", {"code": code, "input": given})))


def judged(sandbox: Sandbox, task: Task, *answers: str | None) -> list[Verdict]:
    return asyncio.run(Abduction(sandbox).judge(task, answers))


def test_a_task_shows_the_program_and_its_result_and_keeps_the_input_as_one_witness(sandbox: Sandbox) -> None:
    task = examined(sandbox, "def f(n):\n    return n * n  # squared", "7")
    assert isinstance(task, Task)
    assert task.body == {"code": "def f(n):\n    return n * n", "output": "49", "luck": "0.00"} and task.gold == "7"
    assert task.themes == ("numbers",)


def test_any_preimage_counts_and_nothing_else_does(sandbox: Sandbox) -> None:
    task = examined(sandbox, "def f(n):\n    return n * n", "7")
    assert isinstance(task, Task)
    right, wrong, unparsed = Verdict.CORRECT, Verdict.WRONG, Verdict.UNPARSED
    answers = ["7", "-7", "7.0", "8", "'7'", "7, 7", "49", "1) or (49", "lambda: 7", None, "__import__('os')"]
    assert judged(sandbox, task, *answers) == [right] * 3 + [wrong] * 4 + [unparsed] * 4


def test_an_answer_that_never_ends_costs_itself_alone(sandbox: Sandbox) -> None:
    task = examined(sandbox, "def f(n):\n    while n < 0:\n        n -= 1\n    return n + 1", "3")
    assert isinstance(task, Task)
    assert judged(sandbox, task, "3", "-1", "4", "3") == [
        Verdict.CORRECT, Verdict.TIMEOUT, Verdict.WRONG, Verdict.CORRECT,
    ]  # fmt: skip


@pytest.mark.parametrize("code", ["def f(n):\n    return n > -10000", "def f(n):\n    return n % 2 == 1"])
def test_a_result_that_half_of_all_inputs_give_is_refused(sandbox: Sandbox, code: str) -> None:
    refusal = examined(sandbox, code, "7")
    assert isinstance(refusal, Refusal) and refusal.gate == "trivial", refusal


def test_the_rate_of_luck_is_that_of_inputs_like_the_proposer_s(sandbox: Sandbox) -> None:
    task = examined(sandbox, "def f(n):\n    return n % 5", "7")
    assert isinstance(task, Task) and 0 < Abduction(sandbox).guess(task) < 0.5


def test_checking_again_runs_the_witness(sandbox: Sandbox) -> None:
    family = Abduction(sandbox)
    body = {"code": "def f(n):\n    return n * n", "output": "49", "luck": "0"}
    assert asyncio.run(family.recheck(Task("0", "abduction", body, "7"))) is None
    refusal = asyncio.run(family.recheck(Task("0", "abduction", body, "8")))
    assert refusal is not None and refusal.gate == "determinism"
