"""Exact rational arithmetic on the trees of `verifiers.symbolic.formula`, with a cap on every number it meets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from verifiers.codec import BadValue
from verifiers.symbolic.formula import Tree

MAX_BITS = 1_024
_MAX_FACTORIAL = 170


class TooLarge(BadValue):
    """A number over `MAX_BITS` bits, found out before it was computed."""


def evaluate(tree: Tree, letters: Mapping[str, Fraction] | None = None) -> Fraction | None:
    """The rational number that a tree is; None where it is undefined, no rational, or has a letter without a value.

    Every part is visited, so a tree that passes holds no number of over `MAX_BITS` bits. Raises `TooLarge`.
    """
    kind = tree[0]
    if kind == "number":
        return _fits(Fraction(tree[1], tree[2]))
    if kind in ("name", "constant"):
        return letters.get(tree[1]) if letters and kind == "name" else None
    parts = [evaluate(part, letters) for part in tree[1:]]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    found = _apply(kind, known)
    return None if found is None else _fits(found)


def _apply(kind: str, parts: list[Fraction]) -> Fraction | None:
    a, b = parts[0], parts[-1]
    if kind == "add":
        return sum(parts[1:], a)
    if kind == "mul":
        return _product(parts)
    if kind == "neg":
        return -a
    if kind == "inverse":
        return 1 / a if a else None
    if kind == "pow":
        return _power(a, b)
    if kind == "abs":
        return abs(a)
    if kind == "floor":
        return Fraction(math.floor(a))
    if kind == "ceil":
        return Fraction(math.ceil(a))
    if kind == "factorial":
        return _factorial(a)
    if kind == "gcd" and all(part.denominator == 1 for part in parts):
        return Fraction(math.gcd(*(part.numerator for part in parts)))
    if kind == "mod" and a.denominator == b.denominator == 1 and b > 0:
        return a % b
    return None


def _product(parts: list[Fraction]) -> Fraction:
    found = Fraction(1)
    for part in parts:
        found = _fits(found * part)
    return found


def _power(base: Fraction, exponent: Fraction) -> Fraction | None:
    if exponent.denominator != 1 or (base == 0 and exponent <= 0):
        return None
    bits = max(base.numerator.bit_length(), base.denominator.bit_length()) - 1
    if bits * abs(exponent.numerator) > MAX_BITS:
        raise TooLarge(f"a number of over {MAX_BITS} bits")
    return base**exponent.numerator if abs(base) != 1 else base ** (exponent.numerator % 2)


def _factorial(a: Fraction) -> Fraction | None:
    if a.denominator != 1 or a < 0:
        return None
    if a > _MAX_FACTORIAL:
        raise TooLarge(f"the factorial of a number over {_MAX_FACTORIAL}")
    return Fraction(math.factorial(a.numerator))


def _fits(number: Fraction) -> Fraction:
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS:
        raise TooLarge(f"a number of over {MAX_BITS} bits")
    return number
