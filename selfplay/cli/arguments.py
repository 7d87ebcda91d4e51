"""`--key value` pairs that override a recipe: dotted keys, values as TOML writes them (bare words are strings)."""

from __future__ import annotations

import tomllib
from typing import Any

from selfplay.errors import WrongCall


def overrides(argv: list[str]) -> dict[str, Any]:
    """Raises UserError for a word without a key or a key without a value."""
    found: dict[str, Any] = {}
    words = iter(argv)
    for word in words:
        if not word.startswith("--"):
            raise WrongCall(
                f"'{word}' stands alone: a recipe's key is set with `--key value`, for example `--steps 3`."
            )
        key, given, value = word[2:].partition("=")
        following = value if given else next(words, None)
        if following is None:
            raise WrongCall(f"The key '--{key}' has no value.")
        found[key] = read(following)
    return found


def read(text: str) -> Any:
    """A TOML value, or the text itself where it is none."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
