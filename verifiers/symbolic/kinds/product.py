"""`product k from 2 to 6: k - 1/k`. Second way: the factors, one by one, as exact fractions."""

from __future__ import annotations

import math
from typing import Any

import sympy

from verifiers.symbolic.exact import evaluate
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds.sum import closed, terms, trivial
from verifiers.symbolic.statement import Problem

__all__ = ["answer", "confirm", "trivial"]


def answer(problem: Problem) -> Any:
    return closed(problem, sympy.Product)


def confirm(problem: Problem, gold: Tree) -> bool:
    return math.prod(terms(problem)) == evaluate(gold)
