"""Propositional formulas: read, written, evaluated one assignment at a time, and turned into tables all at once.

Grammar, loosest first: `<->`, `->` (to the right), `or`, `and`, `not`, letters, parentheses; and `if … then …`. The
usual other signs are read too: `~ ! & | => <=> iff implies` and `¬ ∧ ∨ → ↔`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from verifiers.puzzles.kind import BadPuzzle, quoted
from verifiers.puzzles.labels import Tree
from verifiers.puzzles.search import Rows

MAX_DEPTH = 12
_TOKEN = re.compile(r"<->|<=>|->|=>|[~!¬&|()∧∨→↔]|[A-Za-z][A-Za-z0-9]*|\S")
_WORDS = {
    **dict.fromkeys(["<->", "<=>", "↔", "iff"], "iff"),
    **dict.fromkeys(["->", "=>", "→", "implies"], "if"),
    **dict.fromkeys(["~", "!", "¬", "not"], "not"),
    **dict.fromkeys(["&", "∧", "and"], "and"),
    **dict.fromkeys(["|", "∨", "or"], "or"),
}
_LOOSE = {"iff": 0, "if": 1, "or": 2, "and": 3, "not": 4}
_SIGNS = {"iff": " <-> ", "if": " -> ", "or": " or ", "and": " and "}
_LETTER = re.compile(r"[a-z][a-z0-9]{0,11}")
_RESERVED = frozenset({"(", ")", "if", "then", "true", "false", "unknown", *_WORDS})


def parse(text: str) -> Tree:
    """Raises `BadPuzzle` at the gate `parse`, or `size` for over `MAX_DEPTH` levels."""
    tokens = [token.lower() for token in _TOKEN.findall(text)]
    tree, place = _formula(tokens, 0, 0, 0)
    if place < len(tokens):
        raise BadPuzzle("parse", f"{quoted(text)} makes no sense from `{tokens[place]}` on.")
    return tree


def holds(tree: Tree, truth: Mapping[str, bool]) -> bool:
    """Is the formula true under this assignment?"""
    if isinstance(tree, str):
        return truth[tree]
    parts = [holds(part, truth) for part in tree[1:]]
    match tree[0]:
        case "not":
            return not parts[0]
        case "and":
            return all(parts)
        case "or":
            return any(parts)
        case "if":
            return parts[1] or not parts[0]
        case _:
            return parts[0] is parts[1]


def rows(tree: Tree, names: Sequence[str]) -> Rows:
    """The assignments to `names` that make the formula true, 1 for true: from the truth columns of its parts, each an
    integer with one bit an assignment."""
    count = 1 << len(names)
    columns = {name: sum(1 << row for row in range(count) if row >> place & 1) for place, name in enumerate(names)}
    column = _column(tree, columns, (1 << count) - 1)
    return tuple(tuple(row >> place & 1 for place in range(len(names))) for row in range(count) if column >> row & 1)


def tidy(tree: Tree) -> Tree:
    """No double negation, no `and` inside `and` or `or` inside `or`, no part twice, parts that may exchange sorted."""
    if isinstance(tree, str):
        return tree
    head, parts = tree[0], [tidy(part) for part in tree[1:]]
    if head == "not":
        inner = parts[0]
        return inner[1] if isinstance(inner, tuple) and inner[0] == "not" else ("not", inner)
    if head in ("and", "or"):
        flat = [more for part in parts for more in (part[1:] if part[0] == head else [part])]
        parts = sorted(set(flat), key=write)
        return parts[0] if len(parts) == 1 else (head, *parts)
    return (head, *(sorted(parts, key=write) if head == "iff" else parts))


def write(tree: Tree) -> str:
    """The text of a formula. `and` beside `or` gets the parentheses that it could do without."""
    if isinstance(tree, str):
        return tree
    head = str(tree[0])
    inner = [_wrapped(part, head) for part in tree[1:]]
    return f"not {inner[0]}" if head == "not" else _SIGNS[head].join(inner)


def renamed(tree: Tree, names: Mapping[str, str]) -> Tree:
    """The same formula about other letters."""
    if isinstance(tree, str):
        return names[tree]
    return (tree[0], *(renamed(part, names) for part in tree[1:]))


def _wrapped(part: Tree, outer: str) -> str:
    text = write(part)
    if isinstance(part, str) or part[0] == "not":
        return text
    free = outer in ("iff", "if") and part[0] in ("and", "or")
    return text if free else f"({text})"


def _column(tree: Tree, columns: Mapping[str, int], every: int) -> int:
    if isinstance(tree, str):
        return columns[tree]
    first, *others = (_column(part, columns, every) for part in tree[1:])
    for other in others:
        match tree[0]:
            case "and":
                first &= other
            case "or":
                first |= other
            case "if":
                first = every & ~first | other
            case _:
                first = every & ~(first ^ other)
    return every & ~first if tree[0] == "not" else first


def _formula(tokens: Sequence[str], place: int, least: int, depth: int) -> tuple[Tree, int]:
    """The longest formula from `place` on whose operators bind at least as tightly as `least`, and where it ends."""
    if depth > MAX_DEPTH:
        raise BadPuzzle("size", f"A formula is over {MAX_DEPTH} levels deep.")
    tree, place = _atom(tokens, place, depth)
    while place < len(tokens) and tokens[place] in _WORDS:
        head = _WORDS[tokens[place]]
        if head == "not" or _LOOSE[head] < least:
            break
        other, place = _formula(tokens, place + 1, _LOOSE[head] + (head != "if"), depth + 1)
        tree = (head, tree, other)
    return tree, place


def _atom(tokens: Sequence[str], place: int, depth: int) -> tuple[Tree, int]:
    token = tokens[place] if place < len(tokens) else ""
    if _WORDS.get(token) == "not":
        inner, place = _formula(tokens, place + 1, _LOOSE["not"], depth + 1)
        return ("not", inner), place
    if token == "(":
        inner, place = _formula(tokens, place + 1, 0, depth + 1)
        return inner, _expect(tokens, place, ")")
    if token == "if":
        condition, place = _formula(tokens, place + 1, 0, depth + 1)
        inner, place = _formula(tokens, _expect(tokens, place, "then"), _LOOSE["if"], depth + 1)
        return ("if", condition, inner), place
    if token in _RESERVED or not _LETTER.fullmatch(token):
        where = f"before {quoted(token)}" if token else "at the end"
        raise BadPuzzle("parse", f"A letter or a formula is missing {where}.")
    return token, place + 1


def _expect(tokens: Sequence[str], place: int, wanted: str) -> int:
    if place >= len(tokens) or tokens[place] != wanted:
        raise BadPuzzle("parse", f"A formula lacks its `{wanted}`.")
    return place + 1
