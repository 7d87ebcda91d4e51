"""`solve x: x^2 - 5x + 6 = 0`: all real solutions, of which there is one at least and finitely many.

Second way: each solution satisfies the equation at 40 digits, and none is missing. For a polynomial that is proved by
Sturm's theorem, in fractions; for anything else a scan from -100 to 100 must meet no further one.

Roots with an odd index are refused over a letter, since their value below zero is a matter of taste.
"""

from __future__ import annotations

from typing import Any

import sympy

from verifiers.symbolic.exact import evaluate
from verifiers.symbolic.expression import build
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds import Refused
from verifiers.symbolic.normal import expand, polynomial
from verifiers.symbolic.numeric import fp, function, mp, real
from verifiers.symbolic.roots import count_roots, scan_roots, wide
from verifiers.symbolic.statement import Problem, nodes, uses

_DIGITS = 40
_MOST = 12


def trivial(problem: Problem) -> str | None:
    (letter,), ((_, left, right),) = problem.letters, problem.parts
    for bare, other in ((left, right), (right, left)):
        if expand(bare, {}) == {((letter, 1),): 1} and not uses(other, letter):
            return "One side of the equation is the answer."
    return None


def answer(problem: Problem) -> Any:
    (letter,), ((_, left, right),) = problem.letters, problem.parts
    if not uses(problem.parts[0], letter) or any(_is_odd_root(tree, letter) for tree in nodes(problem.parts[0])):
        raise Refused("value", "The equation has no letter, or an odd root over one.")
    symbol = sympy.Symbol(letter, real=True)
    equation = build(left, {letter: symbol}) - build(right, {letter: symbol})
    found = sympy.solveset(equation, symbol, sympy.S.Reals)
    if found is sympy.S.EmptySet:
        raise Refused("value", "The equation has no real solution.")
    if not isinstance(found, sympy.FiniteSet) or len(found) > _MOST:
        raise Refused("value", "The solutions are not a short list of numbers.")
    return list(found)


def confirm(problem: Problem, gold: Tree) -> bool:
    (letter,), ((_, left, right),) = problem.letters, problem.parts
    with mp.workdps(_DIGITS):
        roots = sorted(real(tree) for tree in (gold[1:] if gold[0] == "set" else (gold,)))
        if any(b - a < mp.mpf(10) ** -20 for a, b in zip(roots, roots[1:], strict=False)):
            return False
        for root in roots:
            a, b = real(left, {letter: root}), real(right, {letter: root})
            if abs(a - b) > max(abs(a), abs(b), 1) * mp.mpf(10) ** -25:
                return False
    if _is_polynomial(problem.parts[0], letter):
        coefficients = polynomial(expand(("add", left, ("neg", right)), {}), letter)
        if coefficients:
            return count_roots(coefficients) == len(roots)
    difference = ("add", left, ("neg", right))
    found = scan_roots(function(difference, letter, fp), function(difference, letter), wide())
    return all(any(abs(root - place) < (1 + abs(root)) * 1e-6 for root in roots) for place in found)


def _is_polynomial(equation: Tree, letter: str) -> bool:
    """Whether it is one as it stands, so that expanding it changes nothing about where it is defined."""
    for tree in nodes(equation):
        if tree[0] == "inverse" and uses(tree, letter):
            return False
        if tree[0] == "pow":
            exponent = evaluate(tree[2])
            if uses(tree, letter) and (exponent is None or exponent.denominator != 1 or exponent < 1):
                return False
    return True


def _is_odd_root(tree: Tree, letter: str) -> bool:
    if tree[0] not in ("pow", "root") or not uses(tree[1], letter):
        return False
    exponent = evaluate(tree[2])
    if exponent is None:
        return False
    return (exponent.denominator if tree[0] == "pow" else exponent.numerator) % 2 == 1 and (
        tree[0] == "root" or exponent.denominator > 1
    )
