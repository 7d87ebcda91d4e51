"""Named things take values from a short list: colours, or places in an order, so that every clause holds."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import dataclass
from typing import Self

from verifiers.puzzles.answers import Answer
from verifiers.puzzles.kind import MAX_CLAUSES, BadPuzzle, Puzzle, clauses, few, quoted, thin
from verifiers.puzzles.labels import Tree, label
from verifiers.puzzles.nogoods import forbidden
from verifiers.puzzles.search import Problem, Rows, Scope

MAX_VALUES = 5
_NAME = re.compile(r"[a-z][a-z0-9]{0,11}")
_VALUE = re.compile(r"[a-z0-9]{1,12}")
_CLAUSE = re.compile(r"([a-z0-9]+) ?(!=|==?|<|>) ?([a-z0-9]+)")
_COLOURS = ("red", "green", "blue", "white", "black")
_NAMES = "xyzuvw"
_SIZES = {1: (3, 2), 2: (3, 3), 3: (4, 3), 4: (5, 4), 5: (6, 5)}


@dataclass(frozen=True)
class Colouring(Puzzle):
    """clauses: (sign, name, name or value). With a `<` among them the values have an order, the one they are listed in,
    and are places, not colours."""

    things: tuple[str, ...]
    options: tuple[str, ...]
    clauses: tuple[tuple[str, str, str], ...]

    kind = "colouring"
    rules = "Each name gets one of the values, and all clauses hold. `<` means: earlier in the list of values."
    form = "x y z in red green blue; x != y; y = red; x != blue; y < z"
    examples = (
        ("x y z in red green blue; x != y; x != z; y = red; z != blue; z != red", "x = blue, y = red, z = green"),
        ("x y z in 1 2 3; x < z; z < y", "x = 1, y = 3, z = 2"),
    )

    @property
    def names(self) -> tuple[str, ...]:
        return self.things

    @property
    def values(self) -> tuple[str, ...]:
        return self.options

    @classmethod
    def parse(cls, text: str) -> Self:
        head, *others = clauses(text.lower(), MAX_CLAUSES + 1) or [""]
        listed, mark, options = (part.replace(",", " ").split() for part in f" {head} ".partition(" in "))
        if not mark or not all(map(_NAME.fullmatch, listed)) or not all(map(_VALUE.fullmatch, options)):
            raise BadPuzzle("parse", f"{quoted(head)} is no list of names, `in`, and a list of values.")
        if len({*listed, *options}) < len(listed) + len(options):
            raise BadPuzzle("parse", f"{quoted(head)} lists a word twice.")
        few(listed)
        if not 2 <= len(options) <= MAX_VALUES:
            raise BadPuzzle("size", f"There are not 2 to {MAX_VALUES} values.")
        return cls(tuple(listed), tuple(options), tuple(_clause(clause, listed, options) for clause in others))

    def normal(self) -> Self:
        ordered, _ = label(self._trees(), self._sorts())
        things = dict(zip([name for name in ordered if name in self.things], _NAMES, strict=False))
        options = self._numbers() or dict(
            zip([word for word in ordered if word in self.options], _COLOURS, strict=False)
        )
        names = things | options
        renamed = {_sorted(sign, names[left], names[right]) for sign, left, right in self.clauses}
        listed = sorted(renamed, key=lambda clause: ([_NAMES.find(word) for word in clause[1:]], clause))
        return type(self)(tuple(things.values()), tuple(options.values()), tuple(listed))

    def text(self) -> str:
        head = f"{' '.join(self.things)} in {' '.join(self.options)}"
        return "; ".join([head, *(f"{left} {sign} {right}" for sign, left, right in self.clauses)])

    def problem(self) -> Problem:
        places = {word: place for words in (self.things, self.options) for place, word in enumerate(words)}
        every = range(len(self.options))
        tables = []
        for sign, left, right in self.clauses:
            scope: Scope
            rows: Rows
            if right in self.options:
                scope = (places[left],)
                rows = tuple((value,) for value in every if (value == places[right]) == (sign == "="))
            else:
                scope = (places[left], places[right])
                allowed = {"=": (0,), "!=": (-1, 1), "<": (-1,)}[sign]
                rows = tuple((a, b) for a in every for b in every if (a > b) - (a < b) in allowed)
            tables.append((scope, rows))
        return Problem((len(self.options),) * len(self.things), tuple(tables))

    def holds(self, answer: Answer) -> bool:
        for sign, left, right in self.clauses:
            first, second = answer[left], answer.get(right, right)
            if sign == "<":
                if self.options.index(first) >= self.options.index(second):
                    return False
            elif (first == second) is not (sign == "="):
                return False
        return True

    def identities(self) -> tuple[str, str]:
        sorts, numbers = self._sorts(), self._numbers()
        head = f"{len(self.things)} in {len(self.options)}: "
        values = [numbers.get(value, value) for value in self.options]
        trees = forbidden(self.problem(), lambda name, value: ("is", self.things[name], values[value]))
        return head + label(self._trees(), sorts)[1], head + label(trees, sorts)[1]

    @classmethod
    def generate(cls, rng: random.Random, level: int) -> str:
        """As few clauses as decide three names in two values at the first level, six in five at the last; in half of
        the puzzles the values have an order. Clauses that give a value are the first to go."""
        size, count = _SIZES[level]
        things, options = tuple(_NAMES[:size]), _COLOURS[:count]
        signs = ("!=", "<") if rng.random() < 0.5 else ("!=",)
        while True:
            truth = {name: rng.choice(options) for name in things}
            given = [("=", name, truth[name]) for name in things]
            others = [("!=", name, value) for name in things for value in options if value != truth[name]]
            for left, right in itertools.permutations(things, 2):
                order = options.index(truth[left]) - options.index(truth[right])
                if order < 0 or order == 0 and left < right:
                    others.append(("=" if order == 0 else rng.choice(signs), left, right))
            parts = [*rng.sample(given, len(given)), *rng.sample(others, len(others))]
            left_over = thin(parts, lambda some: len(cls(things, options, tuple(some)).solve().answers) == 1)
            puzzle = cls(things, options, tuple(left_over))
            if puzzle.solve().inferred and len(left_over) <= MAX_CLAUSES:
                return puzzle.normal().text()

    def _numbers(self) -> dict[str, str]:
        """The values' places, where they have an order."""
        ordered = any(sign == "<" for sign, _, _ in self.clauses)
        return {value: str(place) for place, value in enumerate(self.options, 1)} if ordered else {}

    def _trees(self) -> list[Tree]:
        numbers = self._numbers()
        return [(sign, left, numbers.get(right, right)) for sign, left, right in self.clauses]

    def _sorts(self) -> dict[str, str]:
        things = dict.fromkeys(self.things, "name")
        return things if self._numbers() else things | dict.fromkeys(self.options, "value")


def _clause(text: str, names: list[str], options: list[str]) -> tuple[str, str, str]:
    found = _CLAUSE.fullmatch(text)
    if found is None:
        raise BadPuzzle("parse", f"{quoted(text)} is no clause like `x != y`, `x = red` or `x < y`.")
    left, sign, right = found.groups()
    sign = "=" if sign == "==" else sign
    if sign == ">":
        left, sign, right = right, "<", left
    if left in options and sign != "<":
        left, right = right, left
    known = left in names and (right in names or right in options and sign != "<")
    if not known or left == right:
        raise BadPuzzle("parse", f"{quoted(text)} compares no name with another, or by `=` or `!=` with a value.")
    return sign, left, right


def _sorted(sign: str, left: str, right: str) -> tuple[str, str, str]:
    swap = sign != "<" and right in _NAMES and _NAMES.find(left) > _NAMES.find(right)
    return (sign, right, left) if swap else (sign, left, right)
