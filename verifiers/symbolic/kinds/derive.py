"""`derive x at 3: x^3 - 2x`, or without a place. Second way: difference quotients at 30 digits, from either side."""

from __future__ import annotations

from typing import Any

import sympy

from verifiers.symbolic.expression import build
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds import Refused
from verifiers.symbolic.normal import expand
from verifiers.symbolic.numeric import Undefined, function, mp, near
from verifiers.symbolic.statement import Problem

_PLACES = ("1.37", "-2.11", "0.73", "3.19")


def trivial(problem: Problem) -> str | None:
    (letter,), (part,) = problem.letters, problem.parts
    powers = {monomial for monomial in expand(part, {}) if any(letter in atom for atom, _ in monomial)}
    return "The formula is linear." if powers <= {((letter, 1),)} else None


def answer(problem: Problem) -> Any:
    letter = sympy.Symbol(problem.letters[0], real=True)
    expression = build(problem.parts[0], {letter.name: letter})
    slope = sympy.diff(expression, letter)
    if slope == expression:
        raise Refused("trivial", "The formula is its own derivative.")
    return slope.subs(letter, build(problem.places[0])) if problem.places else slope


def confirm(problem: Problem, gold: Tree) -> bool:
    (letter,) = problem.letters
    places = [function(place, letter)(None) for place in problem.places] or [mp.mpf(place) for place in _PLACES]
    checks = [_agree(function(problem.parts[0], letter), function(gold, letter), place) for place in places]
    return False not in checks and checks.count(True) >= min(2, len(places))


def _agree(formula: Any, slope: Any, place: Any) -> bool | None:
    """None where the formula has no slope at `place`."""
    try:
        left, right = (mp.diff(formula, place, direction=side) for side in (-1, 1))
    except Undefined:
        return None
    return near(left, slope(place)) and near(right, slope(place))
