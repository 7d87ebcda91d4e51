"""`compute: 12*7 - 5/3`. Second way: exact fractions of ours."""

from __future__ import annotations

from typing import Any

from verifiers.symbolic.exact import evaluate
from verifiers.symbolic.expression import build
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.spelling import written
from verifiers.symbolic.statement import Problem, nodes


def trivial(problem: Problem) -> str | None:
    (part,) = problem.parts
    if evaluate(part) is None or (written(part) is None and any(map(_works, nodes(part)))):
        return None
    return "The answer is one of the numbers in the question."


def answer(problem: Problem) -> Any:
    return build(problem.parts[0])


def confirm(problem: Problem, gold: Tree) -> bool:
    return evaluate(problem.parts[0]) == evaluate(gold)


def _works(tree: Tree) -> bool:
    """Whether an operation gives another number than it is given, up to a sign."""
    if tree[0] in ("number", "neg", "inverse"):
        return False
    parts = [evaluate(part) for part in tree[1:]]
    found = evaluate(tree)
    return found not in parts and (found is None or -found not in parts)
