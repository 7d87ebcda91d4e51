"""How an answer is read: a value for each name, each exactly once.

Legal are `A = knight, B = knave` with `=`, `:`, `is` or `is a` between name and value, parted by commas, semicolons,
line ends or `and`, in any order and in any case, with or without a full stop at the end; and the bare values in the
order of the names: `knight, knave`. Anything more, less or twice is no answer.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

Answer = Mapping[str, str]
MAX_ANSWER = 400  # characters
_PART = re.compile(r"[,;\n]|\band\b")
_PAIR = re.compile(r"(\w+)(?: ?[=:] ?| is (?:an? )?)(\w+)")


def read(text: str, names: Sequence[str], values: Mapping[str, str]) -> Answer | None:
    """values: each legal word in small letters, with what it means."""
    if len(text) > MAX_ANSWER:
        return None
    parts = [" ".join(part.split()) for part in _PART.split(text.strip().removesuffix(".").casefold())]
    parts = [part for part in parts if part]
    if len(parts) != len(names):
        return None
    if all(part in values for part in parts):
        return {name: values[part] for name, part in zip(names, parts, strict=True)}
    found = {}
    for part in parts:
        pair = _PAIR.fullmatch(part)
        if pair is None or pair[2] not in values:
            return None
        found[pair[1]] = values[pair[2]]
    if found.keys() != {name.casefold() for name in names}:
        return None
    return {name: found[name.casefold()] for name in names}


def every(names: Sequence[str], values: Sequence[str]) -> Iterator[Answer]:
    """All answers there are."""
    for picked in itertools.product(values, repeat=len(names)):
        yield dict(zip(names, picked, strict=True))
