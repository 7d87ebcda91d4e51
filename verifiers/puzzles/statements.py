"""What an islander says: read, written, judged true or false, and put as a formula.

A statement is ("and" | "or", ("lie" | "honest", name), …), or ("same" | "differ", name, name), or ("exactly", number of
all islanders who lie). A name without a verb takes that of the next one: in `A or B lies`, both are said to lie.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping, Sequence

from verifiers.puzzles.answers import Answer
from verifiers.puzzles.kind import BadPuzzle, quoted
from verifiers.puzzles.labels import Tree, leaves

Statement = tuple[Tree, ...]
_NAME = re.compile(r"[A-Z][A-Za-z]{0,11}")
_COUNT = re.compile(r"exactly ([0-6]) (?:lies|lie|is a knave|are knaves)")
_PAIR = re.compile(r"(\w+) and (\w+) (are the same|differ|are different)")
_VERBS = {
    " lies": " lie",
    " is lying": " lie",
    " is a knave": " lie",
    " are knaves": " lie",
    " is a liar": " lie",
    " is a knight": " honest",
    " are knights": " honest",
    " tells the truth": " honest",
    " tell the truth": " honest",
}
_WRITTEN = {"lie": ("lies", "lie"), "honest": ("tells the truth", "tell the truth")}


def check_name(name: str) -> None:
    """Raises `BadPuzzle`."""
    if not _NAME.fullmatch(name):
        raise BadPuzzle("parse", f"{quoted(name)} is no name of an islander: up to 12 letters, the first a capital.")


def parse(text: str) -> Statement:
    """Raises `BadPuzzle`."""
    if found := _COUNT.fullmatch(text):
        return ("exactly", found[1])
    if found := _PAIR.fullmatch(text):
        check_name(found[1])
        check_name(found[2])
        if found[1] == found[2]:
            raise BadPuzzle("parse", f"{quoted(text)} compares {found[1]} with itself.")
        return ("same" if found[3] == "are the same" else "differ", *sorted(found.group(1, 2)))
    for verb, short in _VERBS.items():
        text = text.replace(verb, short)
    words = text.split()
    heads = {word for word in words if word in ("and", "or")}
    if len(heads) > 1:
        raise BadPuzzle("parse", f"{quoted(text)} mixes `and` with `or`.")
    head = min(heads, default="and")
    verb, claims = "", []
    for part in reversed(f" {' '.join(words)} ".split(f" {head} ")):
        name, *verbs = part.split() or [""]
        verb = verbs[0] if verbs else verb
        check_name(name)
        if len(verbs) > 1 or verb not in _WRITTEN:
            raise BadPuzzle("parse", f"{quoted(text)} is nothing that an islander can say.")
        claims.append((verb, name))
    return _sorted(head, claims)


def write(said: Statement) -> str:
    head, *parts = said
    if head == "exactly":
        return f"exactly {parts[0]} {'lies' if parts[0] == '1' else 'lie'}"
    if head in ("same", "differ"):
        return f"{parts[0]} and {parts[1]} {'are the same' if head == 'same' else 'differ'}"
    groups = []
    for verb, claims in itertools.groupby(_claims(said), key=lambda claim: claim[0]):
        names = [name for _, name in claims]
        groups.append(f"{f' {head} '.join(names)} {_WRITTEN[verb][len(names) > 1 and head == 'and']}")
    return f" {head} ".join(groups)


def renamed(said: Statement, names: Mapping[str, str]) -> Statement:
    head, *parts = said
    if head == "exactly":
        return said
    if head in ("same", "differ"):
        return (head, *sorted(names[str(name)] for name in parts))
    return _sorted(str(head), [(verb, names[name]) for verb, name in _claims(said)])


def mentioned(said: Statement) -> frozenset[str]:
    return frozenset() if said[0] == "exactly" else leaves(said)


def formula(said: Statement, names: Sequence[str]) -> Tree:
    """What is said as a formula over "this one is a knight", for the search."""
    head, *parts = said
    if head == "exactly":
        cases = [
            ("and", *(("not", name) if name in liars else name for name in names))
            for liars in itertools.combinations(names, int(str(parts[0])))
        ]
        return ("or", *cases) if cases else ("and", *names, ("not", names[0]))
    if head in ("same", "differ"):
        return ("iff", *parts) if head == "same" else ("not", ("iff", *parts))
    return (head, *(name if verb == "honest" else ("not", name) for verb, name in _claims(said)))


def true(said: Statement, answer: Answer) -> bool:
    """Is what is said true of these knights and knaves?"""
    head, *parts = said
    if head == "exactly":
        return list(answer.values()).count("knave") == int(str(parts[0]))
    if head in ("same", "differ"):
        return (answer[str(parts[0])] == answer[str(parts[1])]) == (head == "same")
    claims = [(answer[name] == "knight") == (verb == "honest") for verb, name in _claims(said)]
    return all(claims) if head == "and" else any(claims)


def draw(rng: random.Random, names: Sequence[str]) -> Statement:
    """Some statement about one or two of the islanders, or about how many lie."""
    picked = sorted(rng.sample(names, 2))
    match rng.randrange(6):
        case 0:
            return (rng.choice(("same", "differ")), *picked)
        case 1:
            return ("exactly", str(rng.randrange(1, len(names))))
        case 2:
            return ("and", (rng.choice(("lie", "honest")), picked[0]))
        case _:
            return _sorted(rng.choice(("and", "or")), [(rng.choice(("lie", "honest")), name) for name in picked])


def _claims(said: Statement) -> list[tuple[str, str]]:
    """The (verb, name) pairs of an `and` or an `or`."""
    return [(str(claim[0]), str(claim[1])) for claim in said[1:]]


def _sorted(head: str, claims: Sequence[tuple[str, str]]) -> Statement:
    """Who lies first, then who tells the truth, each claim once."""
    once = sorted(set(claims), key=lambda claim: (claim[0] != "lie", claim[1]))
    return (head if len(once) > 1 else "and", *once)
