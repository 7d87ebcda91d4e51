"""Proposers, one file a family: how the policy is asked for a task, and how its words become a draft."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from selfplay.records import Draft, Refusal, Task


class Proposer(Protocol):
    """`style` is `completion` (bare text to continue) or `chat` (messages for the model's template)."""

    name: str

    def seeds(self) -> Sequence[Draft]:
        """What the first references are made of, when the bank is empty."""

    def prompt(self, references: Sequence[Task], style: str) -> str | list[dict[str, str]]:
        """The request for one new task, with earlier ones to learn from."""

    def stop(self, style: str) -> tuple[str, ...]:
        """Strings that end the policy's words."""

    def read(self, text: str, style: str) -> Draft | Refusal:
        """The draft in the words, or a refusal at the gate `parse`."""
