"""`integrate x from 0 to 2: x^2`. Second way: numeric quadrature at 30 digits.

The range is cut where an absolute value has its kinks, and at no simple fractions, so that no pole cancels itself.
"""

from __future__ import annotations

from typing import Any

import sympy

from verifiers.symbolic.expression import build
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds import Refused
from verifiers.symbolic.numeric import fp, function, mp, near, real
from verifiers.symbolic.roots import REACH, scan_roots
from verifiers.symbolic.statement import Problem, nodes, uses

_CUTS = ("0.3719", "0.7283")
_FAR_CUTS = ("1.2713", "9.1931")
_POINTS, _OFFSET = 300, 0.0037


def trivial(problem: Problem) -> str | None:
    if problem.places[0] == problem.places[1]:
        return "The range is empty."
    return None if uses(problem.parts[0], problem.letters[0]) else "The integrand does not depend on the letter."


def answer(problem: Problem) -> Any:
    letter = sympy.Symbol(problem.letters[0], real=True)
    first, last = map(build, problem.places)
    return sympy.integrate(build(problem.parts[0], {letter.name: letter}), (letter, first, last))


def confirm(problem: Problem, gold: Tree) -> bool:
    integral, error = mp.quad(function(problem.parts[0], problem.letters[0]), _cut(problem), error=True)
    return error < mp.mpf(10) ** -12 * max(1, abs(integral)) and near(integral, real(gold))


def _cut(problem: Problem) -> list[Any]:
    pieces, (letter,) = _pieces(problem), problem.letters
    first, *_, last = (min(max(end, -REACH), REACH) for end in pieces)
    places = [float(first + (last - first) * (i + _OFFSET) / _POINTS) for i in range(_POINTS)]
    inside = {tree[1] for tree in nodes(problem.parts[0]) if tree[0] == "abs" and uses(tree, letter)}
    kinks = [scan_roots(function(tree, letter, fp), function(tree, letter), places) for tree in inside]
    return sorted({*pieces, *(place for found in kinks for place in found if pieces[0] < place < pieces[-1])})


def _pieces(problem: Problem) -> list[Any]:
    ends = [
        {("constant", "oo"): mp.inf, ("neg", ("constant", "oo")): -mp.inf}.get(p) or real(p) for p in problem.places
    ]
    low, high = ends
    if mp.isinf(low) and mp.isinf(high):
        cuts = [-mp.mpf(_FAR_CUTS[0]), mp.mpf(_FAR_CUTS[1])]
    elif mp.isinf(low) or mp.isinf(high):
        end, sign = (low, 1) if mp.isinf(high) else (high, -1)
        cuts = sorted(end + sign * mp.mpf(cut) for cut in _FAR_CUTS)
    else:
        cuts = [low + (high - low) * mp.mpf(cut) for cut in _CUTS]
    if low > high:
        raise Refused("value", "The range runs backwards.")
    return [low, *cuts, high]
