"""Solvers, one file a family (and the seat of a game): how the policy is asked for an answer, and how its words become
one."""

from __future__ import annotations

from typing import Protocol

from selfplay.records import Task


class Solver(Protocol):
    """`style` is `completion` (bare text to continue) or `chat` (messages for the model's template).

    A solver whose prompt works out examples also has `worked() -> Sequence[Draft]`: such tasks are never admitted.
    """

    name: str

    def prompt(self, task: Task, style: str) -> str | list[dict[str, str]]:
        """The task as a question. It holds nothing of the truth."""

    def stop(self, style: str) -> tuple[str, ...]:
        """Strings that end the policy's words."""

    def read(self, text: str, style: str) -> str | None:
        """The answer in the words; None when there is none."""
