"""How much of a model's words a page shows: all of it, up to a length that no page grows too long by."""

from __future__ import annotations

MOST = 4000


def clip(text: str, most: int = MOST) -> str:
    """At most `most` characters, and then how many more there were."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} characters more)"
