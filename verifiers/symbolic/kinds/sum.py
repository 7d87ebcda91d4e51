"""`sum k from 1 to 10: k^2`. Second way: the terms, one by one, as exact fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from verifiers.symbolic.exact import TooLarge, evaluate
from verifiers.symbolic.expression import build
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds import Refused
from verifiers.symbolic.statement import Problem, uses, whole


def trivial(problem: Problem) -> str | None:
    first, last = map(whole, problem.places)
    if not uses(problem.parts[0], problem.letters[0]):
        return "The terms do not depend on the letter."
    return "There is at most one term." if last <= first else None


def answer(problem: Problem) -> Any:
    return closed(problem, sympy.Sum)


def confirm(problem: Problem, gold: Tree) -> bool:
    return sum(terms(problem), Fraction(0)) == evaluate(gold)


def closed(problem: Problem, kind: Any) -> Any:
    """What sympy makes of a sum or a product, once all its terms are known to be small numbers."""
    terms(problem)
    first, last = map(whole, problem.places)
    letter = sympy.Symbol(problem.letters[0], integer=True)
    return kind(build(problem.parts[0], {letter.name: letter}), (letter, first, last)).doit()


def terms(problem: Problem) -> list[Fraction]:
    """The terms of a sum, or the factors of a product. `Refused` where one is no rational number or too large."""
    first, last = map(whole, problem.places)
    found = []
    for n in range(first, last + 1):
        try:
            term = evaluate(problem.parts[0], {problem.letters[0]: Fraction(n)})
        except TooLarge as error:
            raise Refused("value", f"The term at {n} is {error}.") from error
        if term is None:
            raise Refused("value", f"The term at {n} is not a rational number.")
        found.append(term)
    return found
