"""Reads a mathematical answer, plain or in light LaTeX, into a tree of plain values. Nothing is evaluated.

    answer  = sum ["=" sum]
    sum     = term (("+" | "-") term)*
    term    = factor (["*" | "/"] factor)*
    factor  = ("+" | "-") factor | power
    power   = atom ["!"] ["^" factor]
    atom    = number | constant | letter | function ["^" factor] atom | \\frac atom atom | \\sqrt ["[" sum "]"] atom
              | "(" items ")" | "[" items "]" | "{" items "}" | "|" sum "|"

A tree is ("number", numerator, denominator), ("name", letter), ("constant", "pi" | "e" | "i" | "oo"), or an operation
and its arguments: add and mul (two or more), inverse, pow, neg, factorial, abs, sqrt, root, a function's name, tuple,
list, set, equal.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from verifiers.codec import BadValue

Tree = tuple[Any, ...]

MAX_TEXT = 500  # characters
MAX_DEPTH = 30
MAX_DIGITS = 200

FUNCTIONS = frozenset(
    [
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
        "exp",
        "ln",
        "log",
        "abs",
        "floor",
        "ceil",
        "gcd",
    ]
)
_CONSTANTS = {"pi": "pi", "π": "pi", "infty": "oo", "inf": "oo", "infinity": "oo", "oo": "oo", "e": "e", "i": "i"}
_SPELLING = (
    (r"\\(left|right|displaystyle|,|;|!|:|quad|text|mathrm|operatorname)(?![a-zA-Z])|\\ |~", " "),
    (r"\\(cdot|times)(?![a-zA-Z])|[×·]", "*"),
    (r"\\div(?![a-zA-Z])|÷", "/"),
    (r"\\[dt]frac(?![a-zA-Z])", r"\\frac"),
    (r"\\[\[\]()]|\$", " "),
    (r"\\([{}|])", r"\1"),
    (r"\{,\}", ","),
    (r"[−–]", "-"),
    (r"\*\*", "^"),
    (r"√", r"\\sqrt "),
    (r"∞", " oo "),
)
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?|\.\d+)|(\\?[a-zA-Zπ]+)|([-+*/^()\[\]{}|=!,]))")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_KIND = {"(": "tuple", "[": "list", "{": "set"}


def read(text: str) -> Tree:
    """The tree of an answer. Raises `BadValue`."""
    if type(text) is not str or len(text) > MAX_TEXT:
        raise BadValue(f"over {MAX_TEXT} characters")
    text = text.strip().rstrip(".")
    for pattern, plain in _SPELLING:
        text = re.sub(pattern, plain, text)
    text = re.sub(r"(?<=\d),(?=\d{3}(\D|$))", "", text) if not re.search(r"[(\[{]", text) else text
    reader = _Reader(_tokens(text))
    tree = reader.sum(MAX_DEPTH)
    if reader.take("="):
        tree = ("equal", tree, reader.sum(MAX_DEPTH))
    if reader.left:
        raise BadValue("not a formula")
    return tree


def value(tree: Tree) -> Fraction | None:
    """The number that a tree of +, -, * and / over numbers is; None for any other tree."""
    kind = tree[0]
    if kind == "number":
        return Fraction(tree[1], tree[2])
    if kind not in ("add", "mul", "neg", "inverse"):
        return None
    parts = [part for part in map(value, tree[1:]) if part is not None]
    if len(parts) < len(tree) - 1:
        return None
    if kind == "add":
        return sum(parts, Fraction(0))
    if kind == "mul":
        return math.prod(parts, start=Fraction(1))
    if kind == "neg":
        return -parts[0]
    return 1 / parts[0] if parts[0] else None


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None:
            raise BadValue("not a formula")
        number, word, sign = match.groups()
        tokens += [number or sign] if number or sign else _words(word)
        at = match.end()
    return tokens


def _words(word: str) -> list[str]:
    """A known word, or its letters, each a name of its own, as in `xy`."""
    name = word.lstrip("\\")
    if name in FUNCTIONS or name in _CONSTANTS or name in ("sqrt", "frac"):
        return [name]
    if word.startswith("\\"):
        raise BadValue(f"\\{name} is not understood")
    return list(name)


class _Reader:
    """Recursive descent over tokens; depth falls with every bracket, sign and power."""

    def __init__(self, tokens: list[str]) -> None:
        self.left = tokens[::-1]

    def peek(self) -> str:
        return self.left[-1] if self.left else ""

    def take(self, token: str) -> bool:
        if self.peek() != token or not self.left:
            return False
        self.left.pop()
        return True

    def sum(self, depth: int) -> Tree:
        if depth <= 0:
            raise BadValue("nested too deeply")
        terms = [self.term(depth)]
        while self.peek() in ("+", "-"):
            negative = self.left.pop() == "-"
            term = self.term(depth)
            terms.append(("neg", term) if negative else term)
        return terms[0] if len(terms) == 1 else ("add", *terms)

    def term(self, depth: int) -> Tree:
        factors = [self.factor(depth)]
        while True:
            if self.take("*"):
                factors.append(self.factor(depth))
            elif self.take("/"):
                factors.append(("inverse", self.factor(depth)))
            elif self._starts_an_atom():
                factors.append(self.power(depth))
            else:
                return factors[0] if len(factors) == 1 else ("mul", *factors)

    def factor(self, depth: int) -> Tree:
        if depth <= 0:
            raise BadValue("nested too deeply")
        if self.take("-"):
            return ("neg", self.factor(depth - 1))
        if self.take("+"):
            return self.factor(depth - 1)
        return self.power(depth)

    def power(self, depth: int) -> Tree:
        tree = self.atom(depth)
        if self.take("!"):
            tree = ("factorial", tree)
        return ("pow", tree, self.factor(depth - 1)) if self.take("^") else tree

    def atom(self, depth: int) -> Tree:
        if depth <= 0 or not self.left:
            raise BadValue("not a formula")
        token = self.left.pop()
        if token[0].isdigit() or token[0] == ".":
            return _number(token)
        if token == "frac":
            return ("mul", self.half(depth), ("inverse", self.half(depth)))
        if token == "sqrt":
            index = self.items("[", depth) if self.take("[") else None
            root = self.atom(depth - 1)
            return ("root", root, index) if index else ("sqrt", root)
        if token in FUNCTIONS:
            return self.function(token, depth)
        if token in _CONSTANTS:
            return ("constant", _CONSTANTS[token])
        if token == "|":
            inside = self.sum(depth - 1)
            if not self.take("|"):
                raise BadValue("a bar that is not closed")
            return ("abs", inside)
        if token in _CLOSING:
            return self.items(token, depth)
        if token.isalpha():
            return ("name", token)
        raise BadValue("not a formula")

    def half(self, depth: int) -> Tree:
        """What follows \\frac: one atom, of a number its first digit, as in \\frac12."""
        if self.peek().isdigit() and len(self.peek()) > 1:
            digits = self.left.pop()
            self.left.append(digits[1:])
            return _number(digits[0])
        return self.atom(depth - 1)

    def function(self, name: str, depth: int) -> Tree:
        power = self.factor(depth - 1) if self.take("^") else None
        inside = self.atom(depth - 1)
        tree = (name, *inside[1:]) if inside[0] == "tuple" else (name, inside)
        return ("pow", tree, power) if power else tree

    def items(self, opening: str, depth: int) -> Tree:
        """After an opening bracket, up to its closing one. One thing in round brackets or braces is that thing."""
        parts: list[Tree] = []
        while not self.take(_CLOSING[opening]):
            if parts and not self.take(","):
                raise BadValue("a bracket that is not closed")
            parts.append(self.sum(depth - 1))
        if not parts and opening != "{":
            raise BadValue("an empty bracket")
        return parts[0] if len(parts) == 1 else (_KIND[opening], *parts)

    def _starts_an_atom(self) -> bool:
        token = self.peek()
        return bool(token) and (token[0].isalnum() or token[0] == "." or token in ("(", "{"))


def _number(token: str) -> Tree:
    if len(token) > MAX_DIGITS:
        raise BadValue("too long a number")
    number = Fraction(token if token[-1] != "." else token[:-1])
    return ("number", number.numerator, number.denominator)
