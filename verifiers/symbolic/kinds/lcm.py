"""`lcm: 12, 18`. Second way: a common multiple is the least one when its quotients have no common divisor."""

from __future__ import annotations

import functools
from typing import Any

import sympy

from verifiers.symbolic.exact import evaluate
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds.gcd import combination, numbers
from verifiers.symbolic.statement import Problem


def trivial(problem: Problem) -> str | None:
    found = numbers(problem)
    return "The answer is one of the numbers in the question." if sympy.ilcm(*found) in found else None


def answer(problem: Problem) -> Any:
    return sympy.Integer(sympy.ilcm(*numbers(problem)))


def confirm(problem: Problem, gold: Tree) -> bool:
    found, multiple = numbers(problem), evaluate(gold)
    if multiple is None or multiple <= 0 or any(multiple % number for number in found):
        return False
    return functools.reduce(lambda a, b: combination(a, b)[0], [int(multiple) // number for number in found]) == 1
