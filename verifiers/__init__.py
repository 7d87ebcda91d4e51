"""Truth: what a task's answer is, and whether an answer is right. Nothing here knows a model or the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selfplay.records import Draft, Refusal, Task, Verdict

__all__ = ["Verifier"]


class Verifier(Protocol):
    """The truth of one family of tasks.

    `examine` passes a proposer's draft through the family's gates: a task with its ground truth, its identities and its
    themes, or the first refusal. `judge` gives one verdict an answer, in order; `None` is an answer that the solver's
    words did not hold.

    The constructor takes a `Sandbox`. A verifier may also have

    - `modules`: what its own programs import in the sandbox beside the usual modules, for example a library; `None`
      where it runs no program at all (it is then given `None`);
    - `renames = True`: its constructor also takes `rename`, whether a program's own names are made neutral;
    - `renamed(task) -> Task`: the task with neutral names in its program, to see what its names tell a solver;
    - `themes`: the names that a task's `themes` are taken from;
    - `async recheck(task) -> Refusal | None`: run an admitted task once more; a refusal evicts it;
    - `guess(task) -> float`: the rate at which a blind guess is right, 0 where unknown;
    - `normal(answer) -> str`: one spelling for all answers that mean the same, so that luck can be told from knowledge.
    """

    name: str

    async def examine(self, draft: Draft) -> Task | Refusal: ...

    async def judge(self, task: Task, answers: Sequence[str | None]) -> list[Verdict]: ...
