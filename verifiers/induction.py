"""Induction: inputs, outputs and a message are shown, the program is asked (Absolute Zero, arXiv 2505.03335).

The program comes from the bank; the proposer writes ten inputs for it and a message. The solver sees five pairs and is
judged on the other five. Deviations: which pairs are shown is drawn from the task's hash, not chosen by their order; a
message that gives the program away is refused; all hidden pairs are run in one fork of the sandbox.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from selfplay.records import Draft, Refusal, Task, Verdict
from verifiers import grade, hygiene
from verifiers.identity import digest, task_id
from verifiers.programs import THEMES, VALIDATION, VERIFICATION, Programs, themes
from verifiers.sandbox.records import Limits, Sandbox
from verifiers.values import Value, decode, encode, parse, parse_arguments, show, show_arguments

CASES = 10
SHOWN = 5
MAX_MESSAGE = 200  # characters
_ARROW = " -> "


class Induction:
    """`verifiers.Verifier` for the family `induction`.

    A draft's body holds `code`, a program that the bank knows, `inputs`, one list of arguments a line, and `message`.
    A task's body holds `message`, and the pairs `shown` and `hidden`, one `arguments -> result` a line; its gold is the
    program.
    """

    name = "induction"
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
        """The gates parse, size, safety, trivial, then those of every run."""
        code = self.programs.normal(draft.body.get("code", ""))
        if isinstance(code, Refusal):
            return code
        cases = self._cases(draft.body.get("inputs", ""))
        if isinstance(cases, Refusal):
            return cases
        message = " ".join(draft.body.get("message", "").split())
        if len(message) > MAX_MESSAGE or not message.isprintable():
            return Refusal("size", f"The message has over {MAX_MESSAGE} characters, or some that do not print.")
        if tells(message, code):
            return Refusal("trivial", "The message gives the program away.")
        results = await self.programs.results(code, cases)
        if isinstance(results, Refusal):
            return results
        if len(set(results)) < SHOWN:
            return Refusal("trivial", f"The inputs give fewer than {SHOWN} different results.")
        return self._task(code, message, list(zip(cases, results, strict=True)))

    async def judge(self, task: Task, answers: Sequence[str | None]) -> list[Verdict]:
        """Each answer is a program; all hidden pairs must match."""
        hidden = [(encode(given, ordered=True), result) for given, result in _pairs(task.body["hidden"])]
        box, limits = self.programs.sandbox, self.programs.verify_limits
        return [
            Verdict.UNPARSED if answer is None else await grade.program(box, answer, hidden, limits)
            for answer in answers
        ]

    async def recheck(self, task: Task) -> Refusal | None:
        return await self.programs.recheck(task.gold, _pairs(f"{task.body['shown']}\n{task.body['hidden']}"))

    def _cases(self, text: str) -> list[tuple[Value, ...]] | Refusal:
        """The first ten different inputs."""
        cases: dict[bytes, tuple[Value, ...]] = {}
        for line in text.split("\n")[: 4 * CASES]:
            if not line.strip():
                continue
            arguments = self.programs.arguments(line)
            if isinstance(arguments, Refusal):
                return arguments
            cases.setdefault(encode(arguments, ordered=True), arguments)
        if len(cases) < CASES:
            return Refusal("parse", f"There are {len(cases)} different inputs, and {CASES} are needed.")
        return list(cases.values())[:CASES]

    def _task(self, code: str, message: str, pairs: list[tuple[tuple[Value, ...], bytes]]) -> Task:
        lines = sorted(show_arguments(given) + _ARROW + show(decode(result)) for given, result in pairs)
        random.Random(digest("\n".join(lines))).shuffle(lines)
        body = {"message": message, "shown": "\n".join(lines[:SHOWN]), "hidden": "\n".join(lines[SHOWN:])}
        inputs = digest("\n".join(sorted(show_arguments(given) for given, _ in pairs)))
        identities = (f"{self.name} cases:{hygiene.fingerprint(code)} {inputs}",)
        about = themes(code, pairs[0][0])
        return Task(task_id(self.name, body, code), self.name, body, code, identities=identities, themes=about)


def tells(message: str, code: str) -> bool:
    """Does the message spell out a result of the program, or any program at all?"""
    words = "".join(message.split())
    if "def f(" in message or "lambda" in message or "return" in message.split():
        return True
    return any(len(part) > 3 and part in words for part in hygiene.returned(code))


def _pairs(text: str) -> list[tuple[tuple[Value, ...], bytes]]:
    """Arguments and encoded results, as `_task` wrote them."""
    found = []
    for line in text.split("\n"):
        given, result = _split(line)
        found.append((given, encode(result)))
    return found


def _split(line: str) -> tuple[tuple[Value, ...], Value]:
    """The arrow may stand inside a text as well: the place where both sides are literals is the one."""
    at = line.find(_ARROW)
    while at >= 0:
        try:
            return parse_arguments(line[:at]), parse(line[at + len(_ARROW) :])
        except ValueError:
            at = line.find(_ARROW, at + 1)
    raise ValueError(f"not a pair of arguments and result: {line}")
