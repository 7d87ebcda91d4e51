"""How many real roots a polynomial has, proved; where a function has some, looked for."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from verifiers.symbolic.numeric import Undefined, mp

REACH = 100
_POINTS = 1_000
_MOST = 60  # places to look at more closely
_OFFSET = 0.00037  # poles and jumps like round numbers

Function = Callable[[Any], Any]


class TooMany(ValueError):
    """The function comes close to 0 in too many places."""


def count_roots(coefficients: list[Fraction]) -> int:
    """The number of distinct real roots of a polynomial that is not 0, constant first, by Sturm's theorem."""
    slope = [factor * i for i, factor in enumerate(coefficients)][1:]
    chain = [coefficients, slope]
    while chain[-1]:
        chain.append([-factor for factor in _remainder(chain[-2], chain[-1])])
    leading = [(polynomial[-1], len(polynomial)) for polynomial in chain[:-1]]
    return _changes([a if n % 2 else -a for a, n in leading]) - _changes([a for a, _ in leading])


def wide() -> list[float]:
    """Places from -`REACH` to `REACH`, closest together around 0."""
    steps = [(i + _OFFSET) / _POINTS for i in range(-_POINTS, _POINTS)]
    return [REACH * step * abs(step) for step in steps]


def scan_roots(rough: Function, fine: Function, places: list[float]) -> list[Any]:
    """Where between the first and the last place a function is 0, within about 10^-8.

    rough: the function on floats. fine: on numbers of many digits. Finds crossings and touchings of 0 that are not
    narrower than the scan, and zeros at the edge of where the function is defined. Raises `TooMany`.
    """
    pairs = [(place, _value(rough, place)) for place in places]
    found: list[Any] = [place for place, value in pairs if value == 0 and _value(fine, mp.mpf(place)) == 0]
    looks = 0
    for (p, a), (q, b), (r, c) in zip(pairs, pairs[1:], pairs[2:], strict=False):
        if _differ(a, b):
            near = _crossing(fine, p, q)
        elif a and b and c and b * c > 0 and abs(a) > abs(b) <= abs(c) and max(abs(a), abs(c)) > 2 * abs(b):
            near = _touching(fine, p, r)
        elif (a is None) != (b is None):
            near = _edge(fine, *((p, q) if a is None else (q, p)))
        else:
            continue
        looks += 1
        if looks > _MOST:
            raise TooMany
        found += near
    return found


def _differ(a: Any, b: Any) -> bool:
    return a is not None and b is not None and a * b < 0


def _value(function: Function, place: Any) -> Any:
    try:
        return function(place)
    except Undefined:
        return None


def _crossing(function: Function, low: float, high: float) -> list[Any]:
    """Where the sign changes, unless it jumps there."""
    a, b = mp.mpf(low), mp.mpf(high)
    first, last = _value(function, a), _value(function, b)
    if first is None or last is None:
        return []
    size = max(abs(first), abs(last))
    for _ in range(60):
        middle = (a + b) / 2
        value = _value(function, middle)
        if value is None:
            return []
        a, b = (middle, b) if (value < 0) == (first < 0) else (a, middle)
    value = _value(function, (a + b) / 2)
    return [(a + b) / 2] if value is not None and abs(value) < size / 10**6 else []


def _touching(function: Function, low: float, high: float) -> list[Any]:
    """Where the function comes as close to 0 as numbers can tell."""
    a, b = mp.mpf(low), mp.mpf(high)
    size = max((abs(value) for value in (_value(function, a), _value(function, b)) if value is not None), default=0)
    for _ in range(80):
        left, right = a + (b - a) * 2 / 5, a + (b - a) * 3 / 5
        x, y = _value(function, left), _value(function, right)
        if x is None or y is None:
            return []
        a, b = (a, right) if abs(x) < abs(y) else (left, b)
    value = _value(function, (a + b) / 2)
    return [(a + b) / 2] if value is not None and abs(value) <= size / mp.mpf(10) ** 13 else []


def _edge(function: Function, undefined: float, defined: float) -> list[Any]:
    """The edge of where the function is defined, where it is 0 there."""
    out, inside = mp.mpf(undefined), mp.mpf(defined)
    for _ in range(60):
        middle = (out + inside) / 2
        if _value(function, middle) is None:
            out = middle
        else:
            inside = middle
    return [inside] if abs(function(inside)) < mp.mpf(10) ** -7 else []


def _remainder(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    rest = list(a)
    while len(rest) >= len(b):
        factor, shift = rest[-1] / b[-1], len(rest) - len(b)
        for i, value in enumerate(b):
            rest[i + shift] -= factor * value
        rest.pop()
        while rest and not rest[-1]:
            rest.pop()
    size = abs(rest[-1]) if rest else Fraction(1)
    return [value / size for value in rest]


def _changes(values: list[Fraction]) -> int:
    return sum((a < 0) != (b < 0) for a, b in zip(values, values[1:], strict=False))
