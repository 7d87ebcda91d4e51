"""Decides whether two formulas mean the same, inside the sandbox.

Loaded by a worker before its walls go up. `same` meets trees that `verifiers.symbolic.formula.read` made, never text,
and whatever time or memory a tree costs is the sandbox's to bound.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import sympy

from verifiers.symbolic.expression import FUNCTIONS, build

_DIGITS = 600
_ALIKE = sympy.Rational(1, 10**500)
_POINTS = ("7/5", "-13/8", "29/11", "-3/7", "17/3")
_STEPS = frozenset(("floor", "ceil", "gcd", "mod", "factorial"))
_GROUPS = ("tuple", "list", "set", "equal")


def same(a: Any, b: Any) -> bool:
    """Groups member by member (sets in any order, an equation in either direction), numbers and functions by value.

    Numbers are the same where their difference is not to be told from 0 in 500 digits. Functions of letters are
    compared at five points that hang on both formulas, so that nobody can write one that vanishes on them; and where
    the answer uses a function that is flat in pieces (`floor`, `gcd`) the truth must use it too, since between points
    it shows nothing of itself. `a` is the answer, `b` the truth.
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
    if not _kinds(a) & _STEPS <= _kinds(b):
        return False
    off = sha256(repr(sorted((repr(a), repr(b)))).encode()).digest()
    agreed = [_agree_at(x, y, names, shift, off) for shift in range(len(_POINTS))]
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


def _kinds(tree: Any) -> set[str]:
    if not isinstance(tree, tuple):
        return set()
    return {tree[0]}.union(*map(_kinds, tree[1:]))


def _agree_at(x: Any, y: Any, names: list[Any], shift: int, off: bytes) -> bool | None:
    """None where either is undefined."""
    points = {
        name: sympy.Rational(_POINTS[(i + shift) % 5]) + i // 5 + sympy.Rational(off[(i + 7 * shift) % 32] - 128, 1009)
        for i, name in enumerate(names)
    }
    p, q = x.subs(points), y.subs(points)
    if p.has(sympy.nan, sympy.zoo) or q.has(sympy.nan, sympy.zoo):
        return None if p.has(sympy.nan, sympy.zoo) and q.has(sympy.nan, sympy.zoo) else False
    return _agree(p, q)


def _agree(x: Any, y: Any) -> bool:
    if x == y:
        return True
    if x.has(*_UNBOUNDED) or y.has(*_UNBOUNDED):
        return False
    gap = sympy.N(x - y, 15, maxn=_DIGITS)
    return bool(gap.is_number and gap.is_finite and abs(gap) <= _ALIKE * (1 + abs(sympy.N(y, 15))))


_UNBOUNDED = (sympy.oo, -sympy.oo, sympy.nan, sympy.zoo)


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
