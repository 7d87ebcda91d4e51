"""Deduction: a program and its arguments are shown, the result is asked (Absolute Zero, arXiv 2505.03335, section 3).

Deviation: an answer is read as a literal and compared by structure, so judging one executes nothing. What else
differs is said in `verifiers.programs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from selfplay.records import Draft, Refusal, Task, Verdict
from verifiers import hygiene
from verifiers.grade import output
from verifiers.programs import THEMES, VALIDATION, VERIFICATION, Programs, made
from verifiers.sandbox.records import Limits, Sandbox
from verifiers.values import BadValue, decode, encode, parse, parse_arguments, show, show_arguments


class Deduction:
    """`verifiers.Verifier` for the family `deduction`.

    A draft's body holds `code`, which defines `f`, and `input`, the literal text of its arguments (`3, [1, 2]`). A
    task's body holds the same two, the program normalised and the arguments written canonically; its gold is the result
    as a literal. Another input for a program that was seen makes no new task.

    limits, verify_limits, rename: see `verifiers.programs.Programs`.
    """

    name = "deduction"
    themes = THEMES
    renames = True

    def __init__(
        self,
        sandbox: Sandbox,
        limits: Limits = VALIDATION,
        verify_limits: Limits = VERIFICATION,
        rename: bool = False,
    ) -> None:
        self.programs = Programs(sandbox, limits, verify_limits, rename)

    async def examine(self, draft: Draft) -> Task | Refusal:
        ran = await self.programs.examine(draft.body.get("code", ""), draft.body.get("input", ""))
        if isinstance(ran, Refusal):
            return ran
        body = {"code": ran.code, "input": show_arguments(ran.arguments)}
        gold = show(decode(ran.value))
        return made(self.name, body, gold, ran)

    async def judge(self, task: Task, answers: Sequence[str | None]) -> list[Verdict]:
        """No execution: each answer is read as a literal and compared with the gold, ints and floats by value."""
        return [Verdict.UNPARSED if answer is None else output(answer, task.gold) for answer in answers]

    async def recheck(self, task: Task) -> Refusal | None:
        case = (parse_arguments(task.body["input"]), encode(parse(task.gold)))
        return await self.programs.recheck(task.body["code"], [case])

    def normal(self, answer: str) -> str:
        try:
            return show(parse(answer))
        except BadValue:
            return answer

    def renamed(self, task: Task) -> Task:
        return replace(task, body={**task.body, "code": hygiene.normalise(task.body["code"], rename=True)})

    def guess(self, task: Task) -> float:
        """One half where the truth is yes or no; what else luck can do shows in the answers."""
        return 0.5 if task.gold in ("True", "False") else 0.0
