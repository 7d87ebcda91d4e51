"""Mathematics: a problem in a short form of ours, whose answer sympy derives in the sandbox and a second way confirms.

    solve x: x^2 - 5x + 6 = 0        {2, 3}
    mod 7: 3^100                     4

The kinds are in `verifiers.symbolic.forms`, their truth in `verifiers.symbolic.kinds`. Answers are compared by meaning:
`1/2`, `0.5` and `sin(pi/6)` are one. Where the question is itself a formula for its answer (`compute`, `gcd`, `mod`,
`sum`, …), the answer has to be one number, written out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from selfplay.records import Draft, Refusal, Task, Verdict
from verifiers.codec import BadValue, decode, encode
from verifiers.identity import task_id
from verifiers.sandbox.records import Job, Limits, Outcome, Sandbox, Status
from verifiers.symbolic import judging, spelling, statement
from verifiers.symbolic.exact import TooLarge, evaluate
from verifiers.symbolic.forms import FORMS
from verifiers.symbolic.formula import Tree, read
from verifiers.symbolic.judging import Meaning
from verifiers.symbolic.statement import Problem, whole

VALIDATION = Limits(cpu_s=2.0, wall_s=20.0, memory_mb=512)
JUDGING = Limits(cpu_s=1.0, wall_s=20.0, memory_mb=512)

_PROBLEMS = "verifiers.symbolic.problems"
_PROGRAM = f"from {_PROBLEMS} import derive as f"


class Math:
    """`verifiers.Verifier` for the family `math`. The body of a draft and of a task holds `problem`, one line of text.

    sandbox: opened with `modules` among its `preload`. limits: for validation. A problem that needs over half of
    `limits.cpu_s` is refused, and a later recheck has twice as much. judge_limits: for comparing one answer.

    Two problems are the same when their normal forms are (up to letters, the order of terms and sides, an equation's
    scale: `2x = 6` is `3y = 9`), or when their formulas have the same values at a few places. Another number makes
    another problem.
    """

    name = "math"
    modules = (judging.MODULE, _PROBLEMS)
    themes = tuple(FORMS)

    def __init__(self, sandbox: Sandbox, limits: Limits = VALIDATION, judge_limits: Limits = JUDGING) -> None:
        self.sandbox = sandbox
        self.limits = limits
        self.verify_limits = replace(limits, cpu_s=2 * limits.cpu_s)
        self.meaning = Meaning(sandbox, limits=judge_limits)

    async def examine(self, draft: Draft) -> Task | Refusal:
        """The gates: parse, size, trivial, value, consistent, budget, as they are met."""
        try:
            problem = statement.read(draft.body.get("problem", ""))
        except TooLarge as error:
            return Refusal("size", f"The problem has {error}.")
        except BadValue as error:
            return Refusal("parse", f"The problem cannot be read: {error}.")
        body = {"problem": statement.show(problem)}
        found = await self._derive(body["problem"], self.limits)
        if isinstance(found, Refusal):
            return found
        gold, form, behaviour = found
        identities = [f"{self.name} form:{form}"]
        if behaviour:
            identities.append(f"{self.name} behaviour:{behaviour}")
        named = task_id(self.name, body, gold)
        return Task(named, self.name, body, gold, identities=tuple(identities), themes=(problem.kind,))

    async def judge(self, task: Task, answers: Sequence[str | None]) -> list[Verdict]:
        """By meaning, in the sandbox where exact fractions do not settle it; written-out numbers right here."""
        problem, gold = statement.read(task.body["problem"]), read(task.gold)
        if FORMS[problem.kind].answer == "written":
            return [_written(answer, gold) for answer in answers]
        return await self.meaning.judge(task.gold, [_formula(answer, problem, gold) for answer in answers])

    async def recheck(self, task: Task) -> Refusal | None:
        """Derives an admitted problem's truth once more: None while it means the same."""
        found = await self._derive(task.body["problem"], self.verify_limits, margin=1.0)
        if isinstance(found, Refusal):
            return None if found.gate == "sandbox" else found
        if found[0] == task.gold or await self.meaning.judge(task.gold, [found[0]]) == [Verdict.CORRECT]:
            return None
        return Refusal("determinism", f"The answer was once {task.gold}, and now {found[0]}.")

    def guess(self, task: Task) -> float:
        """1 in the modulus for a remainder, 1 in the possible counts for a count, else 0."""
        problem = statement.read(task.body["problem"])
        if problem.kind == "mod":
            return 1 / whole(problem.places[0])
        if problem.kind == "count":
            first, last = map(whole, problem.places)
            return 1 / (last - first)  # neither none nor all of them
        return 0.0

    async def _derive(self, text: str, limits: Limits, margin: float = 0.5) -> tuple[str, str, str] | Refusal:
        (outcome,) = await self.sandbox.run(Job(_PROGRAM, (encode((text,)),), limits=limits))
        if outcome.status is not Status.OK or outcome.value is None:
            return _failed(outcome)
        kind, first, *rest = decode(outcome.value)
        if kind == "refused":
            return Refusal(first, rest[0])
        if outcome.cpu_s > limits.cpu_s * margin:
            return Refusal("budget", f"It needs {outcome.cpu_s:.2f} s, over half of the {limits.cpu_s:g} s allowed.")
        return first, rest[0], rest[1]


def _failed(outcome: Outcome) -> Refusal:
    if outcome.status in (Status.CPU, Status.WALL, Status.MEMORY, Status.CRASH):
        return Refusal("budget", f"No answer was found within the budget: {outcome.detail}.")
    return Refusal("sandbox", f"No verdict on the problem: {outcome.detail or outcome.status}.")


def _written(answer: str | None, gold: Tree) -> Verdict:
    try:
        number = spelling.number(answer or "")
    except BadValue:
        return Verdict.UNPARSED
    if number is None:
        return Verdict.UNPARSED
    return Verdict.CORRECT if number == evaluate(gold) else Verdict.WRONG


def _formula(answer: str | None, problem: Problem, gold: Tree) -> str | None:
    """The answer as a formula; None for one that is none."""
    try:
        return spelling.formula(answer or "", problem, gold)
    except BadValue:
        return None
