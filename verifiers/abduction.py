"""Abduction: a program and its result are shown, arguments that give it are asked (Absolute Zero, arXiv 2505.03335).

Any preimage counts. Deviation: an answer is read as literals before it meets the program in the sandbox, so nothing in
it is evaluated; the result that it must give never enters the sandbox.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from selfplay.records import Draft, Refusal, Task, Verdict
from verifiers import grade, hygiene
from verifiers.programs import THEMES, VALIDATION, VERIFICATION, Programs, made
from verifiers.sandbox.records import Limits, Sandbox
from verifiers.values import decode, encode, parse, parse_arguments, show, show_arguments

_LUCKY = 0.5


class Abduction:
    """`verifiers.Verifier` for the family `abduction`.

    A draft is the same as for deduction: `code` and `input`. A task's body holds `code`, `output`, and `luck`: the
    share of inputs like the proposer's that give the same output. Its gold is the proposer's input, one witness of
    many. A program that gives the output for half of them or more is refused: any guess would do.
    """

    name = "abduction"
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
        if ran.luck >= _LUCKY:
            return Refusal("trivial", "Half of all inputs like this one, or more, give the same result.")
        body = {"code": ran.code, "output": show(decode(ran.value)), "luck": f"{ran.luck:.2f}"}
        gold = show_arguments(ran.arguments)
        return made(self.name, body, gold, ran)

    async def judge(self, task: Task, answers: Sequence[str | None]) -> list[Verdict]:
        """Each answer meets the program in a fork of its own."""
        code, output = task.body["code"], task.body["output"]
        return await grade.inputs(self.programs.sandbox, code, output, answers, self.programs.verify_limits)

    async def recheck(self, task: Task) -> Refusal | None:
        case = (parse_arguments(task.gold), encode(parse(task.body["output"])))
        return await self.programs.recheck(task.body["code"], [case])

    def renamed(self, task: Task) -> Task:
        return replace(task, body={**task.body, "code": hygiene.normalise(task.body["code"], rename=True)})

    def guess(self, task: Task) -> float:
        return float(task.body["luck"])
