"""What each clause of a problem forbids, however it is worded."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from verifiers.puzzles.labels import Tree
from verifiers.puzzles.search import Problem, Rows, Scope


def forbidden(problem: Problem, literal: Callable[[int, int], Tree], whole: bool = False) -> list[Tree]:
    """The least sets of values that some clause rules out, each as a tree of `literal(variable, value)`.

    Clauses in other words give the same trees, one that says nothing gives none, and neither does one whose variables
    are all given outright. What follows only from several clauses together is not looked for: a puzzle that says it
    outright is an easier one, so another one.

    whole: keep together what one clause rules out, because finding that is what the puzzle asks.
    """
    given = [mask.bit_count() == 1 for mask in problem.given()]
    found: list[Tree] = []
    for scope, rows in problem.tables:
        if len(scope) == 1 or not all(given[variable] for variable in scope):
            sets = [("not all", *itertools.starmap(literal, pairs)) for pairs in _least(problem.sizes, scope, rows)]
            found += [("and", *sets)] if whole and sets else sets
    return found


def _least(sizes: tuple[int, ...], scope: Scope, rows: Rows) -> list[tuple[tuple[int, int], ...]]:
    found: set[tuple[tuple[int, int], ...]] = set()
    for size in range(1, len(scope) + 1):
        for places in itertools.combinations(range(len(scope)), size):
            allowed = {tuple(row[place] for place in places) for row in rows}
            for picked in itertools.product(*(range(sizes[scope[place]]) for place in places)):
                pairs = tuple((scope[place], value) for place, value in zip(places, picked, strict=True))
                parts = (part for less in range(1, size) for part in itertools.combinations(pairs, less))
                if picked not in allowed and not any(part in found for part in parts):
                    found.add(pairs)
    return sorted(found)
