"""One text for all spellings of a problem: up to the letters' names, the order of terms and sides, an equation's scale.

A formula with letters is expanded to a sum of terms, each a rational number times powers of *atoms*: a letter, or
whatever expands no further (`sin(x)`, `sqrt(2)`, a sum in a denominator), itself in normal form. A problem without
letters (`compute`, `mod`, `gcd`) is only put in order, since its arithmetic is the problem.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction

from verifiers.codec import BadValue
from verifiers.identity import digest
from verifiers.symbolic.exact import evaluate
from verifiers.symbolic.forms import FORMS
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.statement import Problem

Monomial = tuple[tuple[str, int], ...]
Terms = dict[Monomial, Fraction]

_MAX_TERMS = 200
_MAX_POWER = 24
_MAX_ATOM = 200  # characters
_FLIPPED = {">": "<", ">=": "<="}


def normal(problem: Problem) -> str:
    """Equal for two problems that are the same one, spelled differently."""
    form = FORMS[problem.kind]
    if not problem.letters:
        parts = sorted(map(_ordered, problem.parts))
        return " ".join([problem.kind, *map(_closed, problem.places), "|", ", ".join(parts)])
    named = [dict(zip(problem.letters, names, strict=True)) for names in itertools.permutations(_names(problem))]
    bodies = []
    for names in named:
        parts = [_statement(part, names) for part in problem.parts]
        bodies.append("; ".join(sorted(parts) if form.body == "equations" else parts))
    return " ".join([problem.kind, *map(_closed, problem.places), "|", min(bodies)])


def expand(tree: Tree, names: Mapping[str, str]) -> Terms:
    """The terms of a formula; `names` renames its letters."""
    known = evaluate(tree)
    if known is not None:
        return {(): known} if known else {}
    kind, parts = tree[0], tree[1:]
    if kind == "name":
        return {((names.get(parts[0], parts[0]), 1),): Fraction(1)}
    if kind == "constant":
        return {((parts[0], 1),): Fraction(1)}
    if kind == "add":
        return _sum([expand(part, names) for part in parts])
    if kind == "neg":
        return _scaled(expand(parts[0], names), Fraction(-1))
    if kind == "mul":
        return _product([expand(part, names) for part in parts])
    if kind == "inverse":
        return _power(expand(parts[0], names), Fraction(-1))
    if kind in ("sqrt", "root"):
        index = evaluate(parts[1]) if kind == "root" else Fraction(2)
        return _power(expand(parts[0], names), 1 / index) if index else _atom(_call(kind, parts, names))
    if kind == "pow":
        exponent = evaluate(parts[1])
        if exponent is not None:
            return _power(expand(parts[0], names), exponent)
        return _atom(f"({show(expand(parts[0], names))})^({show(expand(parts[1], names))})")
    return _atom(_call(kind, parts, names))


def polynomial(terms: Terms, letter: str) -> list[Fraction] | None:
    """The coefficients, constant first, of a polynomial in one letter; None for anything else."""
    found: dict[int, Fraction] = {}
    for monomial, factor in terms.items():
        if not monomial:
            found[0] = factor
        elif len(monomial) == 1 and monomial[0][0] == letter and monomial[0][1] > 0:
            found[monomial[0][1]] = factor
        else:
            return None
    return [found.get(i, Fraction(0)) for i in range(max(found, default=-1) + 1)]


def show(terms: Terms) -> str:
    """A text, equal for equal terms."""
    return " + ".join(f"{factor} {_named(monomial)}".strip() for monomial, factor in sorted(terms.items())) or "0"


def _named(monomial: Monomial) -> str:
    return " ".join(f"{atom}^{power}" for atom, power in monomial)


def _names(problem: Problem) -> list[str]:
    return ["x", "y", "z", "w"][: len(problem.letters)]


def _closed(place: Tree) -> str:
    return show(expand(place, {}))


def _statement(part: Tree, names: Mapping[str, str]) -> str:
    kind, *rest = part
    if kind in ("and", "or"):
        return f" {kind} ".join(sorted(_statement(each, names) for each in rest))
    if kind not in ("equal", "=", "!=", "<", "<=", ">", ">="):
        return show(expand(part, names))
    difference = _sum([expand(rest[0], names), _scaled(expand(rest[1], names), Fraction(-1))])
    if kind in _FLIPPED:
        kind, difference = _FLIPPED[kind], _scaled(difference, Fraction(-1))
    leading = max(difference.items())[1] if difference else Fraction(1)
    scale = leading if kind in ("equal", "=", "!=") else abs(leading)
    return f"{show(_scaled(difference, 1 / scale))} {kind} 0"


def _ordered(tree: Tree) -> str:
    """A formula without letters in one order, without what changes nothing; its arithmetic is left to do."""
    kind, parts = tree[0], tree[1:]
    if kind == "number":
        return str(Fraction(*parts))
    if kind in ("add", "mul", "gcd"):
        neutral = {"add": "0", "mul": "1"}.get(kind)
        inside = sorted(text for text in map(_ordered, parts) if text != neutral)
        return f"{kind}({', '.join(inside)})" if len(inside) > 1 else (inside or ["0"])[0]
    if kind == "pow" and parts[1] == ("number", 1, 1):
        return _ordered(parts[0])
    return f"{kind}({', '.join(map(_ordered, parts))})"


def _call(kind: str, parts: tuple[Tree, ...], names: Mapping[str, str]) -> str:
    inside = [show(expand(part, names)) for part in parts]
    return f"{kind}({', '.join(sorted(inside) if kind == 'gcd' else inside)})"


def _atom(text: str) -> Terms:
    """A long text by its hash, so that texts in texts in texts stay short."""
    return {((text if len(text) <= _MAX_ATOM else digest(text), 1),): Fraction(1)}


def _sum(parts: list[Terms]) -> Terms:
    found: Terms = {}
    for terms in parts:
        for monomial, factor in terms.items():
            found[monomial] = found.get(monomial, Fraction(0)) + factor
    return {monomial: factor for monomial, factor in found.items() if factor}


def _scaled(terms: Terms, by: Fraction) -> Terms:
    return {monomial: factor * by for monomial, factor in terms.items()}


def _product(parts: list[Terms]) -> Terms:
    found: Terms = {(): Fraction(1)}
    for terms in parts:
        if len(found) * len(terms) > _MAX_TERMS:
            found, terms = _bracketed(found), _bracketed(terms)
        pairs = itertools.product(found.items(), terms.items())
        found = _sum([{_joined(a, b): x * y} for (a, x), (b, y) in pairs])
    return found


def _joined(a: Monomial, b: Monomial) -> Monomial:
    powers = dict(a)
    for atom, power in b:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted((atom, power) for atom, power in powers.items() if power))


def _bracketed(terms: Terms) -> Terms:
    """A sum as one atom with its leading factor outside; a single term as it is."""
    if len(terms) < 2:
        return terms
    leading = max(terms.items())[1]
    return _scaled(_atom(f"({show(_scaled(terms, 1 / leading))})"), leading)


def _power(terms: Terms, exponent: Fraction) -> Terms:
    whole = exponent.numerator if exponent.denominator == 1 else None
    if (
        whole is not None
        and 0 < whole <= _MAX_POWER
        and len(terms) > 1
        and len(terms) ** min(whole, 8) <= _MAX_TERMS**2
    ):
        return _product([terms] * whole)
    single = _bracketed(terms)
    if not single:
        return _atom(f"0^{exponent}") if exponent <= 0 else {}
    ((monomial, factor),) = single.items()
    try:
        scale = evaluate(("pow", _number(factor), _number(exponent)))
    except BadValue:
        scale = None
    if whole is None or scale is None:
        return _atom(f"({show(terms)})^{exponent}")
    return {tuple((atom, power * whole) for atom, power in monomial if whole): scale}


def _number(value: Fraction) -> Tree:
    return ("number", value.numerator, value.denominator)
