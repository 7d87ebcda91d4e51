"""Trees to sympy's expressions and back. Nothing here is text: sympy's own readers evaluate what they read."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy

from verifiers.symbolic.formula import Tree
from verifiers.symbolic.writing import rational


class Gcd(sympy.Function):
    """The greatest common divisor of whole numbers; left alone for anything else, where sympy would take it for one of
    polynomials."""

    @classmethod
    def eval(cls, *numbers: Any) -> Any:
        return sympy.Integer(sympy.igcd(*numbers)) if all(number.is_Integer for number in numbers) else None


FUNCTIONS: dict[str, Any] = {
    "add": sympy.Add,
    "mul": sympy.Mul,
    "inverse": lambda a: 1 / a,
    "pow": sympy.Pow,
    "neg": lambda a: -a,
    "sqrt": sympy.sqrt,
    "root": sympy.root,
    "factorial": sympy.factorial,
    "abs": sympy.Abs,
    "arcsin": sympy.asin,
    "arccos": sympy.acos,
    "arctan": sympy.atan,
    "ceil": sympy.ceiling,
    "ln": sympy.log,
    "log": sympy.log,
    "mod": sympy.Mod,
    "gcd": Gcd,
    **{
        name: getattr(sympy, name)
        for name in ["sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "exp", "floor"]
    },
}
_CONSTANTS = {"pi": sympy.pi, "e": sympy.E, "i": sympy.I, "oo": sympy.oo}
_NAMES: dict[Any, str] = {
    FUNCTIONS[name]: name
    for name in [
        "sin",
        "cos",
        "tan",
        "cot",
        "sec",
        "csc",
        "arcsin",
        "arccos",
        "arctan",
        "sinh",
        "cosh",
        "tanh",
        "ln",
        "abs",
    ]
}


class NoFormula(ValueError):
    """An expression with something in it that formulas cannot say."""


def build(tree: Tree, letters: Mapping[str, Any] | None = None) -> Any:
    """The expression of a tree; a letter is what `letters` says, else a symbol. Raises `ValueError`."""
    kind = tree[0]
    if kind == "number":
        return sympy.Rational(tree[1], tree[2])
    if kind == "name":
        return letters[tree[1]] if letters and tree[1] in letters else sympy.Symbol(tree[1])
    if kind == "constant":
        return _CONSTANTS[tree[1]]
    if kind not in FUNCTIONS:
        raise ValueError("a group inside a formula")
    return FUNCTIONS[kind](*(build(part, letters) for part in tree[1:]))


def tree_of(expression: Any) -> Tree:
    """A tree that means `expression`, laid out as a person would. Raises `NoFormula`, for `I` and `oo` among others."""
    if expression.is_Rational:
        return rational(Fraction(int(expression.p), int(expression.q)))
    if expression.is_Symbol:
        return ("name", expression.name)
    if expression is sympy.pi or expression is sympy.E:
        return ("constant", "pi" if expression is sympy.pi else "e")
    if expression.is_Add:
        return _sum(expression)
    top, bottom = sympy.fraction(expression)
    if expression.is_Mul or bottom != 1:
        return _quotient(top, bottom)
    if isinstance(expression, sympy.exp):
        return ("pow", ("constant", "e"), tree_of(expression.args[0]))
    if expression.is_Pow:
        half = expression.exp == sympy.Rational(1, 2)
        return ("sqrt", tree_of(expression.base)) if half else ("pow", *map(tree_of, expression.args))
    if expression.func in _NAMES:
        return (_NAMES[expression.func], *map(tree_of, expression.args))
    raise NoFormula(type(expression).__name__)


def _sum(expression: Any) -> Tree:
    terms = expression.as_ordered_terms()
    first = next((term for term in terms if term.as_coeff_Mul()[0] > 0), terms[0])
    rest = [term for term in terms if term is not first]
    signed = [("neg", tree_of(-term)) if term.as_coeff_Mul()[0] < 0 else tree_of(term) for term in rest]
    return ("add", tree_of(first), *signed)


def _quotient(top: Any, bottom: Any) -> Tree:
    number, rest = top.as_coeff_Mul()
    factors = [tree_of(factor) for factor in rest.as_ordered_factors() if factor != 1]
    if abs(number) != 1 or not factors:
        factors.insert(0, tree_of(abs(number)))
    if number < 0:
        factors[0] = ("neg", factors[0])
    if bottom != 1:
        factors.append(("inverse", tree_of(bottom)))
    return factors[0] if len(factors) == 1 else ("mul", *factors)
