from __future__ import annotations

import asyncio

import pytest

from selfplay.records import Draft, Refusal, Task, Verdict
from verifiers import Verifier
from verifiers.induction import Induction, _pairs
from verifiers.sandbox import Sandbox

CODE = "def f(n):\n    return n * 2 + 1"
INPUTS = "\n".join(["3", "0", "10", "-4", "7", "1", "25", "100", "-9", "12"])


def examined(sandbox: Sandbox, code: str = CODE, inputs: str = INPUTS, message: str = "a line") -> Task | Refusal:
    family: Verifier = Induction(sandbox)
    draft = Draft("induction", {"code": code, "inputs": inputs, "message": message})
    return asyncio.run(family.examine(draft))


def judged(sandbox: Sandbox, task: Task, *answers: str | None) -> list[Verdict]:
    return asyncio.run(Induction(sandbox).judge(task, answers))


def test_half_of_the_pairs_are_shown_and_the_other_half_hidden(sandbox: Sandbox) -> None:
    task = examined(sandbox)
    assert isinstance(task, Task) and task.gold == CODE and task.body["message"] == "a line"
    shown, hidden = (task.body[name].split("\n") for name in ("shown", "hidden"))
    assert len(shown) == len(hidden) == 5
    assert sorted(shown + hidden) == sorted(f"{n} -> {2 * int(n) + 1}" for n in INPUTS.split())
    assert shown + hidden != [f"{n} -> {2 * int(n) + 1}" for n in INPUTS.split()], "the proposer does not choose which"


def test_a_program_is_right_when_it_matches_every_hidden_pair_whatever_it_does_with_the_shown(sandbox: Sandbox) -> None:
    task = examined(sandbox)
    assert isinstance(task, Task)
    table = "{" + ", ".join(line.replace(" -> ", ": ") for line in task.body["shown"].split("\n")) + "}"
    answers = [
        "def f(x):\n    return x + x + 1", "f = lambda x: 2 * x + 1", "def f(x):\n    return 2 * x",
        f"def f(x):\n    return {table}[x]", "def f(x", None, "def f(x):\n    while True: pass",
        "class Any:\n    def __eq__(self, other): return True\ndef f(x): return Any()",
        "import os\ndef f(x): return 2 * x + 1",
    ]  # fmt: skip
    right, wrong, unparsed = Verdict.CORRECT, Verdict.WRONG, Verdict.UNPARSED
    expected = [right, right, wrong, wrong, unparsed, unparsed, Verdict.TIMEOUT, wrong, wrong]
    assert judged(sandbox, task, *answers) == expected


def test_texts_that_hold_the_arrow_are_read_back_as_they_were(sandbox: Sandbox) -> None:
    inputs = "\n".join(f"'{'a -> ' * i}b'" for i in range(10))
    task = examined(sandbox, "def f(text):\n    return text + ' -> c'", inputs)
    assert isinstance(task, Task)
    assert judged(sandbox, task, "def f(t): return t + ' -> c'") == [Verdict.CORRECT]
    assert all(decoded[0][0].endswith("b") for decoded in _pairs(task.body["hidden"]))


@pytest.mark.parametrize(
    ("gate", "change"),
    [
        ("parse", {"inputs": "1\n2\n3"}),
        ("parse", {"inputs": "\n".join(["1"] * 20)}),
        ("parse", {"inputs": INPUTS.replace("3", "open('x')")}),
        ("parse", {"code": "def g(n): return n"}),
        ("safety", {"code": "import os\ndef f(n): return n"}),
        ("run", {"code": "def f(n): return 10 // (n - 7)"}),
        ("value", {"code": "def f(n): return lambda: n"}),
        ("determinism", {"code": "def g(t): return list({t, 'b', 'c', 'd'}).index(t)\ndef f(n): return n + g('a')"}),
        ("trivial", {"code": "def f(n): return n > 5"}),
        ("trivial", {"message": "it is n*2 + 1"}),
        ("trivial", {"message": "lambda n: twice and one"}),
        ("size", {"message": "x" * 300}),
        ("size", {"message": "a\x00b"}),
    ],
)  # fmt: skip
def test_each_gate_refuses_what_it_is_for(sandbox: Sandbox, gate: str, change: dict[str, str]) -> None:
    refusal = examined(sandbox, **change)
    assert isinstance(refusal, Refusal) and refusal.gate == gate, refusal


def test_the_same_program_and_inputs_are_one_task_whatever_the_message_and_the_order(sandbox: Sandbox) -> None:
    one = examined(sandbox)
    other = examined(
        sandbox, "def f(x):\n    return x * 2 + 1", "\n".join(reversed(INPUTS.split("\n"))), "something else"
    )
    new = examined(sandbox, inputs=INPUTS.replace("100", "99"))
    assert isinstance(one, Task) and isinstance(other, Task) and isinstance(new, Task)
    assert one.identities == other.identities != new.identities


def test_checking_again_runs_the_program_on_all_pairs(sandbox: Sandbox) -> None:
    task = examined(sandbox)
    assert isinstance(task, Task) and asyncio.run(Induction(sandbox).recheck(task)) is None
    stale = Task("0", "induction", dict(task.body) | {"hidden": "3 -> 8"}, task.gold)
    refusal = asyncio.run(Induction(sandbox).recheck(stale))
    assert refusal is not None and refusal.gate == "determinism"
