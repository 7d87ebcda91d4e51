"""Truth: what a task's answer is, and whether an answer is right. Nothing here knows a model or the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selfplay.records import Draft, Refusal, Task, Verdict

__all__ = ["Verifier"]


class Verifier(Protocol):
    """The truth of one family of tasks.

    `examine` passes a proposer's draft through the family's gates: a task with its ground truth, or the first refusal.
    `identity` names what makes two tasks the same one, for the novelty gate.
    `judge` gives one verdict an answer, in order; `None` is an answer that the solver's words did not hold.
    """

    name: str

    async def examine(self, draft: Draft) -> Task | Refusal: ...

    def identity(self, task: Task) -> str: ...

    async def judge(self, task: Task, answers: Sequence[str | None]) -> list[Verdict]: ...
