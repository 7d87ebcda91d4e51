"""Knights and knaves: islanders speak about each other; who always tells the truth, and who always lies?

After Raymond Smullyan, What Is the Name of This Book? (1978).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Self

from verifiers.puzzles import answers, statements
from verifiers.puzzles.answers import Answer
from verifiers.puzzles.kind import BadPuzzle, Puzzle, clauses, few, quoted
from verifiers.puzzles.labels import Tree, label, leaves
from verifiers.puzzles.nogoods import forbidden
from verifiers.puzzles.propositions import rows
from verifiers.puzzles.search import Problem
from verifiers.puzzles.statements import Statement

_WORDS = {"knight": "knight", "knave": "knave", "liar": "knave"}


@dataclass(frozen=True)
class Knights(Puzzle):
    """said: pairs of a speaker and a statement."""

    said: tuple[tuple[str, Statement], ...]

    kind = "knights"
    rules = "Knights always tell the truth, knaves always lie. `A: B lies` means that A says so."
    form = "A: B lies; B: A and C lie; C: A lies or B tells the truth; A: A and C differ; B: exactly 1 lies"
    examples = (
        ("A: B lies; B: A and B lie", "A = knight, B = knave"),
        (
            "A: A and C lie; B: B or C tells the truth; C: A lies or B tells the truth",
            "A = knave, B = knight, C = knight",
        ),
    )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted({name for speaker, said in self.said for name in (speaker, *statements.mentioned(said))}))

    @property
    def values(self) -> tuple[str, ...]:
        return ("knave", "knight")

    @classmethod
    def parse(cls, text: str) -> Self:
        found = []
        for clause in clauses(text):
            speaker, mark, said = clause.partition(":")
            if not mark:
                raise BadPuzzle("parse", f"{quoted(clause)} does not begin with a speaker and a colon.")
            statements.check_name(speaker.strip())
            found.append((speaker.strip(), statements.parse(said.strip())))
        puzzle = cls(tuple(found))
        few(puzzle.names)
        return puzzle

    def normal(self) -> Self:
        ordered, _ = label(self._trees(), dict.fromkeys(self.names, "islander"))
        names = dict(zip(ordered, "ABCDEF", strict=False))
        renamed = {(names[speaker], statements.renamed(said, names)) for speaker, said in self.said}
        return type(self)(tuple(sorted(renamed, key=lambda pair: (pair[0], statements.write(pair[1])))))

    def text(self) -> str:
        return "; ".join(f"{speaker}: {statements.write(said)}" for speaker, said in self.said)

    def problem(self) -> Problem:
        names = self.names
        tables = []
        for speaker, said in self.said:
            formula: Tree = ("iff", speaker, statements.formula(said, names))
            about = sorted(leaves(formula))
            tables.append((tuple(map(names.index, about)), rows(formula, about)))
        return Problem((2,) * len(names), tuple(tables))

    def holds(self, answer: Answer) -> bool:
        return all((answer[speaker] == "knight") == statements.true(said, answer) for speaker, said in self.said)

    def read(self, text: str) -> Answer | None:
        return answers.read(text, self.names, _WORDS)

    def identities(self) -> tuple[str, str]:
        names = self.names
        sorts = dict.fromkeys(names, "islander")
        trees = forbidden(self.problem(), lambda who, value: ("is", names[who], str(value)), whole=True)
        return label(self._trees(), sorts)[1], label(trees, sorts)[1]

    @classmethod
    def generate(cls, rng: random.Random, level: int) -> str:
        """`level + 1` islanders, each of whom says one thing."""
        names = "ABCDEF"[: level + 1]
        while True:
            puzzle = cls(tuple((name, statements.draw(rng, names)) for name in names))
            solved = puzzle.solve()
            if len(solved.answers) == 1:
                return puzzle.normal().text()

    def _trees(self) -> list[Tree]:
        return [("says", speaker, said) for speaker, said in self.said]
