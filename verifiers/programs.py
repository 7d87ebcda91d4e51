"""The gates that every task made of a program passes, whatever is then asked about it.

Departures from the environment that Absolute Zero released (arXiv 2505.03335), each for a way it can be fooled:
programs run in the sandbox; the arguments are literals and travel apart from the code; determinism is checked across
processes with different hash seeds, address layouts and input orders; an over-long result is refused, not cut.
"""

from __future__ import annotations

import ast
import asyncio
import itertools
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from selfplay.records import Refusal, Task
from verifiers import hygiene
from verifiers.identity import digest, task_id
from verifiers.probing import battery, vary
from verifiers.sandbox.records import Job, Limits, Outcome, Sandbox, Status
from verifiers.values import BadValue, Value, decode, encode, parse_arguments, show, show_arguments

VALIDATION = Limits(cpu_s=0.25)
VERIFICATION = Limits(cpu_s=1.0)
MAX_SHOWN = 1_000  # characters of a result or of the arguments
THEMES = ("numbers", "text", "lists", "dictionaries", "loops", "conditions", "recursion")
_MAX_ARGUMENTS = 10
_PROBES = 8
_MOST_RUNS = 4
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{4,}")


@dataclass(frozen=True)
class Ran:
    """A program that passed: its arguments and result, and what it did on inputs like this one.

    luck: the share of the like inputs that gave the same result. behaviour: equal for programs that do the same on a
    fixed battery of inputs of the same types; None where too few of those ran for that to mean anything.
    """

    code: str
    arguments: tuple[Value, ...]
    value: bytes
    luck: float
    behaviour: str | None


class Programs:
    """Runs programs through the gates `parse`, `size`, `safety`, `run`, `budget`, `value`, `determinism`, `trivial`.

    limits: for validation. A program that needs over half of `limits.cpu_s` is refused, so that no task flaps.
    verify_limits: for running a task again later; more generous. rename: give program-bound names neutral ones.
    """

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

    def normal(self, code: str) -> str | Refusal:
        """The program in the form that is run, kept and shown."""
        refusal = hygiene.check(code)
        if refusal:
            return refusal
        try:
            normal = hygiene.normalise(code, self.rename)
        except SyntaxError as error:
            return Refusal("parse", f"The program cannot be written in normal form: {error.msg}.")
        return hygiene.check(normal) or normal

    def arguments(self, text: str) -> tuple[Value, ...] | Refusal:
        """The arguments that a literal text spells."""
        try:
            arguments = parse_arguments(text)
            shown = show_arguments(arguments)
            encode(arguments, max_nodes=self.limits.nodes, max_depth=self.limits.depth)
        except BadValue as error:
            return Refusal("parse", f"The input is not a list of literals: {error}.")
        if len(shown) > MAX_SHOWN or len(arguments) > _MAX_ARGUMENTS:
            return Refusal("size", f"The input has over {MAX_SHOWN} characters or {_MAX_ARGUMENTS} arguments.")
        return arguments

    async def examine(self, code: str, given: str) -> Ran | Refusal:
        """A proposed program and the literal text of its arguments, through all gates."""
        normal = self.normal(code)
        if isinstance(normal, Refusal):
            return normal
        arguments = self.arguments(given)
        if isinstance(arguments, Refusal):
            return arguments
        ran = await self._run(normal, arguments)
        if isinstance(ran, Ran) and not hygiene.reads_arguments(normal):
            return Refusal("trivial", "The result does not depend on the input: the program never reads its arguments.")
        return ran

    async def results(self, code: str, cases: Sequence[tuple[Value, ...]]) -> list[bytes] | Refusal:
        """What a program that was admitted gives on each of `cases`, the same on two servers, or why not."""
        data = tuple(encode(arguments, ordered=True) for arguments in cases)
        first = self._first(code)
        job = Job(code, data, limits=self.limits)
        back = Job(code, data[::-1], limits=self.limits)
        most = min(self.sandbox.servers, _MOST_RUNS) if hygiene.touches_sets(code) or _holds_set(list(cases)) else 2
        others = [self.sandbox.run(back, (first + i) % self.sandbox.servers) for i in range(1, most)]
        outcomes, *again = await asyncio.gather(self.sandbox.run(job, first), *others)
        for outcome in outcomes:
            if refusal := self.reason(outcome):
                return refusal
        values = [outcome.value for outcome in outcomes]
        if any([outcome.value for outcome in run[::-1]] != values for run in again):
            return Refusal("determinism", "A result differs from one process to another.")
        return [value for value in values if value is not None]

    async def recheck(self, code: str, cases: Sequence[tuple[tuple[Value, ...], bytes]]) -> Refusal | None:
        """Runs an admitted program once more: None while each of its cases (arguments, result) still holds.

        The servers take turns, so that a task that hangs on hash order is found out sooner or later.
        """
        inputs = tuple(encode(arguments, ordered=True) for arguments, _ in cases)
        server = next(self._turns) % self.sandbox.servers
        outcomes = await self.sandbox.run(Job(code, inputs, limits=self.verify_limits, give_up=True), server)
        for outcome, (_, once) in zip(outcomes, cases, strict=True):
            if outcome.status is Status.PROTOCOL:
                return None  # the worker was lost, which says nothing about the program
            if outcome.value != once:
                now = show(decode(outcome.value)) if outcome.value else outcome.status
                return Refusal("determinism", f"The program once gave {show(decode(once))}, and now: {now}.")
        return None

    async def _run(self, code: str, arguments: tuple[Value, ...]) -> Ran | Refusal:
        servers, first = self.sandbox.servers, self._first(code)
        given = encode(arguments, ordered=True)
        (outcome,) = await self.sandbox.run(Job(code, (given,), limits=self.limits), first)
        refusal = self.reason(outcome)
        if refusal or outcome.value is None:
            return refusal or Refusal("run", "The program gave nothing.")
        others = _encodings(vary(arguments, random.Random(digest(code)), _PROBES))
        fixed = _encodings(battery(arguments))
        near = replace(self.limits, cpu_s=min(self.limits.cpu_s, max(0.05, 4 * outcome.cpu_s)), wall_s=1.0)
        short = replace(near, cpu_s=near.cpu_s / 2)
        second, known = await asyncio.gather(
            self.sandbox.run(Job(code, (*others, given), limits=near), (first + 1) % servers),
            self.sandbox.run(Job(code, tuple(fixed), limits=short, give_up=True), (first + 1) % servers),
        )
        runs = [(*second[-1:], *second[:-1])]
        if hygiene.touches_sets(code) or _holds_set(arguments):
            more = [(first + i) % servers for i in range(2, min(servers, _MOST_RUNS))]
            job = Job(code, (given, *others), limits=near)
            runs += await asyncio.gather(*(self.sandbox.run(job, i) for i in more))
        for run in runs:
            if run[0].status is not Status.OK or run[0].value != outcome.value:
                return Refusal("determinism", "The result differs from one process to another.")
            if any(_differ(a, b) for a, b in zip(runs[0], run, strict=True)):
                return Refusal("determinism", "On inputs like this one the result differs from one process to another.")
        like = runs[0][1:]
        if _trivial(outcome.value, like, given, others, arguments):
            return Refusal("trivial", "The result does not depend on the input, or is the input itself.")
        hits = sum(answer.value == outcome.value for answer, data in zip(like, others, strict=True) if data != given)
        luck = hits / max(1, sum(data != given for data in others))
        return Ran(code, arguments, outcome.value, luck, _behaviour(arguments, known))

    def reason(self, outcome: Outcome) -> Refusal | None:
        """Why a result cannot be a truth; None when it can."""
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

    def _first(self, code: str) -> int:
        """The server that meets the program first: as good as random, and the same every time."""
        return int(digest(code), 16) % self.sandbox.servers


