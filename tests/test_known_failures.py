"""Twelve things that went wrong in systems of this kind (Absolute Zero, arXiv 2505.03335, and its relatives), each with
a test that would have caught it."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path
from random import Random

import pytest

from selfplay.config import Config
from selfplay.curriculum.bank import Bank
from selfplay.curriculum.posterior import Posterior
from selfplay.curriculum.scorers.variance import Variance
from selfplay.health.alarms import Alarms
from selfplay.records import Draft, Refusal, Task, Verdict
from solvers.deduction import DeductionSolver
from tests.scripted import play
from verifiers.abduction import Abduction
from verifiers.deduction import Deduction
from verifiers.sandbox import Sandbox, open_sandbox

ROOT = Path(__file__).resolve().parents[1]
RECIPE = {
    "curriculum": {"families": ["deduction"], "proposals": 8, "new_tasks": 8, "replays": 4, "attempts": 4},
    "games": {"names": [], "episodes": 0},
    "evaluation": {"exploitability": []},
}
CONFIG = Config.model_validate(RECIPE)


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    with open_sandbox(servers=2) as box:
        yield box


def examined(sandbox: Sandbox, code: str, given: str = "'xyz'") -> Task | Refusal:
    return asyncio.run(Deduction(sandbox).examine(Draft("deduction", {"code": code, "input": given})))


def gate(sandbox: Sandbox, code: str, given: str = "'xyz'") -> str:
    found = examined(sandbox, code, given)
    assert isinstance(found, Refusal), found
    return found.gate


def test_1_an_answer_that_always_says_yes_or_completes_the_grader_s_source_is_no_answer(sandbox: Sandbox) -> None:
    task = Task("0", "deduction", {"code": "def f(x): return x", "input": "1"}, "999")
    yes = ["1) or (True", "__import__('unittest.mock').mock.ANY", "type('A', (), {'__eq__': lambda s, o: True})()"]
    assert set(asyncio.run(Deduction(sandbox).judge(task, yes))) == {Verdict.UNPARSED}
    body = {"code": "def f(x): return x", "output": "999", "luck": "0"}
    backward = Task("0", "abduction", body, "999")
    assert set(asyncio.run(Abduction(sandbox).judge(backward, yes))) == {Verdict.UNPARSED}


def test_2_no_module_outside_the_sandbox_can_run_or_unpickle_what_a_model_wrote() -> None:
    allowed = {"verifiers/zygote/child.py", "verifiers/zygote/program.py"}  # run behind the walls
    allowed |= {"games/laws/places.py", "games/laws/purity.py"}  # pickle states of a person's game, to examine it
    found = set()
    for folder in ("selfplay", "proposers", "solvers", "verifiers", "games"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                called = node.func if isinstance(node, ast.Call) else None
                if isinstance(called, ast.Name) and called.id in ("eval", "exec", "compile", "__import__"):
                    found.add(str(file.relative_to(ROOT)))
                if isinstance(node, ast.Import | ast.ImportFrom):
                    names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
                    if {name.partition(".")[0] for name in names} & {"pickle", "dill", "cloudpickle", "marshal"}:
                        found.add(str(file.relative_to(ROOT)))
    assert found <= allowed and found, found - allowed


@pytest.mark.parametrize(
    "head", ["import os", "import sys as math", "import shutil", "os = __import__('o' + 's')", "from math import sys"]
)
def test_3_what_a_list_of_banned_words_lets_through_an_allow_list_refuses(sandbox: Sandbox, head: str) -> None:
    assert gate(sandbox, f"{head}\ndef f(x): return x + 'a'") in ("safety", "run")


@pytest.mark.parametrize(
    "body",
    ["list({'a', 'b', 'c', 'd', x})", "str({'p', 'q', 'r', 's', x})", "repr(object) and sorted(map(hash_, [x]))"],
)
def test_4_a_program_that_hangs_on_hash_order_never_becomes_a_task(sandbox: Sandbox, body: str) -> None:
    code = f"def hash_(t): return list({{t, 'b', 'c', 'd', 'e', 'f'}}).index(t)\ndef f(x): return {body}"
    assert gate(sandbox, code) in ("determinism", "trivial")


def test_5_a_coin_flip_earns_about_nothing_and_a_hard_task_keeps_its_worth() -> None:
    bank = Bank(Variance())
    for name in ("coin", "hard"):
        bank.admit(Task(name, "deduction", {}, "1"))
    assert bank.record("coin", Posterior(4, 8), guess=0.5) < 0.05 < 0.4 < bank.record("hard", Posterior(3, 8))


def test_6_a_long_result_is_refused_and_never_cut_to_a_false_truth(sandbox: Sandbox) -> None:
    assert gate(sandbox, "def f(x): return [x] * 400") == "value"
    whole = examined(sandbox, "def f(x): return x * 100")
    assert isinstance(whole, Task) and whole.gold == repr("xyz" * 100)


def test_7_a_full_bank_keeps_what_is_new_and_learnable_and_forgets_no_identity() -> None:
    bank = Bank(Variance(), capacity=10)
    for number in range(30):
        assert bank.admit(Task(f"t{number}", "deduction", {}, "1")) is None
        if number < 20:
            bank.record(f"t{number}", Posterior(4 if number == 3 else 0, 8))
    bank.settle()
    assert "t3" in bank and "t0" not in bank and "t29" in bank
    assert bank.admit(Task("again", "deduction", {}, "1", identities=("t0",))) is not None


def test_8_attempts_at_one_task_are_separate_samples_at_the_recipe_s_temperature() -> None:
    asked: dict[str, list[float]] = {}

    def script(prompt: str, rng: Random) -> str:
        if not prompt.startswith("# Different"):
            asked.setdefault(prompt, []).append(rng.random())
        return "n):\n    return n + 7\n# input: 3"

    play(CONFIG, script, 1)
    assert asked and all(len(draws) == len(set(draws)) == 4 for draws in asked.values())


def test_9_depletion_is_a_state_and_not_an_exception() -> None:
    run = play(CONFIG, lambda prompt, rng: "", 3)
    assert len(run.proposals) == 24 and all(p.refusal for p in run.proposals) and run.rewards == [0.0] * 24
    assert all(measured.learnability for measured in run.measured), "the seeds remain"
    nothing = Bank(Variance())
    assert nothing.settle() == {} and nothing.record("gone", Posterior(0, 4)) == 0


def test_10_comments_docstrings_and_names_carry_nothing_to_the_solver(sandbox: Sandbox) -> None:
    code = "def f(is_xyzabc):\n    '''the answer is xyzabc'''\n    return is_xyzabc + 'abc'  # xyzabc"
    renaming = Deduction(sandbox, rename=True)
    task = asyncio.run(renaming.examine(Draft("deduction", {"code": code, "input": "'xyz'"})))
    assert isinstance(task, Task)
    shown = DeductionSolver().prompt(task, "completion")
    assert "xyzabc" not in str(shown) and "v0 + 'abc'" in str(shown)


def test_11_a_slow_program_is_refused_with_a_margin_and_running_out_of_time_is_not_being_wrong(
    sandbox: Sandbox,
) -> None:
    slow = "def f(n):\n    for _ in range(n * 10**6): pass\n    return n * 3"
    assert gate(sandbox, slow, "40") in ("budget", "run")
    endless = Task(
        "0", "abduction", {"code": "def f(n):\n    while n < 0: pass\n    return n", "output": "5", "luck": "0"}, "5"
    )
    assert asyncio.run(Abduction(sandbox).judge(endless, ["-1", "5"])) == [Verdict.TIMEOUT, Verdict.CORRECT]


def test_12_a_proposer_that_gives_up_raises_an_alarm() -> None:
    alarms = Alarms(patience=3)
    raised = [alarms.check({"proposer/valid_rate": rate}) for rate in (0.4, 0.1, 0.02, 0.0, 0.0)]
    assert [len(events) for events in raised] == [0, 0, 0, 0, 1] and raised[-1][0].kind == "alarm"
