"""Decides whether two formulas mean the same, inside the sandbox.

Loaded by a worker before its walls go up. `same` meets trees that `verifiers.symbolic.formula.read` made, never text,
and whatever time or memory a tree costs is the sandbox's to bound.
"""

from __future__ import annotations

from typing import Any

import sympy

from verifiers.symbolic.expression import FUNCTIONS, build

_DIGITS = 40
_POINTS = ("7/5", "-13/8", "29/11", "-3/7", "17/3")
_GROUPS = ("tuple", "list", "set", "equal")


def same(a: Any, b: Any) -> bool:
    """Groups member by member (sets in any order, an equation in either direction), numbers and functions by value.

    Functions of letters are compared at five points, to forty digits: unlike ones agree there by accident only.
    """
    if a[0] == "equal" and b[0] != "equal" and a[1][0] == "name":
        return same(a[2], b)
    if b[0] == "equal" and a[0] != "equal" and b[1][0] == "name":
        return same(a, b[2])
    if a[0] in _GROUPS or b[0] in _GROUPS:
        return a[0] == b[0] and len(a) == len(b) and _same_members(a, b)
    x, y = build(a), build(b)
    if x == y:
        return True
    names = sorted(x.free_symbols | y.free_symbols, key=str)
    if not names:
        return _agree(x, y)
    agreed = [_agree_at(x, y, names, shift) for shift in range(len(_POINTS))]
    return False not in agreed and True in agreed


def _same_members(a: Any, b: Any) -> bool:
    if a[0] in ("tuple", "list"):
        return all(map(same, a[1:], b[1:]))
    left = list(b[1:])
    for member in a[1:]:
        match = next((i for i, other in enumerate(left) if same(member, other)), None)
        if match is None:
            return False
        del left[match]
    return True


def _agree_at(x: Any, y: Any, names: list[Any], shift: int) -> bool | None:
    """None where either is undefined."""
    points = {name: sympy.Rational(_POINTS[(i + shift) % 5]) + i // 5 for i, name in enumerate(names)}
    p, q = x.subs(points), y.subs(points)
    if p.has(sympy.nan, sympy.zoo) or q.has(sympy.nan, sympy.zoo):
        return None if p.has(sympy.nan, sympy.zoo) and q.has(sympy.nan, sympy.zoo) else False
    return _agree(p, q)


def _agree(x: Any, y: Any) -> bool:
    if x == y:
        return True
    p, q = sympy.N(x, _DIGITS, maxn=400), sympy.N(y, _DIGITS, maxn=400)
    if (
        not (p.is_number and q.is_number)
        or p.has(sympy.nan, sympy.zoo, sympy.oo)
        or q.has(sympy.nan, sympy.zoo, sympy.oo)
    ):
        return bool(p == q)
    scale = max(abs(p), abs(q), sympy.Float(1, _DIGITS) / 10**20)
    return bool(abs(p - q) <= scale / sympy.Integer(10) ** (_DIGITS - 10))


def _warm() -> None:
    """Imports, before the walls, what sympy would import on first use."""
    n, x, pi = ("number", 3, 2), ("name", "x"), ("constant", "pi")
    for name in FUNCTIONS:
        count = 2 if name in ("add", "mul", "pow", "root", "gcd", "mod") else 1
        for argument in (("number", 2, 1), x, pi, ("neg", n), ("pow", x, ("number", 1, 3)), ("sqrt", ("number", 2, 1))):
            try:
                same((name, *[argument] * count), ("add", (name, *[argument] * count), ("number", 0, 1)))
                same((name, *[argument] * count), n)
            except Exception:
                continue


_warm()
