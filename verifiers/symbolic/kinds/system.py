"""`system x, y: x + y = 5; x - y = 1`, linear, with exactly one solution.

Second way: the coefficients are read off exact values of the equations, elimination in fractions proves that one
solution exists, and the gold satisfies every equation.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy
from sympy.solvers.solveset import NonlinearError

from verifiers.symbolic.exact import evaluate
from verifiers.symbolic.expression import build
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds import Refused
from verifiers.symbolic.normal import Terms, expand
from verifiers.symbolic.statement import Problem


def trivial(problem: Problem) -> str | None:
    bare = all(sum(bool(monomial) for monomial in _terms(part)) == 1 for part in problem.parts)
    return "Each equation has one letter only." if bare else None


def answer(problem: Problem) -> Any:
    letters = [sympy.Symbol(letter) for letter in problem.letters]
    equations = [build(part[1]) - build(part[2]) for part in problem.parts]
    try:
        solutions = list(sympy.linsolve(equations, letters))
    except NonlinearError as error:
        raise Refused("value", "The system is not linear.") from error
    if len(solutions) != 1 or any(value.free_symbols for value in solutions[0]):
        raise Refused("value", "The system does not have exactly one solution.")
    return list(solutions[0])


def confirm(problem: Problem, gold: Tree) -> bool:
    values = [evaluate(part) for part in gold[1:]]
    if len(values) != len(problem.letters) or None in values:
        return False
    at = {letter: value for letter, value in zip(problem.letters, values, strict=True) if value is not None}
    holds = all(evaluate(part[1], at) == evaluate(part[2], at) is not None for part in problem.parts)
    rows = [[_terms(part).get(((letter, 1),), Fraction(0)) for letter in problem.letters] for part in problem.parts]
    return holds and _regular(rows)


def _terms(part: Tree) -> Terms:
    return expand(("add", part[1], ("neg", part[2])), {})


def _regular(rows: list[list[Fraction]]) -> bool:
    """Whether a square matrix can be inverted, by elimination."""
    for column in range(len(rows)):
        pivot = next((i for i in range(column, len(rows)) if rows[i][column]), None)
        if pivot is None:
            return False
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for i in range(column + 1, len(rows)):
            factor = rows[i][column] / rows[column][column]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column], strict=True)]
    return True