def _trivial(
    value: bytes, answers: Sequence[Outcome], given: bytes, others: Sequence[bytes], arguments: tuple[Value, ...]
) -> bool:
    """Constant over every variation that ran, or one and the same argument handed back on all of them. Where fewer than
    two ran, nothing shows that the result depends on the input at all."""
    ran = [(data, answer.value) for data, answer in zip(others, answers, strict=True) if answer.value and data != given]
    if len(ran) < 2:
        return True
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


def _behaviour(arguments: tuple[Value, ...], outcomes: Sequence[Outcome]) -> str | None:
    ran = [outcome.value for outcome in outcomes if outcome.status is Status.OK]
    if len(ran) < 4 or len(set(ran)) < 3:  # yes and no alone tell too little apart
        return None
    ends = [outcome.value if outcome.value is not None else outcome.error or outcome.status for outcome in outcomes]
    return digest(f"{kinds(arguments)} {ends}")


def kinds(value: Value) -> str:
    """The types in a value, down to the first member of each container."""
    kind = type(value)
    if kind is dict:
        inside = [x for pair in list(value.items())[:1] for x in pair]
    elif kind is tuple:
        inside = list(value)
    elif kind in (list, set, frozenset):
        inside = sorted(value, key=encode)[:1]
    else:
        return kind.__name__
    return f"{kind.__name__}[{' '.join(map(kinds, inside))}]"


def made(family: str, body: dict[str, str], gold: str, ran: Ran) -> Task:
    """The task of a program that passed: one with another of the same program, or of one that does the same."""
    identities = [f"{family} program:{hygiene.fingerprint(ran.code)}"]
    if ran.behaviour:
        identities.append(f"{family} behaviour:{ran.behaviour}")
    about = themes(ran.code, ran.arguments)
    return Task(task_id(family, body, gold), family, body, gold, identities=tuple(identities), themes=about)


def themes(code: str, arguments: Sequence[Value]) -> tuple[str, ...]:
    """Those of `THEMES` that a program and its arguments touch."""
    found = {_OF_TYPE[type(value)] for value in arguments if type(value) in _OF_TYPE}
    tree = hygiene.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.While | ast.comprehension):
            found.add("loops")
        elif isinstance(node, ast.If | ast.IfExp | ast.Match):
            found.add("conditions")
        elif isinstance(node, ast.FunctionDef):
            inside = [n.func for line in node.body for n in ast.walk(line) if isinstance(n, ast.Call)]
            if any(isinstance(called, ast.Name) and called.id == node.name for called in inside):
                found.add("recursion")
    return tuple(theme for theme in THEMES if theme in found)


_OF_TYPE: dict[type, str] = {
    int: "numbers", float: "numbers", bool: "numbers", complex: "numbers", str: "text", bytes: "text",
    list: "lists", tuple: "lists", dict: "dictionaries", set: "lists", frozenset: "lists",
}  # fmt: skip
