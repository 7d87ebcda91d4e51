"""A small Latin square: each row and each column holds each digit once; some cells are given, some are compared."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from verifiers.puzzles.answers import MAX_ANSWER, Answer
from verifiers.puzzles.kind import MAX_CLAUSES, BadPuzzle, Puzzle, clauses, quoted, thin
from verifiers.puzzles.labels import Tree, label
from verifiers.puzzles.search import Problem, Rows, Scope

Cell = tuple[int, int]
_ROW = re.compile(r"[1-4_]{3,4}")
_BETWEEN = re.compile(r"[\s/,;|]")
_COMPARED = re.compile(r"([a-d])([1-4]) ?([<>]) ?([a-d])([1-4])")
_LEVELS = {1: (3, 3, False), 2: (3, 0, False), 3: (3, 0, True), 4: (4, 0, False), 5: (4, 0, True)}


@dataclass(frozen=True)
class Grid(Puzzle):
    """given: the cells from left to right and from the top, 0 for an open one. less: pairs of cells of which the first
    holds less, each (row, column) from 0."""

    given: tuple[tuple[int, ...], ...]
    less: tuple[tuple[Cell, Cell], ...] = ()

    kind = "grid"
    rules = (
        "Each row and each column holds each digit from 1 to the size once; `_` is open. "
        "Rows are parted by `/`; a1 a2 are the first cells of the first row, b1 is below a1."
    )
    form = "1 _ _ / _ _ 2 / _ _ _; a2 < c2"
    examples = (
        ("1 2 3 / _ _ 1 / _ _ _", "1 2 3 / 2 3 1 / 3 1 2"),
        ("_ _ 2 / _ _ _ / _ _ _; a1 < a2; b2 < b1; c3 < b3", "1 3 2 / 2 1 3 / 3 2 1"),
    )

    @property
    def size(self) -> int:
        return len(self.given)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{'abcd'[row]}{column + 1}" for row in range(self.size) for column in range(self.size))

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(str(digit + 1) for digit in range(self.size))

    @classmethod
    def parse(cls, text: str) -> Self:
        head, *others = clauses(text, MAX_CLAUSES + 1) or [""]
        rows = [re.sub(r"[.?0]", "_", row.replace(" ", "")) for row in head.split("/")]
        size = len(rows)
        if size not in (3, 4) or not all(_ROW.fullmatch(row) and len(row) == size for row in rows):
            raise BadPuzzle("parse", f"{quoted(head)} is not 3 rows of 3 or 4 of 4 digits or `_`, parted by `/`.")
        if any(cell > str(size) for cell in head if cell.isdigit()):
            raise BadPuzzle("parse", f"{quoted(head)} holds a digit over {size}.")
        given = tuple(tuple(0 if cell == "_" else int(cell) for cell in row) for row in rows)
        return cls(given, tuple(_compared(clause, size) for clause in others))

    def normal(self) -> Self:
        return type(self)(self.given, tuple(sorted(set(self.less))))

    def text(self) -> str:
        names = self.names
        head = " / ".join(" ".join("_1234"[digit] for digit in row) for row in self.given)
        compared = [f"{names[self._place(a)]} < {names[self._place(b)]}" for a, b in self.less]
        return "; ".join([head, *compared])

    def problem(self) -> Problem:
        every = range(self.size)
        unequal = tuple((a, b) for a in every for b in every if a != b)
        smaller = tuple((a, b) for a in every for b in every if a < b)
        tables: list[tuple[Scope, Rows]] = [((self._place(a), self._place(b)), smaller) for a, b in self.less]
        for row, column in _cells(self.size):
            if digit := self.given[row][column]:
                tables.append(((self._place((row, column)),), ((digit - 1,),)))
        for line in every:
            for a, b in itertools.combinations(every, 2):
                tables.append(((self._place((line, a)), self._place((line, b))), unequal))
                tables.append(((self._place((a, line)), self._place((b, line))), unequal))
        return Problem((self.size,) * self.size**2, tuple(tables))

    def holds(self, answer: Answer) -> bool:
        names, digits = self.names, set(self.values)
        cells = [answer[name] for name in names]
        rows = [cells[start : start + self.size] for start in range(0, len(cells), self.size)]
        return (
            all(set(line) == digits for line in [*rows, *zip(*rows, strict=True)])
            and all(
                rows[r][c] == str(digit) for r, line in enumerate(self.given) for c, digit in enumerate(line) if digit
            )
            and all(rows[a][b] < rows[c][d] for (a, b), (c, d) in self.less)
        )

    def read(self, text: str) -> Answer | None:
        """The digits row by row, with or without blanks, commas, slashes and line ends between them."""
        cells = _BETWEEN.sub("", text[: MAX_ANSWER + 1])
        if len(text) > MAX_ANSWER or len(cells) != self.size**2 or not set(cells) <= set(self.values):
            return None
        return dict(zip(self.names, cells, strict=True))

    def say(self, answer: Answer) -> str:
        cells = [answer[name] for name in self.names]
        return " / ".join(" ".join(cells[start : start + self.size]) for start in range(0, len(cells), self.size))

    def identities(self) -> tuple[str, str]:
        """A comparison of two given cells says nothing."""
        shown = {cell for cell in _cells(self.size) if self.given[cell[0]][cell[1]]}
        telling = [pair for pair in self.less if not shown.issuperset(pair)]
        return self._form(self.less), self._form(telling)

    def every_answer(self) -> Iterator[Answer]:
        """Every way to fill the rows with each digit once."""
        lines = list(itertools.permutations(range(1, self.size + 1)))
        fits = [
            [line for line in lines if all(given in (0, digit) for given, digit in zip(row, line, strict=True))]
            for row in self.given
        ]
        for rows in itertools.product(*fits):
            yield {name: str(digit) for name, digit in zip(self.names, itertools.chain(*rows), strict=True)}

    def space(self) -> int:
        return math.prod(math.factorial(row.count(0)) for row in self.given)

    @classmethod
    def generate(cls, rng: random.Random, level: int) -> str:
        """As few clues as decide a 3 x 3 square, and three cells more at the first level; with compared cells at the
        third; then 4 x 4, without and with compared cells."""
        size, more, compare = _LEVELS[level]
        rows, cells = _square(rng, size), _cells(size)

        def puzzle(parts: Sequence[tuple[Cell, ...]]) -> Grid:
            shown = {part[0] for part in parts if len(part) == 1}
            given = tuple(tuple(rows[r][c] if (r, c) in shown else 0 for c in range(size)) for r in range(size))
            return cls(given, tuple((part[0], part[1]) for part in parts if len(part) == 2))

        given: list[tuple[Cell, ...]] = [(cell,) for cell in cells]
        less: list[tuple[Cell, ...]] = [
            (a, b) if rows[a[0]][a[1]] < rows[b[0]][b[1]] else (b, a)
            for a, b in itertools.combinations(cells, 2)
            if compare and abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
        ]
        while True:
            parts = [*rng.sample(given, len(given)), *rng.sample(less, len(less))]
            left = thin(parts, lambda some: len(puzzle(some).solve().answers) == 1)
            left += [part for part in parts if part not in left][:more]
            if len(left) <= MAX_CLAUSES:
                return puzzle(left).normal().text()

    def _place(self, cell: Cell) -> int:
        return cell[0] * self.size + cell[1]

    def _form(self, less: Sequence[tuple[Cell, Cell]]) -> str:
        """The least of the texts of the square, its mirror image, and where cells are compared, the same two with the
        digits counted from the other end. Where none are, the digits are names like the lines."""
        compared = bool(less)
        sorts = {f"{line} {place}": line for line in ("row", "column") for place in range(self.size)}
        if not compared:
            sorts |= dict.fromkeys(self.values, "digit")
        forms = []
        for turned, flipped in itertools.product((False, True), (False, True) if compared else (False,)):
            cells = {cell: _tree(cell, turned) for cell in _cells(self.size)}
            trees: list[Tree] = [("<", *(cells[cell] for cell in (pair[::-1] if flipped else pair))) for pair in less]
            for (row, column), cell in cells.items():
                if digit := self.given[row][column]:
                    trees.append(("is", cell, str(self.size + 1 - digit if flipped else digit)))
            forms.append(label(trees, sorts)[1])
        return f"{self.size}: {min(forms)}"


def _cells(size: int) -> list[Cell]:
    return [(row, column) for row in range(size) for column in range(size)]


def _tree(cell: Cell, turned: bool) -> Tree:
    row, column = reversed(cell) if turned else cell
    return "cell", f"row {row}", f"column {column}"


def _compared(clause: str, size: int) -> tuple[Cell, Cell]:
    found = _COMPARED.fullmatch(clause.lower())
    if found is None:
        raise BadPuzzle("parse", f"{quoted(clause)} does not compare two cells, like `a1 < b2`.")
    row, column, sign, other_row, other_column = found.groups()
    first, second = ("abcd".index(row), int(column) - 1), ("abcd".index(other_row), int(other_column) - 1)
    if first == second or max(*first, *second) >= size:
        raise BadPuzzle("parse", f"{quoted(clause)} does not compare two cells of the grid.")
    return (first, second) if sign == "<" else (second, first)


def _square(rng: random.Random, size: int) -> list[list[int]]:
    """The table of a group of this order with rows, columns and digits shuffled."""
    rows, columns, digits = (rng.sample(range(size), size) for _ in range(3))
    mixed = size == 4 and rng.random() < 0.5
    return [[digits[r ^ c if mixed else (r + c) % size] + 1 for c in columns] for r in rows]
