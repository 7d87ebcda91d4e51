"""`maximum x from 0 to 3: 6x - x^2`. Second way: a scan of the range, closed in on by golden sections."""

from __future__ import annotations

from typing import Any

import sympy
from sympy.calculus.util import maximum

from verifiers.symbolic.expression import build
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds import Refused
from verifiers.symbolic.numeric import fp, function, mp, near, real
from verifiers.symbolic.statement import Problem, uses

_POINTS = 400
_GOLDEN = "0.6180339887498948482045868343656"


def trivial(problem: Problem) -> str | None:
    (letter,), (part,) = problem.letters, problem.parts
    if part in (("name", letter), ("neg", ("name", letter))):
        return "The greatest and the least value of a letter are the ends of its range."
    return None if uses(part, letter) else "The formula does not depend on the letter."


def answer(problem: Problem) -> Any:
    return extreme(problem, maximum)


def confirm(problem: Problem, gold: Tree) -> bool:
    return near(scanned(problem, 1), real(gold))


def extreme(problem: Problem, kind: Any) -> Any:
    """What sympy finds on the closed range."""
    letter = sympy.Symbol(problem.letters[0], real=True)
    first, last = map(build, problem.places)
    return kind(build(problem.parts[0], {letter.name: letter}), letter, sympy.Interval(first, last))


def scanned(problem: Problem, sign: int) -> Any:
    """The greatest value of the formula times `sign`, times `sign`; it must be defined all over the range."""
    first, last = map(real, problem.places)
    if first >= last:
        raise Refused("value", "The range is empty or runs backwards.")
    rough, fine = (function(problem.parts[0], problem.letters[0], context) for context in (fp, mp))
    step = (last - first) / _POINTS
    places = [first + step * i for i in range(_POINTS)] + [last]
    values = [sign * rough(float(place)) for place in places]
    best = max(range(len(places)), key=values.__getitem__)
    low, high = places[max(best - 1, 0)], places[min(best + 1, _POINTS)]
    ends = [sign * fine(place) for place in (first, last)]
    return sign * max(*ends, _closed_in(lambda at: sign * fine(at), low, high))


def _closed_in(formula: Any, low: Any, high: Any) -> Any:
    """The top of a hill with one peak between `low` and `high`."""
    ratio = mp.mpf(_GOLDEN)
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    a, b = formula(left), formula(right)
    for _ in range(110):
        if a < b:
            low, left, a = left, right, b
            right = low + ratio * (high - low)
            b = formula(right)
        else:
            high, right, b = right, left, a
            left = high - ratio * (high - low)
            a = formula(left)
    return max(a, b)
