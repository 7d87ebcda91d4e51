"""Premises about letters: which letters must be true, which must be false, and which are left open?

Deviation from the usual question, whether one conclusion follows: its answer, yes or no or neither, is guessed one time
in three. Here every letter is asked at once.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from typing import Self

from verifiers.puzzles.answers import Answer
from verifiers.puzzles.kind import NODES, Puzzle, Solved, clauses, few
from verifiers.puzzles.labels import Tree, label, leaves
from verifiers.puzzles.nogoods import forbidden
from verifiers.puzzles.propositions import holds, parse, renamed, rows, tidy, write
from verifiers.puzzles.search import Problem, search

_LETTERS = "pqrstu"


@dataclass(frozen=True)
class Entailment(Puzzle):
    """premises: formulas; a conjunction is kept as its parts."""

    premises: tuple[Tree, ...]

    kind = "entailment"
    rules = "Each letter is true or false, and all premises hold. A letter whose value they leave open is unknown."
    form = "p; p -> q; q or r; not (r and s)"
    examples = (
        ("r; p or q; r -> p", "p = true, q = unknown, r = true"),
        ("not r; q -> not p; q or r", "p = false, q = true, r = false"),
    )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(frozenset().union(*map(leaves, self.premises))))

    @property
    def values(self) -> tuple[str, ...]:
        return ("false", "true", "unknown")

    @classmethod
    def parse(cls, text: str) -> Self:
        found = [tidy(parse(clause)) for clause in clauses(text)]
        split = [part for tree in found for part in (tree[1:] if tree[0] == "and" else [tree])]
        puzzle = cls(tuple(split))
        few(puzzle.names if split else ())
        return puzzle

    def normal(self) -> Self:
        ordered, _ = label(self.premises, dict.fromkeys(self.names, "letter"))
        names = dict(zip(ordered, _LETTERS, strict=False))
        return type(self)(tuple(sorted({tidy(renamed(tree, names)) for tree in self.premises}, key=_place)))

    def text(self) -> str:
        return "; ".join(map(write, self.premises))

    def problem(self) -> Problem:
        names = self.names
        tables = []
        for tree in self.premises:
            about = sorted(leaves(tree))
            tables.append((tuple(map(names.index, about)), rows(tree, about)))
        return Problem((2,) * len(names), tuple(tables))

    def solve(self, budget: int = NODES) -> Solved:
        """One model, and for each letter that no premise gives a search for one where it is otherwise. The cost is the
        steps of all searches."""
        problem = self.problem()
        first = search(problem, 1, budget)
        nodes, cost, inferred = first.nodes, first.steps, 0
        if not first.solutions:
            return Solved((), cost, 0, first.complete)
        (model,) = first.solutions
        values = list(model)
        for letter, mask in enumerate(problem.given()):
            if mask.bit_count() == 1:
                continue
            other = Problem(problem.sizes, (*problem.tables, ((letter,), ((1 - model[letter],),))))
            found = search(other, 1, budget - nodes)
            nodes, cost = nodes + found.nodes, cost + found.steps
            if not found.complete:
                return Solved((), cost, 0, False)
            values[letter] = 2 if found.solutions else model[letter]
            inferred += not found.solutions
        return Solved((self.answer(values),), cost, inferred, True)

    def holds(self, answer: Answer) -> bool:
        """By the whole truth table."""
        seen: dict[str, set[bool]] = {name: set() for name in self.names}
        for picked in itertools.product((False, True), repeat=len(self.names)):
            truth = dict(zip(self.names, picked, strict=True))
            if all(holds(tree, truth) for tree in self.premises):
                for name, value in truth.items():
                    seen[name].add(value)
        meant = {"true": {True}, "false": {False}, "unknown": {True, False}}
        return all(seen[name] == meant[answer[name]] for name in self.names)

    def identities(self) -> tuple[str, str]:
        names = self.names
        _, form = label(self.premises, dict.fromkeys(names, "letter"))
        trees = forbidden(self.problem(), lambda letter, value: ("is", names[letter], str(value)))
        return form, label(trees, dict.fromkeys(names, "letter"))[1]

    def space(self) -> int:
        """Not counted: that nothing follows, which is never asked."""
        return max(1, super().space() - 1)

    @classmethod
    def generate(cls, rng: random.Random, level: int) -> str:
        """`level + 1` letters, one of them given, and as many premises of two or three letters, such that the values of
        more than half of the others follow."""
        letters = _LETTERS[: level + 1]
        while True:
            truth = {letter: rng.random() < 0.5 for letter in letters}
            given = rng.choice(letters)
            premises: list[Tree] = [given if truth[given] else ("not", given)]
            while len(premises) < len(letters) + (level > 1):
                tree = _premise(rng, letters)
                if holds(tree, truth):
                    premises.append(tree)
            puzzle = cls(tuple(map(tidy, premises)))
            if puzzle.names == tuple(letters) and puzzle.solve().inferred > level / 2:
                return puzzle.normal().text()


def _place(tree: Tree) -> tuple[int, str]:
    return len(leaves(tree)), write(tree)


def _premise(rng: random.Random, letters: str) -> Tree:
    picked = rng.sample(letters, min(len(letters), rng.choice((2, 2, 3))))
    first, second, *more = (letter if rng.random() < 0.6 else ("not", letter) for letter in picked)
    if more:
        return (rng.choice(("if", "if", "or")), (rng.choice(("and", "or")), first, second), more[0])
    return (rng.choice(("if", "if", "or", "iff")), first, second)
