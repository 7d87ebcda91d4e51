"""Trees back to text, in one canonical spelling: `read(write(tree)) == tree` for every tree that is read."""

from __future__ import annotations

from fractions import Fraction

from verifiers.symbolic.formula import FUNCTIONS, Tree

_SUM, _TERM, _FACTOR, _ATOM = range(4)
_LEVEL = {
    "equal": -1,
    "add": _SUM,
    "mul": _TERM,
    "inverse": _TERM,
    "neg": _FACTOR,
    "pow": _FACTOR,
    "factorial": _FACTOR,
}
_BRACKETS = {"tuple": "()", "list": "[]", "set": "{}"}


def write(tree: Tree) -> str:
    """The text of a tree: `5x^2 - sqrt(2)/2`, `{-1, 3}`, `x = 4`. Raises `KeyError` for what is no formula's tree."""
    return _write(tree, -1)


def operand(tree: Tree) -> str:
    """The text of a tree beside an operation that formulas lack: sums, products and signs stand in brackets."""
    return _write(tree, _FACTOR, False)


def rational(number: Fraction) -> Tree:
    """The tree that the text of a fraction, `-3/4`, is read as."""
    top: Tree = ("number", abs(number.numerator), 1)
    top = ("neg", top) if number < 0 else top
    return top if number.denominator == 1 else ("mul", top, ("inverse", ("number", number.denominator, 1)))


def _write(tree: Tree, level: int, first: bool = True) -> str:
    """`level` is the loosest binding that needs no brackets here; what is not `first` must not begin with a sign."""
    text = _bare(tree)
    return f"({text})" if _LEVEL.get(tree[0], _ATOM) < level or (text[0] == "-" and not first) else text


def _bare(tree: Tree) -> str:
    kind, parts = tree[0], tree[1:]
    if kind == "number":
        return _number(*parts)
    if kind in ("name", "constant"):
        return str(parts[0])
    if kind == "add":
        return _write(parts[0], _TERM) + "".join(map(_added, parts[1:]))
    if kind == "mul":
        return _product(parts)
    if kind == "neg":
        return "-" + _write(parts[0], _FACTOR, False)
    if kind == "inverse":
        return "1/" + _write(parts[0], _FACTOR, False)
    if kind == "pow":
        return f"{_write(parts[0], _ATOM, False)}^{_write(parts[1], _ATOM, False)}"
    if kind == "factorial":
        return _write(parts[0], _ATOM, False) + "!"
    if kind == "equal":
        return f"{_write(parts[0], _SUM)} = {_write(parts[1], _SUM)}"
    if kind in _BRACKETS:
        return _BRACKETS[kind][0] + ", ".join(map(write, parts)) + _BRACKETS[kind][1]
    if kind == "root":
        return f"sqrt[{write(parts[1])}]({write(parts[0])})"
    if kind == "sqrt" or kind in FUNCTIONS:
        return f"{kind}({', '.join(map(write, parts))})"
    raise KeyError(kind)


def _number(numerator: int, denominator: int) -> str:
    if denominator == 1:
        return str(numerator)
    places = next((n for n in range(1, 201) if 10**n % denominator == 0), None)
    if places is None:
        raise KeyError("number")
    digits = str(numerator * 10**places // denominator).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"


def _added(term: Tree) -> str:
    return f" - {_write(term[1], _TERM, False)}" if term[0] == "neg" else f" + {_write(term, _TERM, False)}"


def _product(factors: tuple[Tree, ...]) -> str:
    text = _write(factors[0], _FACTOR)
    for place, factor in enumerate(factors[1:]):
        if factor[0] == "inverse":
            text += "/" + _write(factor[1], _FACTOR, False)
            continue
        more = _write(factor, _FACTOR, False)
        close = place == 0 and text.lstrip("-").replace(".", "").isdigit() and (more[0].isalpha() or more[0] == "(")
        text += more if close else "*" + more
    return text
