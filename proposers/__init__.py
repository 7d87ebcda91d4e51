"""Proposers, one file a family: how the policy is asked for a task, and how its words become a draft."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from selfplay.records import Brief, Draft, Refusal


class Proposer(Protocol):
    """`style` is `completion` (bare text to continue) or `chat` (messages for the model's template).

    A proposer may also have `sources`, the families from whose tasks `Brief.source` is drawn, its own among them, and
    `heldout(count) -> Sequence[Draft]`, what the solver of its family is asked by the fixed evaluation.
    """

    name: str

    def seeds(self) -> Sequence[Draft]:
        """What the first references are made of, when the bank is empty."""

    def prompt(self, brief: Brief, style: str) -> str | list[dict[str, str]]:
        """The request for one new task, with earlier ones to learn from and, where there is one, the directive."""

    def stop(self, style: str) -> tuple[str, ...]:
        """Strings that end the policy's words."""

    def read(self, text: str, brief: Brief, style: str) -> Draft | Refusal:
        """The draft in the words that answered `brief`, or a refusal at the gate `parse`."""
