"""Reads a problem's one line, and writes it in one canonical spelling. Every cap is checked before any work is done.

    problem    = kind [letter ("," letter)*] place* ":" body
    place      = ["from" | "to" | "at"] formula
    body       = formula | formula "=" formula | equation (";" equation)+ | formula ("," formula)+ | condition
    condition  = comparison ("and" comparison)* | comparison ("or" comparison)*
    comparison = formula ["mod" formula] ("=" | "!=" | "<" | "<=" | ">" | ">=") formula ["mod" formula]

Formulas are `verifiers.symbolic.formula`'s, over the problem's letters and the constants pi and e.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifiers.codec import BadValue
from verifiers.symbolic import formula
from verifiers.symbolic.exact import TooLarge, evaluate
from verifiers.symbolic.forms import FORMS, Form
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.writing import operand, write

MAX_TEXT = 200  # characters
MAX_NODES = 100
MAX_DIGITS = 20
MAX_TERMS = 1_000  # of a sum, a product or a count
MAX_PLACE = 10**6

_COMPARISON = re.compile(r"<=|>=|!=|<|>|=")
_SPELLING = (
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("\\leq", "<="),
    ("\\geq", ">="),
    ("\\neq", "!="),
    ("\\bmod", "mod"),
)
_LETTER = re.compile(r"[a-df-z]")
_ARITY = {"pow": 2, "root": 2}


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem as it was read. `places` are the head's numbers; `parts` are the body's formulas, equations (`equal`),
    or one condition: a comparison ("=", a, b), or ("and" | "or", comparisons). There ("mod", a, b) is an operation."""

    kind: str
    letters: tuple[str, ...]
    places: tuple[Tree, ...]
    parts: tuple[Tree, ...]


def read(text: str) -> Problem:
    """The problem in a line of text. Raises `BadValue`; its subclass `TooLarge` for one that is over a cap."""
    if len(text) > MAX_TEXT:
        raise TooLarge(f"over {MAX_TEXT} characters")
    problem = _parse(text)
    _check(problem, FORMS[problem.kind])
    try:
        again = _parse(show(problem))
    except BadValue as error:
        raise TooLarge("nested too deeply") from error
    if again != problem:
        raise BadValue("not to be written in one clear way")
    return problem


def _parse(text: str) -> Problem:
    head, colon, body = text.partition(":")
    words = head.replace(",", " ").split()
    kind = words[0].lower() if words else ""
    form = FORMS.get(kind)
    if form is None or not colon:
        raise BadValue(f"a problem begins with its kind, which is one of {', '.join(FORMS)}, and has a colon")
    letters, rest = _letters(words[1:], form)
    places = _places(rest, form)
    return Problem(kind, letters, places, tuple(_plain(part, letters) for part in _body(body, form)))


def show(problem: Problem) -> str:
    """The canonical text of a problem: `read(show(problem)) == problem`."""
    form = FORMS[problem.kind]
    named = zip(form.places, problem.places, strict=False)
    places = "".join(f" {word} {write(place)}" if word else f" {write(place)}" for word, place in named)
    between = "; " if form.body == "equations" else ", "
    letters = f" {', '.join(problem.letters)}" if problem.letters else ""
    return f"{problem.kind}{letters}{places}: {between.join(map(_show, problem.parts))}"


def nodes(tree: Tree) -> Iterator[Tree]:
    """Every subtree, itself first."""
    yield tree
    for part in tree[1:]:
        if isinstance(part, tuple):
            yield from nodes(part)


def uses(tree: Tree, letter: str) -> bool:
    """Whether a letter stands in a tree."""
    return ("name", letter) in nodes(tree)


def whole(tree: Tree) -> int:
    """A place of a problem whose places are whole numbers."""
    value = evaluate(tree)
    if value is None or value.denominator != 1:
        raise BadValue("a place that is not a whole number")
    return value.numerator


def _letters(words: list[str], form: Form) -> tuple[tuple[str, ...], list[str]]:
    least, most = form.letters
    found: list[str] = []
    while len(found) < most and len(found) < len(words) and _LETTER.fullmatch(words[len(found)]):
        found.append(words[len(found)])
    if len(found) < least or len(set(found)) < len(found):
        raise BadValue(f"this kind names {least} letters or more, none of them e" if least else "no letter is named")
    return tuple(found), words[len(found) :]


def _places(words: list[str], form: Form) -> tuple[Tree, ...]:
    if not words and form.optional:
        return ()
    texts = []
    for i, word in enumerate(form.places):
        if word and (not words or words.pop(0).lower() != word):
            raise BadValue(f"this kind says '{word}' and a number before the colon")
        after = form.places[i + 1] if i + 1 < len(form.places) else None
        end = words.index(after) if after in words else len(words)
        texts.append(" ".join(words[:end]))
        words = words[end:]
    if words:
        raise BadValue("words before the colon that this kind does not know")
    return tuple(_place(_plain(formula.read(text), ()), form) for text in texts)


