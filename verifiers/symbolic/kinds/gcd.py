"""`gcd: 84, 36`. Second way: a common divisor that is a whole combination of the numbers is the greatest one."""

from __future__ import annotations

from typing import Any

import sympy

from verifiers.symbolic.exact import evaluate
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds import Refused
from verifiers.symbolic.statement import Problem


def numbers(problem: Problem) -> list[int]:
    """The numbers asked about; `Refused` unless all are whole and positive."""
    found = []
    for part in problem.parts:
        value = evaluate(part)
        if value is None or value.denominator != 1 or value < 1:
            raise Refused("value", "A number is not whole and positive.")
        found.append(value.numerator)
    return found


def trivial(problem: Problem) -> str | None:
    found = numbers(problem)
    return "The answer is one of the numbers in the question." if sympy.igcd(*found) in found else None


def answer(problem: Problem) -> Any:
    return sympy.Integer(sympy.igcd(*numbers(problem)))


def confirm(problem: Problem, gold: Tree) -> bool:
    found = numbers(problem)
    divisor, factors = found[0], [1]
    for number in found[1:]:
        divisor, s, t = combination(divisor, number)
        factors = [factor * s for factor in factors] + [t]
    reached = sum(a * b for a, b in zip(factors, found, strict=True))
    return evaluate(gold) == reached and reached > 0 and all(number % reached == 0 for number in found)


def combination(a: int, b: int) -> tuple[int, int, int]:
    """(g, s, t) with g = s*a + t*b, by Euclid's algorithm."""
    s, t, u, v = 1, 0, 0, 1
    while b:
        times, rest = divmod(a, b)
        a, b, s, t, u, v = b, rest, u, v, s - times * u, t - times * v
    return a, s, t
