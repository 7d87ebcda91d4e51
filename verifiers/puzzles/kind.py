"""What every kind of puzzle is: a short text, a problem for the search, and a check of an answer without search."""

from __future__ import annotations

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self, TypeVar

from verifiers.puzzles import answers
from verifiers.puzzles.answers import Answer
from verifiers.puzzles.search import Problem, search

LEVELS = 5
NODES = 1_000  # of the search, at most
MAX_TEXT = 600  # characters of a puzzle
MAX_CLAUSES = 16
MAX_NAMES = 6
_CLAUSE = re.compile(r"[;\n]")
Part = TypeVar("Part")


class BadPuzzle(ValueError):
    """The text is no puzzle of its kind. `gate` is `parse` or `size`; the message is one sentence for its writer."""

    def __init__(self, gate: str, detail: str) -> None:
        super().__init__(detail)
        self.gate = gate


@dataclass(frozen=True, slots=True)
class Solved:
    """answers: none, the one, or two of several. cost: inference steps, see `search.Found.steps`. inferred: how many
    names have a value that no clause gives outright. complete: the node budget was enough."""

    answers: tuple[Answer, ...]
    cost: int
    inferred: int
    complete: bool


class Puzzle(ABC):
    """One puzzle. `names` are what an answer gives a value to, `values` what it may give, in the order shown.

    rules: what a solver and a proposer are told. form: what a proposer is told to write. examples: puzzles in normal
    form with their answers, which a solver may be shown; they are no tasks.
    """

    kind: ClassVar[str]
    rules: ClassVar[str]
    form: ClassVar[str]
    examples: ClassVar[tuple[tuple[str, str], ...]]

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]: ...

    @property
    @abstractmethod
    def values(self) -> tuple[str, ...]: ...

    @classmethod
    @abstractmethod
    def parse(cls, text: str) -> Self:
        """The puzzle as written. Raises `BadPuzzle`."""

    @classmethod
    @abstractmethod
    def generate(cls, rng: random.Random, level: int) -> str:
        """The text of a puzzle with one answer, harder the higher the level, from 1 to `LEVELS`."""

    @abstractmethod
    def normal(self) -> Self:
        """The same puzzle with canonical names and its clauses in order, each once."""

    @abstractmethod
    def text(self) -> str:
        """What `parse` reads as this puzzle."""

    @abstractmethod
    def problem(self) -> Problem:
        """The clauses as tables, variable i the i-th name, value j the j-th value."""

    @abstractmethod
    def holds(self, answer: Answer) -> bool:
        """Is it the answer? Reads the clauses directly: neither the tables nor the search have a part in it."""

    @abstractmethod
    def identities(self) -> tuple[str, str]:
        """The form up to renaming, and what the clauses forbid up to renaming."""

    def solve(self, budget: int = NODES) -> Solved:
        """budget: search nodes."""
        problem = self.problem()
        found = search(problem, 2, budget)
        open_names = sum(mask.bit_count() > 1 for mask in problem.given())
        return Solved(tuple(map(self.answer, found.solutions)), found.steps, open_names, found.complete)

    def answer(self, solution: Sequence[int]) -> Answer:
        return {name: self.values[value] for name, value in zip(self.names, solution, strict=True)}

    def read(self, text: str) -> Answer | None:
        """The answer in the text; None where it gives not exactly one value to each name."""
        return answers.read(text, self.names, {value: value for value in self.values})

    def say(self, answer: Answer) -> str:
        """The canonical text of an answer."""
        return ", ".join(f"{name} = {answer[name]}" for name in self.names)

    def every_answer(self) -> Iterator[Answer]:
        """All that may be answered, for tests; `space` counts those that repeat what is given outright."""
        return answers.every(self.names, self.values)

    def space(self) -> int:
        return len(self.values) ** sum(mask.bit_count() > 1 for mask in self.problem().given())


def clauses(text: str, most: int = MAX_CLAUSES) -> list[str]:
    """The parts between semicolons or line ends. Raises `BadPuzzle` at the gate `size`, before any other work."""
    if len(text) > MAX_TEXT:
        raise BadPuzzle("size", f"The puzzle has over {MAX_TEXT} characters.")
    found = [" ".join(part.split()) for part in _CLAUSE.split(text) if part.strip()]
    if len(found) > most:
        raise BadPuzzle("size", f"The puzzle has over {MAX_CLAUSES} clauses.")
    return found


def quoted(text: str) -> str:
    """The writer's words as a refusal shows them."""
    return f"`{text}`" if len(text) <= 60 else f"`{text[:60]}…`"


def few(names: Sequence[str]) -> None:
    """Raises `BadPuzzle` for fewer than two names, or too many."""
    if len(names) < 2:
        raise BadPuzzle("size", "The puzzle is about fewer than two names.")
    if len(names) > MAX_NAMES:
        raise BadPuzzle("size", f"The puzzle is about over {MAX_NAMES} names.")


def thin(parts: Sequence[Part], decides: Callable[[list[Part]], bool]) -> list[Part]:
    """As few of the parts as still decide the puzzle: one after another, in the order given, goes if it can."""
    left = list(parts)
    for part in parts:
        fewer = [other for other in left if other != part]
        if decides(fewer):
            left = fewer
    return left
