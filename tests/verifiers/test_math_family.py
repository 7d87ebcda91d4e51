# ruff: noqa: E501
"""The family `math` end to end: drafts through the gates, answers judged, prompts asked and read."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Self

import pytest

pytest.importorskip("sympy")

from proposers import Proposer
from proposers.math import MathProposer
from selfplay.records import Brief, Directive, Draft, Refusal, Task, Verdict
from solvers import Solver
from solvers.math import MathSolver
from verifiers import Verifier
from verifiers.identity import task_id
from verifiers.math import Math
from verifiers.sandbox import Job, Limits, Outcome, Sandbox, Status, open_sandbox
from verifiers.symbolic.forms import FORMS

RIGHT, WRONG, UNPARSED, TIMEOUT = Verdict.CORRECT, Verdict.WRONG, Verdict.UNPARSED, Verdict.TIMEOUT
PROPOSER: Proposer = MathProposer()
SOLVER: Solver = MathSolver()


@pytest.fixture(scope="module")
def box() -> Iterator[Sandbox]:
    with open_sandbox(servers=2, witnesses=0, preload=Math.modules) as opened:
        yield opened


@pytest.fixture(scope="module")
def family(box: Sandbox) -> Math:
    return Math(box, limits=Limits(cpu_s=1.0, wall_s=20.0, memory_mb=512))


def examine(family: Math, text: str) -> Task | Refusal:
    return asyncio.run(family.examine(Draft("math", {"problem": text})))


def task(family: Math, text: str) -> Task:
    found = examine(family, text)
    assert isinstance(found, Task), found
    return found


def test_a_draft_becomes_a_task_in_canonical_text(family: Math) -> None:
    verifier: Verifier = family
    found = task(family, "Solve  t:   t**2 -5*t = -6 .")
    assert found.family == verifier.name == "math" and found.themes == ("solve",)
    assert found.body == {"problem": "solve t: t^2 - 5t = -6"} and found.gold == "{2, 3}"
    assert found.id == task_id("math", found.body, found.gold)
    again = task(family, "solve x: x^2 - 5x + 6 = 0")
    assert again.id != found.id and again.identities == found.identities
    assert [name.split(":")[0] for name in found.identities] == ["math form", "math behaviour"]


def test_every_seed_passes_and_every_kind_is_a_theme(family: Math) -> None:
    seeds = [task(Math(family.sandbox), draft.body["problem"]) for draft in PROPOSER.seeds()]
    assert tuple(dict.fromkeys(seed.themes[0] for seed in seeds)) == Math.themes == tuple(FORMS)
    names = [name for seed in seeds for name in seed.identities]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("gate", "text"),
    [
        ("parse", "integrate the function"),
        ("parse", "solve x: foo(x) = 1"),
        ("parse", "__import__('os').system('id'): 1"),
        ("parse", "derive x: " + "(" * 90 + "x" + ")" * 90),
        ("parse", "compute: \ud800 + 1"),
        ("size", "compute: " + "1" * 500),
        ("size", "compute: 9^9^9^9"),
        ("size", "sum k from 1 to 10^12: k"),
        ("size", "mod 7: 3^10^10^10"),
        ("value", "compute: 170!"),
        ("value", "sum k from 1 to 1000: 2^2^k"),
        ("value", "count n from 1 to 1000: 9^9^n mod 7 = 1"),
        ("value", "derive x: x^x^x^x^x^x^x^x^x"),
        ("trivial", "solve x: x = 4"),
        ("consistent", "solve x: ln(x) + ln(x - 3) = ln(10)"),
        ("budget", "derive x at 3: x^10^10"),
        ("budget", "solve x: (((((x^9 + 1)^9 + 1)^9 + 1)^9 + 1)^9 + 1)^9 = 3"),
        ("budget", "limit x to 0: x^x^x^x^x"),
    ],
)
def test_each_gate_refuses_what_it_is_for(family: Math, gate: str, text: str) -> None:
    refusal = examine(family, text)
    assert isinstance(refusal, Refusal) and refusal.gate == gate, refusal
    assert refusal.detail[0].isupper() and refusal.detail.endswith(".")


class Clock:
    """The sandbox with another clock: every run takes `seconds`, and is over its budget where that is."""

    def __init__(self, box: Sandbox, seconds: float) -> None:
        self.box, self.seconds = box, seconds
        self.level, self.servers, self.capabilities = box.level, box.servers, box.capabilities

    async def run(self, job: Job, server: int | None = None) -> tuple[Outcome, ...]:
        if self.seconds > job.limits.cpu_s:
            return tuple(Outcome(Status.CPU, cpu_s=self.seconds, detail="over its budget") for _ in job.inputs)
        return tuple(replace(outcome, cpu_s=self.seconds) for outcome in await self.box.run(job, server))

    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None: ...


@pytest.mark.parametrize(("seconds", "gate"), [(0.9, None), (1.1, "budget"), (1.9, "budget"), (2.1, "budget")])
def test_a_problem_that_needs_over_half_of_the_budget_is_refused(
    box: Sandbox, seconds: float, gate: str | None
) -> None:
    found = examine(Math(Clock(box, seconds), limits=Limits(cpu_s=2.0, memory_mb=512)), "solve x: 2x = 6")
    assert (found.gate if isinstance(found, Refusal) else None) == gate


@pytest.mark.parametrize(("seconds", "gate"), [(1.9, None), (3.9, None), (4.1, "budget")])
def test_a_recheck_has_twice_the_budget_and_no_margin(box: Sandbox, seconds: float, gate: str | None) -> None:
    slow = Math(Clock(box, seconds), limits=Limits(cpu_s=2.0, memory_mb=512))
    refusal = asyncio.run(slow.recheck(Task("t", "math", {"problem": "solve x: 2x = 6"}, "3")))
    assert (refusal.gate if refusal else None) == gate


def test_a_sandbox_without_the_modules_gives_no_verdict(sandbox: Sandbox) -> None:
    family = Math(sandbox)
    refusal = examine(family, "solve x: 2x = 6")
    assert isinstance(refusal, Refusal) and refusal.gate == "sandbox"
    lost = Task("t", "math", {"problem": "derive x: x^2"}, "2x")
    assert asyncio.run(family.judge(lost, ["x + x"])) == [Verdict.CRASHED]
    assert asyncio.run(family.recheck(lost)) is None


WRITTEN = ["385", "385.", " 385 ", "385.0", "k = 385", "770/2", "\\frac{770}{2}", "$385$", "-(-385)"]
UNFINISHED = ["10*11*21/6", "384 + 1", "5*77", "sqrt(148225)", "gcd(385, 770)", "x", "385 + 0*x"]


def test_where_the_question_is_a_formula_the_answer_is_a_number_written_out(family: Math) -> None:
    total = task(family, "sum k from 1 to 10: k^2")
    assert asyncio.run(family.judge(total, WRITTEN)) == [RIGHT] * len(WRITTEN)
    assert asyncio.run(family.judge(total, UNFINISHED)) == [UNPARSED] * len(UNFINISHED)
    assert asyncio.run(family.judge(total, ["386", "-385", "0.385", "1/385"])) == [WRONG] * 4
    echoes = {
        "compute: 12*7 - 5/3": "12*7 - 5/3",
        "gcd: 84, 36": "gcd(84, 36)",
        "mod 7: 3^100": "3^100 - 7floor(3^100/7)",
    }
    for text, echo in echoes.items():
        found = task(family, text)
        assert asyncio.run(family.judge(found, [echo, found.gold])) == [UNPARSED, RIGHT]


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("derive x at pi/6: -cos(x)", ["1/2", "0.5", "sin(pi/6)", "\\frac{1}{2}", "f'(x) = 1/2", "4^{-1/2}"], ["-1/2", "x", "0.51"]),
        ("derive x: x^3 - 2x", ["3x^2 - 2", "3*x*x-2", "f'(x) = 3x^2 - 2", "y = x^2 + 2(x^2 - 1)"], ["3x^2", "25", "-3x^2 + 2"]),
        ("integrate x from 0 to 1: 1/(1 + x^2)", ["pi/4", "\\frac{\\pi}{4}", "arctan(1)", "\\pi/4"], ["0.785398163397", "pi"]),
        ("solve x: 2x = 6", ["3", "{3}", "x = 3", "x = 6/2", "\\{3\\}", "x \\in \\{3\\}"], ["{3, 4}", "3, 3", "-3"]),
        (
            "solve x: x^2 - 5x + 6 = 0",
            [
                "{2, 3}", "{3, 2}", "2, 3", "3 and 2", "x = 2 or x = 3", "x = 2, 3", "x=2; x=3", "x_1 = 2, x_2 = 3", "x ∈ {2, 3}",
                "$\\{2, 3\\}$", "x = 2 \\text{ or } x = 3", "5/2 ± 1/2", "x = \\frac{5 \\pm 1}{2}", "{sqrt(4), 6/2}.",
            ],
            ["2", "{2, 3, 4}", "{2, 2, 3}", "{2}", "2, 4"],
        ),
        ("solve x: x^2 = 1000000", ["±1000", "{-1000, 1000}", "x = -1000 or x = 1000"], ["1,000", "1000", "1000000"]),
        (
            "system x, y: x + y = 5; x - y = 1",
            ["(3, 2)", "3, 2", "x = 3, y = 2", "y = 2 and x = 3", "x = 3; y = 2", "(6/2, 4/2)", "(x = 3, y = 2)", "\\left(3, 2\\right)"],
            ["(2, 3)", "x = 2, y = 3"],
        ),
    ],
)  # fmt: skip
def test_answers_score_by_what_they_mean(family: Math, text: str, right: list[str], wrong: list[str]) -> None:
    found = task(family, text)
    assert dict(zip(right, asyncio.run(family.judge(found, right)), strict=True)) == dict.fromkeys(right, RIGHT)
    assert dict(zip(wrong, asyncio.run(family.judge(found, wrong)), strict=True)) == dict.fromkeys(wrong, WRONG)


@pytest.mark.parametrize("text", ["solve x: x^2 - 5x + 6 = 0", "system x, y: x + y = 5; x - y = 1", "derive x: x^3"])
def test_words_and_code_are_no_answers(family: Math, text: str) -> None:
    answers = [
        None,
        "",
        "no idea",
        "3y^2",
        "1) or (True",
        "{2, 3",
        "2}, {3",
        "[" * 60,
        "1, " * 200,
        "x = 1 or " * 50,
        "(3, 2, 1",
        "\ud800",
    ]
    assert asyncio.run(family.judge(task(family, text), answers)) == [UNPARSED] * len(answers)


def test_an_answer_without_end_costs_its_budget_and_its_neighbours_nothing(box: Sandbox) -> None:
    family = Math(box, judge_limits=Limits(cpu_s=0.5, wall_s=20.0, memory_mb=512))
    found = task(family, "derive x: x^3 - 2x")
    answers = ["9^9^9^9", "3x^2 - 2", "(10^7)! + x", "3x^2 + 2"]
    assert asyncio.run(family.judge(found, answers)) == [TIMEOUT, RIGHT, TIMEOUT, WRONG]


def test_a_task_is_rechecked_and_a_wrong_gold_evicts_it(family: Math) -> None:
    found = task(family, "integrate x from 0 to pi: x*sin(x)")
    assert asyncio.run(family.recheck(found)) is None
    assert asyncio.run(family.recheck(Task("t", "math", found.body, "4pi/4"))) is None
    refusal = asyncio.run(family.recheck(Task("t", "math", found.body, "3")))
    assert refusal == Refusal("determinism", "The answer was once 3, and now pi.")


def test_luck_is_known_where_the_answers_are_few(family: Math) -> None:
    assert family.guess(task(family, "mod 7: 3^100")) == pytest.approx(1 / 7)
    assert family.guess(task(family, "count n from 1 to 10: n^2 > 50")) == pytest.approx(1 / 9)
    assert family.guess(task(family, "solve x: 2x = 6")) == 0.0


def test_a_completion_prompt_is_a_list_of_one_kind_that_goes_on(family: Math) -> None:
    shown = (task(family, "gcd: 84, 36"), task(family, "solve x: 2x = 6"))
    prompt = PROPOSER.prompt(Brief("math", shown), "completion")
    assert prompt == (
        "# Different mathematics problems, one a line.\n\nsolve x: x^2 - 5x + 6 = 0\nsolve x: 3x - 7 = 11\n"
        "solve x: x^2 + x = 12\nsolve x: 2x = 6\nsolve"
    )
    assert PROPOSER.stop("completion") == ("\n",)
    draft = PROPOSER.read(" x: x = 5\nmod 7", Brief("math", shown), "completion")
    assert draft == Draft("math", {"problem": "solve x: x = 5"})
    refusal = PROPOSER.read("  \n", Brief("math", shown), "completion")
    assert isinstance(refusal, Refusal) and refusal.gate == "parse"


def test_a_theme_opens_the_line_and_belongs_to_the_proposal() -> None:
    brief = Brief("math", directive=Directive("theme", "about sum", theme="sum"))
    prompt = PROPOSER.prompt(brief, "completion")
    assert isinstance(prompt, str) and "about sum" in prompt and prompt.endswith("\nsum")
    assert PROPOSER.read(" k from 1 to 9: k", brief, "completion") == Draft("math", {"problem": "sum k from 1 to 9: k"})
    other = Brief("math", directive=Directive("difficulty", "that about half of all tries get right", target=0.5))
    prompt = PROPOSER.prompt(other, "completion")
    assert isinstance(prompt, str) and "problems that about half of all tries get right, one" in prompt
    assert prompt.endswith("\ncompute") and prompt.count("compute: ") == 3


def test_the_fixed_evaluation_asks_problems_that_pass_the_gates_and_are_no_seeds(family: Math) -> None:
    tasks = [asyncio.run(family.examine(draft)) for draft in PROPOSER.heldout(24)]
    assert len(tasks) == 24 and all(isinstance(found, Task) for found in tasks), tasks
    asked = {identity for found in tasks if isinstance(found, Task) for identity in found.identities}
    for draft in PROPOSER.seeds():
        seed = asyncio.run(family.examine(draft))
        assert isinstance(seed, Task) and not asked & set(seed.identities), draft


def test_a_chat_request_shows_every_form_the_examples_and_the_directive(family: Math) -> None:
    shown = task(family, "solve x: 2x = 6")
    (message,) = PROPOSER.prompt(Brief("math", (shown,), directive=Directive("theme", "about sum")), "chat")
    assert isinstance(message, dict) and message["role"] == "user"
    content = message["content"]
    assert all(form.example in content for form in FORMS.values()) and "It should be one about sum." in content
    draft = PROPOSER.read(content.partition("Examples:")[2], Brief("math"), "chat")
    assert draft == Draft("math", {"problem": "solve x: 2x = 6"})
    for text in ("", "solve x: 2x = 6", "```problem\nsolve x: 2x = 6", "```problem\n\n```"):
        refusal = PROPOSER.read(text, Brief("math"), "chat")
        assert isinstance(refusal, Refusal) and refusal.gate == "parse"


@pytest.mark.parametrize("style", ["completion", "chat"])
def test_no_prompt_shows_the_truth(style: str) -> None:
    secret = Task("t", "math", {"problem": "solve x: 2x = 6"}, "SECRET")
    assert "SECRET" not in str(PROPOSER.prompt(Brief("math", (secret,)), style)) + str(SOLVER.prompt(secret, style))
    assert "solve x: 2x = 6" in str(SOLVER.prompt(secret, style))


def test_a_solver_is_asked_to_go_on_with_the_answer() -> None:
    asked = Task("t", "math", {"problem": "gcd: 84, 36"}, "12")
    prompt = SOLVER.prompt(asked, "completion")
    assert (
        isinstance(prompt, str) and prompt.endswith("\n\ngcd: 84, 36\nanswer:") and SOLVER.stop("completion") == ("\n",)
    )
    assert SOLVER.read(" 12", "completion") == "12" and SOLVER.read("  ", "completion") is None
    (message,) = SOLVER.prompt(asked, "chat")
    assert isinstance(message, dict) and FORMS["gcd"].asks in message["content"]
    assert SOLVER.read("So \\boxed{12}.", "chat") == "12" and SOLVER.read("12", "chat") is None
