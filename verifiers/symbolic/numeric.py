"""Real numbers from trees by mpmath: the second way, which never passes through sympy's algebra."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mpmath

from verifiers.symbolic.formula import Tree

mp, fp = mpmath.mp, mpmath.fp

_NAMES = {"ln": "ln", "log": "ln", "abs": "fabs", "arcsin": "asin", "arccos": "acos", "arctan": "atan"}


class Undefined(ArithmeticError):
    """No real number: a division by zero, the root of a negative number, an overflow."""


def real(tree: Tree, letters: Mapping[str, Any] | None = None, context: Any = mp) -> Any:
    """The number that a tree is, at the context's working precision. Every part of it must be real and finite.

    context: `mp`, or `fp` for Python's floats. Raises `Undefined`.
    """
    kind = tree[0]
    if kind == "number":
        return context.mpf(tree[1]) / tree[2]
    if kind == "name":
        return (letters or {})[tree[1]]
    if kind == "constant":
        return +getattr(context, tree[1]) if tree[1] in ("pi", "e") else _fail()
    parts = [real(part, letters, context) for part in tree[1:]]
    try:
        found = _apply(kind, parts, context)
    except (ArithmeticError, ValueError, TypeError) as error:
        raise Undefined(kind) from error
    return found if isinstance(found, context.mpf) and abs(found) < context.inf else _fail()


def function(tree: Tree, letter: str, context: Any = mp) -> Callable[[Any], Any]:
    """A tree as a function of one letter."""
    return lambda at: real(tree, {letter: at}, context)


def at_places(function: Callable[[Any], Any], places: list[Any]) -> list[tuple[Any, Any]]:
    """(place, value) wherever there is one."""
    found = []
    for place in places:
        try:
            found.append((place, function(place)))
        except Undefined:
            continue
    return found


def near(a: Any, b: Any, digits: int = 15) -> bool:
    """Equal to so many digits of the larger one."""
    return bool(abs(a - b) <= max(abs(a), abs(b), mp.mpf(10) ** -10) / mp.mpf(10) ** digits)


def _apply(kind: str, parts: list[Any], context: Any) -> Any:
    a, b = parts[0], parts[-1]
    if kind == "add":
        return sum(parts[1:], a)
    if kind == "mul":
        return context.fprod(parts)
    if kind == "neg":
        return -a
    if kind == "inverse":
        return 1 / a
    if kind == "pow":
        return a**b if a or b > 0 else _fail()
    if kind == "root":
        return a ** (1 / b) if a else a
    if kind == "factorial":
        return context.factorial(a) if a >= 0 and a == context.floor(a) else _fail()
    return getattr(context, _NAMES.get(kind, kind))(a)


def _fail() -> Any:
    raise Undefined