def _place(tree: Tree, form: Form) -> Tree:
    if form.infinite and tree in (("constant", "oo"), ("neg", ("constant", "oo"))):
        return tree
    _allow(tree, FORMS["solve"].words, ())
    value = evaluate(tree)
    if form.whole and (value is None or value.denominator != 1):
        raise BadValue("a place that is not a whole number")
    if value is not None and abs(value) > MAX_PLACE:
        raise TooLarge(f"a place beyond {MAX_PLACE}")
    return tree


def _body(text: str, form: Form) -> Iterator[Tree]:
    if form.body == "condition":
        yield _condition(text)
        return
    between = {"equations": r";|,| and ", "numbers": r","}.get(form.body)
    for part in re.split(between, text.rstrip(" .;,")) if between else [text]:
        tree = formula.read(part)
        if (tree[0] == "equal") != form.body.startswith("equation"):
            raise BadValue("an equation is wanted" if form.body.startswith("equation") else "no equation is wanted")
        yield tree


def _condition(text: str) -> Tree:
    for spelled, plain in _SPELLING:
        text = text.replace(spelled, plain)
    for word in ("and", "or"):
        pieces = text.split(f" {word} ")
        if len(pieces) > 1:
            return (word, *map(_comparison, pieces))
    return _comparison(text)


def _comparison(text: str) -> Tree:
    signs = list(_COMPARISON.finditer(text))
    if len(signs) != 1:
        raise BadValue("a comparison has one sign: =, !=, <, <=, > or >=")
    (sign,) = signs
    return (sign.group(), _remainder(text[: sign.start()]), _remainder(text[sign.end() :]))


def _remainder(text: str) -> Tree:
    pieces = text.split(" mod ")
    if len(pieces) > 2:
        raise BadValue("a remainder of a remainder")
    trees = [formula.read(piece) for piece in pieces]
    return trees[0] if len(trees) == 1 else ("mod", *trees)


def _plain(tree: Tree, letters: tuple[str, ...]) -> Tree:
    """`log` is `ln`, `exp(a)` is `e^a`, and `i` is a letter where the head says so."""
    if tree[0] == "log":
        return _plain(("ln", *tree[1:]), letters)
    if tree[0] == "exp" and len(tree) == 2:
        return ("pow", ("constant", "e"), _plain(tree[1], letters))
    if tree == ("constant", "i") and "i" in letters:
        return ("name", "i")
    return (tree[0], *(_plain(part, letters) if isinstance(part, tuple) else part for part in tree[1:]))


def _show(part: Tree) -> str:
    kind, *rest = part
    if kind in ("and", "or"):
        return f" {kind} ".join(map(_show, rest))
    if kind in _SIGNS:
        return f" {kind} ".join(map(_show, rest))
    return " mod ".join(map(operand, rest)) if kind == "mod" else write(part)


_SIGNS = frozenset(["<=", ">=", "!=", "<", ">", "="])
_AROUND = {"condition": _SIGNS | {"and", "or", "mod"}, "equation": {"equal"}, "equations": {"equal"}}


def _check(problem: Problem, form: Form) -> None:
    body = problem.parts
    if sum(1 for part in (*body, *problem.places) for _ in nodes(part)) > MAX_NODES:
        raise TooLarge(f"over {MAX_NODES} numbers and operations")
    for part in body:
        _allow(part, form.words | _AROUND.get(form.body, frozenset()), problem.letters)
        _weigh(part, problem.kind)
    if form.body == "equations" and len(body) != len(problem.letters):
        raise BadValue("a system has as many equations as letters")
    if form.body == "numbers" and not 2 <= len(body) <= 6:
        raise BadValue("two to six numbers are wanted, with commas between")
    if form.whole and len(problem.places) == 2 and whole(problem.places[1]) - whole(problem.places[0]) >= MAX_TERMS:
        raise TooLarge(f"over {MAX_TERMS} terms")


def _weigh(part: Tree, kind: str) -> None:
    """Raises `TooLarge` for a number without letters that is; what a modulus makes small counts by its exponents."""
    for tree in nodes(part) if kind == "mod" else (part,):
        if kind != "mod" or tree[0] == "factorial":
            evaluate(tree)
        elif tree[0] == "pow":
            evaluate(tree[2])


def _allow(tree: Tree, words: frozenset[str], letters: tuple[str, ...]) -> None:
    for part in nodes(tree):
        kind = part[0]
        if kind == "name":
            if part[1] not in letters:
                raise BadValue(f"the head does not name the letter {part[1]}")
        elif kind == "number":
            if len(str(part[1])) > MAX_DIGITS or len(str(part[2])) > MAX_DIGITS:
                raise TooLarge(f"a number of over {MAX_DIGITS} digits")
        elif kind == "constant":
            if part[1] not in ("pi", "e") or kind not in words:
                raise BadValue(f"{part[1]} has no place here")
        elif kind not in words:
            raise BadValue(f"{kind} has no place here")
        elif len(part) - 1 != _ARITY.get(kind, 1) and kind in formula.FUNCTIONS | _ARITY.keys() and kind != "gcd":
            raise BadValue(f"{kind} of {len(part) - 1} things")
