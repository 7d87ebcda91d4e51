"""Is this answer right? One function for each way of asking.

The gold stays here: it never enters the sandbox. A solver's words enter it at most as a program, never pasted into one,
and as arguments only after they were read as literals.
"""

from __future__ import annotations

import ast
import asyncio
import builtins
import warnings
from collections.abc import Sequence
from contextlib import suppress

from selfplay.records import Verdict
from verifiers.sandbox.records import Job, Limits, Outcome, Sandbox, Status
from verifiers.values import BadValue, Policy, encode, equal, parse, parse_arguments

PATIENT = Limits(cpu_s=1.0)
_LONGEST_PROGRAM = 16_384  # characters
_FILE = "<answer>"
warnings.filterwarnings("ignore", module=_FILE)

_ERRORS = frozenset(n for n, v in vars(builtins).items() if isinstance(v, type) and issubclass(v, BaseException))


def output(answer: str, gold: str, policy: Policy | str = Policy.NUMERIC, rel_tol: float = 0.0) -> Verdict:
    """Does the literal `answer` mean the literal `gold`? Executes nothing. Raises `BadValue` only for the gold."""
    truth = encode(parse(gold))
    try:
        given = encode(parse(answer))
    except BadValue:
        return Verdict.UNPARSED
    return Verdict.CORRECT if equal(given, truth, policy, rel_tol) else Verdict.WRONG


async def inputs(
    sandbox: Sandbox, code: str, gold: str, answers: Sequence[str | None], limits: Limits = PATIENT
) -> list[Verdict]:
    """Does `f` of each answer's arguments give `gold`? Any preimage counts. A fork for each answer,
    so that what one leaves in a library's classes is not there for the next.

    Raises `BadValue` for a gold that is no literal.
    """
    truth = encode(parse(gold))
    given: dict[int, bytes] = {}
    for index, answer in enumerate(answers):
        if answer is not None:
            with suppress(BadValue):
                given[index] = encode(parse_arguments(answer), ordered=True)
    runs = (sandbox.run(Job(code, (data,), limits=limits)) for data in given.values())
    outcomes = {index: outcome for index, (outcome,) in zip(given, await asyncio.gather(*runs), strict=True)}
    return [_verdict(outcomes[i], truth) if i in outcomes else Verdict.UNPARSED for i in range(len(answers))]


async def program(
    sandbox: Sandbox, code: str, cases: Sequence[tuple[bytes, bytes]], limits: Limits = PATIENT
) -> Verdict:
    """Does the program match every case? Each is (encoded arguments, encoded result). One fork for all of them.

    The verdict is that of the first case that is not right. Raises `ValueError` without cases.
    """
    if not cases:
        raise ValueError("a program is judged by cases, and there are none")
    if not _parses(code):
        return Verdict.UNPARSED
    job = Job(code, tuple(data for data, _ in cases), limits=limits, give_up=True)
    outcomes = await sandbox.run(job)
    for outcome, (_, truth) in zip(outcomes, cases, strict=True):
        verdict = _verdict(outcome, truth)
        if verdict is not Verdict.CORRECT:
            return verdict
    return Verdict.CORRECT


def error(answer: str, gold: str) -> Verdict:
    """Does `answer` name the exception `gold`? One builtin exception's name, exact in case, and nothing else."""
    name = answer.strip()
    if name not in _ERRORS:
        return Verdict.UNPARSED
    return Verdict.CORRECT if name == gold else Verdict.WRONG


def _verdict(outcome: Outcome, truth: bytes) -> Verdict:
    if outcome.status is Status.OK and outcome.value is not None:
        return Verdict.CORRECT if equal(outcome.value, truth, Policy.NUMERIC) else Verdict.WRONG
    return _VERDICTS[outcome.status]


def _parses(code: str) -> bool:
    if len(code) > _LONGEST_PROGRAM:
        return False
    try:
        ast.parse(code, filename=_FILE)
    except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError):
        return False
    return True


_VERDICTS = {
    Status.RAISED: Verdict.WRONG,
    Status.BAD_VALUE: Verdict.WRONG,
    Status.CPU: Verdict.TIMEOUT,
    Status.WALL: Verdict.TIMEOUT,
    Status.MEMORY: Verdict.CRASHED,
    Status.CRASH: Verdict.CRASHED,
    Status.NO_RESULT: Verdict.WRONG,
    Status.VIOLATION: Verdict.UNSAFE,
    Status.PROTOCOL: Verdict.CRASHED,
}
