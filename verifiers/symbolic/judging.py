"""Mathematical answers, right when they mean the same: `1/2`, `0.5`, `\\frac{1}{2}`; `(x+1)^2`, `x^2+2x+1`.

Text is read by a grammar of ours (`verifiers.symbolic.formula`): sympy's own readers evaluate what they read. What
exact fractions do not settle is settled by sympy in a sandbox, where an answer like `9^9^9^9` costs its CPU budget and
no more.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import Self

from selfplay.records import Verdict
from verifiers.codec import BadValue, encode
from verifiers.sandbox import Job, Limits, Outcome, Sandbox, SandboxUnavailable, Status, open_sandbox
from verifiers.symbolic.formula import read, value

MODULE = "verifiers.symbolic.meaning"  # what a sandbox preloads to be of use here
_PROGRAM = f"from {MODULE} import same as f"
_LIMITS = Limits(cpu_s=2.0, wall_s=20.0, memory_mb=512)


class Meaning:
    """Judges answers by meaning; a context manager.

    sandbox: one that was opened with `MODULE` among its `preload`, which stays the caller's to close; None opens one on
    construction, of `servers` at `min_level`, and raises `SandboxUnavailable` where there is none to be had.
    """

    def __init__(
        self, sandbox: Sandbox | None = None, servers: int = 1, min_level: str = "strict", limits: Limits = _LIMITS
    ) -> None:
        self._limits = limits
        self._own = sandbox is None
        self._sandbox = sandbox or _open(servers, min_level)

    async def judge(self, gold: str, answers: Sequence[str | None]) -> list[Verdict]:
        """One verdict an answer, in order. Raises `BadValue` for a gold that is no formula."""
        truth = read(gold)
        encode(truth)
        verdicts: list[Verdict | None] = []
        inputs: list[bytes] = []
        for answer in answers:
            try:
                tree = read(answer or "")
                pair = encode((tree, truth))
            except BadValue:
                verdicts.append(Verdict.UNPARSED)
                continue
            x, y = value(tree), value(truth)
            if tree == truth or (x is not None and y is not None):
                verdicts.append(Verdict.CORRECT if tree == truth or x == y else Verdict.WRONG)
            else:
                verdicts.append(None)
                inputs.append(pair)
        outcomes = iter(await self._sandbox.run(Job(_PROGRAM, tuple(inputs), limits=self._limits)))
        return [_verdict(next(outcomes)) if verdict is None else verdict for verdict in verdicts]

    def close(self) -> None:
        """Ends the sandbox that was opened here."""
        if self._own:
            self._sandbox.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _open(servers: int, min_level: str) -> Sandbox:
    if importlib.util.find_spec("sympy") is None:
        raise SandboxUnavailable("Mathematics by meaning needs sympy: install the `train` extra, or sympy alone.")
    return open_sandbox(servers, min_level=min_level, preload=(MODULE,), witnesses=0)


def _verdict(outcome: Outcome) -> Verdict:
    if outcome.status is Status.OK:
        return Verdict.CORRECT if outcome.value == encode(True) else Verdict.WRONG
    if outcome.status in (Status.CPU, Status.WALL, Status.MEMORY):
        return Verdict.TIMEOUT
    wrong = outcome.status is Status.RAISED and outcome.error not in ("ImportError", "OSError", "PermissionError")
    return Verdict.WRONG if wrong else Verdict.CRASHED
