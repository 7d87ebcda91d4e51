"""`limit x to 0: sin(x)/x`, from every side on which the formula is defined. Second way: values closer and closer."""

from __future__ import annotations

from typing import Any

import sympy

from verifiers.symbolic.expression import build
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds import Refused
from verifiers.symbolic.numeric import Undefined, function, mp, real
from verifiers.symbolic.statement import Problem, uses

_STEPS = (8, 12)  # distances 10^-8 and 10^-12, or that far out
_DIGITS = 120
_INFINITE = {("constant", "oo"): 1, ("neg", ("constant", "oo")): -1}


def trivial(problem: Problem) -> str | None:
    (letter,), (part,) = problem.letters, problem.parts
    if part == ("name", letter):
        return "The limit of a letter is its place."
    return None if uses(part, letter) else "The formula does not depend on the letter."


def answer(problem: Problem) -> Any:
    letter = sympy.Symbol(problem.letters[0], real=True)
    expression, place = build(problem.parts[0], {letter.name: letter}), build(problem.places[0])
    sides = ["-"] if problem.places[0] in _INFINITE else [side for side, _ in _near(problem)]
    found = {sympy.limit(expression, letter, place, side) for side in sides}
    if len(found) != 1:
        raise Refused("value", "The formula has no limit there, or different ones from the two sides.")
    return found.pop()


def confirm(problem: Problem, gold: Tree) -> bool:
    with mp.workdps(_DIGITS):
        limit = real(gold)
        sides = _near(problem)
        for _, values in sides:
            before, after = (abs(value - limit) for value in values)
            if after > max(1, abs(limit)) / mp.mpf(10) ** 5 or after > before / 5 + mp.mpf(10) ** -20:
                return False
    return bool(sides)


def _near(problem: Problem) -> list[tuple[str, list[Any]]]:
    """(side, values at the two steps) for each side on which the formula is defined."""
    formula = function(problem.parts[0], problem.letters[0])
    with mp.workdps(_DIGITS):
        sign = _INFINITE.get(problem.places[0])
        if sign:
            return [("-", [formula(sign * mp.mpf(10) ** step) for step in _STEPS])]
        place, found = real(problem.places[0]), []
        for side, sign in (("+", 1), ("-", -1)):
            try:
                found.append((side, [formula(place + sign * mp.mpf(10) ** -step) for step in _STEPS]))
            except Undefined:
                continue
    return found
