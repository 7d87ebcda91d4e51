"""Puzzles with exactly one answer, one file a kind, and the search that proves it."""

from __future__ import annotations

import random

from verifiers.puzzles.colouring import Colouring
from verifiers.puzzles.entailment import Entailment
from verifiers.puzzles.grid import Grid
from verifiers.puzzles.kind import LEVELS, Puzzle
from verifiers.puzzles.knights import Knights

KINDS: dict[str, type[Puzzle]] = {kind.kind: kind for kind in (Knights, Colouring, Entailment, Grid)}


def generate(kind: str, rng: random.Random, difficulty: int) -> str:
    """The text of a random puzzle of this kind, from difficulty 1 to `LEVELS`; the mean cost grows with every level.

    It makes the proposer's first examples, and it is the reference that a trained proposer is measured against; tasks
    come from the policy. Raises `ValueError`.
    """
    if kind not in KINDS or not 1 <= difficulty <= LEVELS:
        raise ValueError(f"a puzzle is of a kind out of {', '.join(KINDS)} and of a difficulty from 1 to {LEVELS}")
    return KINDS[kind].generate(rng, difficulty)
