"""What an answer may look like, by kind of answer; the rest is up to its meaning.

written   385    385.    -3/4    0.75    \\frac{3}{4}    1,000    k = 385     but not 12*7, 2^5 or gcd(84, 36)
value     8/3    \\sqrt{2}/2    sin(pi/6)    y = 3x^2 - 2    f'(x) = 3x^2 - 2
set       {2, 3}    2, 3    3 and 2    x = 2 or x = 3    x = 2, 3    x_1 = 2; x_2 = 3    x \\in {2, 3}    1 ± sqrt(2)
tuple     (4, 1)    4, 1    x = 4, y = 1    y = 1 and x = 4    x = 4; y = 1
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from verifiers.codec import BadValue
from verifiers.symbolic.exact import evaluate
from verifiers.symbolic.forms import FORMS
from verifiers.symbolic.formula import MAX_TEXT, Tree, read
from verifiers.symbolic.statement import Problem, nodes

_MOST = 12  # members
_NAME = re.compile(r"\s*([a-zA-Z])(?:_\{?\d\}?|'|\([a-z]\)|'\([a-z]\))?\s*(?:=|\\in(?![a-zA-Z])|∈)")
_SIGNS = re.compile(r"\\pm(?![a-zA-Z])|±|\+/-|\+-")
_WORDS = re.compile(r"\\(?:text|mathrm|quad|,|;|left|right)(?![a-zA-Z])|\\ |~|\$|\\[\[\]()]")
_SAID = re.compile(r"\\(?:text|mathrm)\s*\{\s*(or|and)\s*\}")
_BETWEEN = re.compile(r"[,;]|\b(?:or|and)\b")
_OPEN, _CLOSE = "([{", ")]}"


def written(tree: Tree) -> Fraction | None:
    """The number that a tree is where it is written out: a number or one fraction of two, with signs; else None."""
    kind = tree[0]
    if kind == "neg":
        inside = written(tree[1])
        return None if inside is None else -inside
    if kind == "mul" and len(tree) == 3 and tree[2][0] == "inverse":
        top, bottom = _signed(tree[1]), _signed(tree[2][1])
        return top / bottom if top is not None and bottom else None
    return evaluate(tree) if kind == "number" else None


def number(answer: str) -> Fraction | None:
    """The number that an answer writes out; None where it does not. Raises `BadValue` for what is no formula."""
    return written(read(value(answer)))


def formula(answer: str, problem: Problem, gold: Tree) -> str:
    """An answer as one formula to compare with `gold` by meaning.

    Raises `BadValue` where it is none, or has a letter that the problem lacks, as most words do.
    """
    kind, letters = FORMS[problem.kind].answer, problem.letters
    if kind == "tuple":
        return _group(in_order(answer, letters), "()", letters)
    if kind == "set" and gold[0] == "set":
        return _group(members(answer), "{}", letters)
    try:
        return _known(value(answer), letters)
    except BadValue:
        if kind == "set":
            return _group(members(answer), "{}", letters)
        raise


def value(text: str) -> str:
    """The formula in an answer: what stands after a leading `x =`, `f(x) =` or `f'(x) =`."""
    text = _checked(text)
    name = _NAME.match(text)
    return text[name.end() :] if name else text


def members(text: str) -> list[str]:
    """The solutions that an answer lists, as formulas. Raises `BadValue`."""
    text = _inside(value(_plain(text)), "{}")
    found = [each for part in _split(text) for each in _both(value(part))]
    if not found or len(found) > _MOST:
        raise BadValue(f"no solutions, or over {_MOST}")
    return found


def in_order(text: str, letters: Sequence[str]) -> list[str]:
    """The values that an answer gives, one a letter, in the letters' order. Raises `BadValue`."""
    parts = _split(_inside(_plain(text), "()"))
    names = [name.group(1) if (name := _NAME.match(part)) else None for part in parts]
    if all(names):
        if sorted(names, key=str) != sorted(letters):
            raise BadValue("not one value a letter")
        return [value(parts[names.index(letter)]) for letter in letters]
    if any(names) or len(parts) != len(letters):
        raise BadValue("not one value a letter")
    return parts


def _group(parts: Sequence[str], brackets: str, letters: Sequence[str]) -> str:
    return brackets[0] + ", ".join(_known(part, letters) for part in parts) + brackets[1]


def _known(text: str, letters: Sequence[str]) -> str:
    if any(part[0] == "name" and part[1] not in letters for part in nodes(read(text))):
        raise BadValue("a letter that the problem does not have")
    return text


def _plain(text: str) -> str:
    text = _SAID.sub(r" \1 ", _checked(text))
    return _WORDS.sub(" ", text).replace("\\{", "{").replace("\\}", "}").strip().rstrip(".")


def _inside(text: str, brackets: str) -> str:
    """What stands between a pair of brackets around the whole text, if there is one."""
    text = text.strip()
    return text[1:-1] if text[:1] == brackets[0] and _closes(text) == len(text) - 1 else text


def _checked(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise BadValue(f"over {MAX_TEXT} characters")
    return text


def _signed(tree: Tree) -> Fraction | None:
    number = tree[1] if tree[0] == "neg" else tree
    if number[0] != "number":
        return None
    found = evaluate(number)
    return -found if found is not None and tree[0] == "neg" else found


def _split(text: str) -> list[str]:
    """The parts between commas, semicolons, `or` and `and` that stand in no brackets."""
    parts, depth, start, at = [], 0, 0, 0
    for between in _BETWEEN.finditer(text):
        for place in range(at, between.start()):
            depth += (text[place] in _OPEN) - (text[place] in _CLOSE)
        at = between.start()
        if depth == 0:
            parts.append(text[start : between.start()])
            start = between.end()
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def _closes(text: str) -> int:
    """Where the bracket that a text begins with is closed."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign in _OPEN) - (sign in _CLOSE)
        if depth == 0:
            return place
    return -1


def _both(part: str) -> list[str]:
    """A part with one ± is two."""
    if len(_SIGNS.findall(part)) != 1:
        return [part]
    return [_SIGNS.sub("+", part), _SIGNS.sub("-", part)]
