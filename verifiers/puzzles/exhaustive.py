"""The slow witness: every answer is tried. Tests hold the search against it; nothing else asks it."""

from __future__ import annotations

from verifiers.puzzles.answers import Answer
from verifiers.puzzles.kind import Puzzle


def answers(puzzle: Puzzle) -> list[Answer]:
    """All answers that hold, by the puzzle's own check and without tables or search."""
    return [answer for answer in puzzle.every_answer() if puzzle.holds(answer)]
