"""From a player's words to a legal action, without guessing."""

from __future__ import annotations

from collections.abc import Sequence

SURROUNDINGS = (
    " \t\n()[]{}<>\"'`“”‘’«»*.,;:!?"  # signs that can be part of a move, such as + - / # =, are not among them
)


def match(text: str, legal: Sequence[str] | None) -> str | None:
    """The one legal action that `text` names, or None.

    An action's own spelling always names it. Otherwise case, runs of white space, and surrounding brackets, quotes and
    punctuation do not matter; what is left must equal the action, so `5 I think` names nothing. Text that fits two
    actions names none. An action that itself begins or ends in punctuation must be there in full: `5` does not name
    `.5`. legal None (free text): the text without surrounding white space, or None when that is empty.
    """
    stripped = text.strip()
    if legal is None:
        return stripped or None
    if stripped in legal:
        return stripped
    folded = _fold(text)
    bare = folded.strip(SURROUNDINGS)
    fits = [action for action in legal if (own := _fold(action)).strip(SURROUNDINGS) == bare and own in folded and bare]
    return fits[0] if len(fits) == 1 else None


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())
