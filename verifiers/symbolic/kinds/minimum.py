"""`minimum x from 0 to 4: x^3 - 3x`. Second way: as for `maximum`."""

from __future__ import annotations

from typing import Any

from sympy.calculus.util import minimum

from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds.maximum import extreme, scanned, trivial
from verifiers.symbolic.numeric import near, real
from verifiers.symbolic.statement import Problem

__all__ = ["answer", "confirm", "trivial"]


def answer(problem: Problem) -> Any:
    return extreme(problem, minimum)


def confirm(problem: Problem, gold: Tree) -> bool:
    return near(scanned(problem, -1), real(gold))
