"""Deduction: a program and its arguments are shown, the result is asked (Absolute Zero, arXiv 2505.03335, section 3).

Departures from the paper's released environment, each for a way it can be fooled: programs run in the sandbox; the
arguments are literals and travel apart from the code; determinism is checked across processes with different hash
seeds, address layouts and input orders; an over-long result is refused, not cut; an answer is read as a literal and
compared by structure, so judging one executes nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import random
import re
from collections.abc import Sequence

from selfplay.records import Draft, Refusal, Task, Verdict
from verifiers import hygiene
from verifiers.grade import output
from verifiers.probing import vary
from verifiers.sandbox.records import Job, Limits, Outcome, Sandbox, Status
from verifiers.values import BadValue, Value, decode, encode, parse_arguments, show, show_arguments

VALIDATION = Limits(cpu_s=0.25)
VERIFICATION = Limits(cpu_s=1.0)
MAX_SHOWN = 1_000  # characters of a result or of the arguments
_MAX_ARGUMENTS = 10
_PROBES = 8
_MOST_RUNS = 4
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{4,}")


class Deduction:
    """`verifiers.Verifier` for the family `deduction`.

    A draft's body holds `code`, which defines `f`, and `input`, the literal text of its arguments (`3, [1, 2]`). A
    task's body holds the same two, the program normalised and the arguments written canonically; its gold is the result
    as a literal.

    limits: for validation. A program that needs over half of `limits.cpu_s` is refused, so that no task flaps.
    verify_limits: for running a task again later; more generous. rename: give program-bound names neutral ones.
    """

    name = family = "deduction"

    def __init__(
        self,
        sandbox: Sandbox,
        limits: Limits = VALIDATION,
        verify_limits: Limits = VERIFICATION,
        rename: bool = False,
    ) -> None:
        self.sandbox = sandbox
        self.limits = limits
        self.verify_limits = verify_limits
        self.rename = rename
        self._turns = itertools.count()

    async def examine(self, draft: Draft) -> Task | Refusal:
        """The gates in order: parse, size, safety, run, budget, value, determinism, trivial."""
        refusal = hygiene.check(draft.body.get("code", ""))
        if refusal:
            return refusal
        try:
            arguments = parse_arguments(draft.body.get("input", ""))
            shown = show_arguments(arguments)
            encode(arguments, max_nodes=self.limits.nodes, max_depth=self.limits.depth)
        except BadValue as error:
            return Refusal("parse", f"The input is not a list of literals: {error}.")
        if len(shown) > MAX_SHOWN or len(arguments) > _MAX_ARGUMENTS:
            return Refusal("size", f"The input has over {MAX_SHOWN} characters or {_MAX_ARGUMENTS} arguments.")
        try:
            code = hygiene.normalise(draft.body["code"], self.rename)
        except SyntaxError as error:
            return Refusal("parse", f"The program cannot be written in normal form: {error.msg}.")
        result = await self._run(code, arguments)
        if isinstance(result, Refusal):
            return result
        if not hygiene.reads_arguments(code):
            return Refusal("trivial", "The result does not depend on the input: the program never reads its arguments.")
        body = {"code": code, "input": shown}
        gold = show(decode(result))
        return Task(_task_id(self.family, body, gold), self.family, body, gold)

    def identity(self, task: Task) -> str:
        """What makes two tasks one: the program, up to names and layout. Another input for it is no new task."""
        return f"{self.family} {hygiene.fingerprint(task.body['code'])}"

    async def judge(self, task: Task, answers: Sequence[str | None]) -> list[Verdict]:
        """No execution: each answer is read as a literal and compared with the gold, ints and floats by value."""
        return [Verdict.UNPARSED if answer is None else output(answer, task.gold) for answer in answers]

    async def recheck(self, task: Task) -> Refusal | None:
        """Runs an admitted task once more: None when its gold still holds, else why the task must go.

        The servers take turns, so that a task that hangs on hash order is found out sooner or later.
        """
        arguments = encode(parse_arguments(task.body["input"]), ordered=True)
        server = next(self._turns) % self.sandbox.servers
        (outcome,) = await self.sandbox.run(Job(task.body["code"], (arguments,), limits=self.verify_limits), server)
        if outcome.status is not Status.OK or outcome.value is None:
            return Refusal("determinism", f"The program once gave {task.gold}, and now: {outcome.status}.")
        again = show(decode(outcome.value))
        if again == task.gold:
            return None
        return Refusal("determinism", f"The program once gave {task.gold}, and now {again}.")

    async def _run(self, code: str, arguments: tuple[Value, ...]) -> bytes | Refusal:
        seed = int.from_bytes(hashlib.sha256(code.encode("utf-8", "backslashreplace")).digest()[:4], "big")
        servers, first = self.sandbox.servers, seed % self.sandbox.servers
        given = encode(arguments, ordered=True)
        (outcome,) = await self.sandbox.run(Job(code, (given,), limits=self.limits), first)
        refusal = self._reason(outcome)
        if refusal or outcome.value is None:
            return refusal or Refusal("run", "The program gave nothing.")
        others = _encodings(vary(arguments, random.Random(seed), _PROBES))
        second = await self.sandbox.run(Job(code, (*others, given), limits=self.limits), (first + 1) % servers)
        runs = [(*second[-1:], *second[:-1])]
        if hygiene.touches_sets(code) or _holds_set(arguments):
            more = [(first + i) % servers for i in range(2, min(servers, _MOST_RUNS))]
            job = Job(code, (given, *others), limits=self.limits)
            runs += await asyncio.gather(*(self.sandbox.run(job, i) for i in more))
        for run in runs:
            if run[0].status is not Status.OK or run[0].value != outcome.value:
                return Refusal("determinism", "The result differs from one process to another.")
            if any(_differ(a, b) for a, b in zip(runs[0], run, strict=True)):
                return Refusal("determinism", "On inputs like this one the result differs from one process to another.")
        if _trivial(outcome.value, runs[0][1:], given, others, arguments):
            return Refusal("trivial", "The result does not depend on the input, or is the input itself.")
        return outcome.value

    def _reason(self, outcome: Outcome) -> Refusal | None:
        if outcome.status is Status.BAD_VALUE:
            return Refusal("value", f"The result cannot be an answer: {outcome.detail}.")
        if outcome.status is Status.PROTOCOL:
            return Refusal("sandbox", f"No verdict on the program: {outcome.detail}.")
        if outcome.status is Status.VIOLATION:
            return Refusal("safety", f"The program {outcome.detail}.")
        if outcome.status is not Status.OK or outcome.value is None:
            verb = "raises " if outcome.status is Status.RAISED else "fails: "
            return Refusal("run", f"The program {verb}{outcome.detail or outcome.status}.")
        if outcome.cpu_s > self.limits.cpu_s / 2:
            most = self.limits.cpu_s
            return Refusal("budget", f"The program needs {outcome.cpu_s:.2f} s, over half of the {most:g} s allowed.")
        shown = show(decode(outcome.value))
        if len(shown) > MAX_SHOWN:
            return Refusal("value", f"The result is over {MAX_SHOWN} characters long.")
        if _ADDRESS.search(shown):
            return Refusal("value", "The result holds a memory address.")
        return None


def _trivial(
    value: bytes, answers: Sequence[Outcome], given: bytes, others: Sequence[bytes], arguments: tuple[Value, ...]
) -> bool:
    """Constant over every variation that ran, or one and the same argument handed back on all of them."""
    ran = [(data, answer.value) for data, answer in zip(others, answers, strict=True) if answer.value and data != given]
    if not arguments or len(ran) < 2:
        return not arguments
    if all(result == value for _, result in ran):
        return True
    pairs = [(decode(data, ordered=True), result) for data, result in [(given, value), *ran]]
    return any(all(encode(data[i]) == result for data, result in pairs) for i in range(len(arguments)))


def _encodings(variations: list[tuple[Value, ...]]) -> list[bytes]:
    found = []
    for arguments in variations:
        try:
            found.append(encode(arguments, ordered=True))
        except BadValue:
            continue
    return found


def _differ(a: Outcome, b: Outcome) -> bool:
    return a.status is Status.OK and b.status is Status.OK and a.value != b.value


def _holds_set(value: Value) -> bool:
    if type(value) in (set, frozenset):
        return True
    if type(value) is dict:
        return any(map(_holds_set, value)) or any(map(_holds_set, value.values()))
    return type(value) in (list, tuple) and any(map(_holds_set, value))


def _task_id(family: str, body: dict[str, str], gold: str) -> str:
    text = "\0".join((family, *(f"{key}={body[key]}" for key in sorted(body)), gold))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]
