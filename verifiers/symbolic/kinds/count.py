"""`count n from 1 to 100: n mod 6 = 0`. Both ways go through the range: with sympy's numbers, with exact fractions."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy

from verifiers.codec import BadValue
from verifiers.symbolic.exact import evaluate
from verifiers.symbolic.expression import build
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds import Refused
from verifiers.symbolic.statement import Problem, uses, whole

_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def trivial(problem: Problem) -> str | None:
    if not uses(problem.parts[0], problem.letters[0]):
        return "The condition does not speak of the letter."
    return "There is at most one number to look at." if len(_range(problem)) < 2 else None


def answer(problem: Problem) -> Any:
    if len(hits(problem)) in (0, len(_range(problem))):  # and meets numbers that are too large before sympy does
        raise Refused("trivial", "All numbers in the range meet the condition, or none does.")
    (letter,), (condition,) = problem.letters, problem.parts
    return sympy.Integer(sum(_holds(condition, build, {letter: sympy.Integer(n)}) for n in _range(problem)))


def confirm(problem: Problem, gold: Tree) -> bool:
    return evaluate(gold) == len(hits(problem))


def hits(problem: Problem) -> list[int]:
    """The numbers that meet the condition."""
    (letter,), (condition,) = problem.letters, problem.parts
    return [n for n in _range(problem) if _holds(condition, _exact, {letter: Fraction(n)})]


def _range(problem: Problem) -> range:
    first, last = map(whole, problem.places)
    return range(first, last + 1)


def _holds(condition: Tree, value: Callable[[Tree, Any], Any], letters: dict[str, Any]) -> bool:
    kind, *parts = condition
    if kind in ("and", "or"):
        return (all if kind == "and" else any)([_holds(part, value, letters) for part in parts])
    return bool(_SIGNS[kind](*(value(part, letters) for part in parts)))


def _exact(tree: Tree, letters: dict[str, Fraction]) -> Fraction:
    try:
        value = evaluate(tree, letters)
    except BadValue as error:
        raise Refused("value", f"The condition meets {error}.") from error
    if value is None:
        raise Refused("value", "The condition has no meaning for a number in the range.")
    return value
