"""Which page of how many, in data and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from selfplay.views.text import number


def place(total: int, limit: int, offset: int) -> dict[str, int | None]:
    """`total`, `limit`, `offset`; `page` of `pages`, from 1 (None where the offset is at no page's beginning)."""
    page = offset // limit + 1 if limit and offset % limit == 0 else None
    return {
        "total": total,
        "limit": limit,
        "offset": offset,
        "page": page,
        "pages": -(-total // limit) if limit else None,
    }


def heading(page: Mapping[str, Any], what: str, shown: int, about: str = "") -> str:
    """`41 to 60 of 1,003 tasks, hardest first (page 3 of 51)`."""
    first = page["offset"] + 1
    which = f" (page {page['page']:,} of {page['pages']:,})" if page["page"] and page["pages"] > 1 else ""
    return f"{first:,} to {first + shown - 1:,} of {page['total']:,} {what}{about}{which}"


def beyond(page: Mapping[str, Any], what: str) -> str | None:
    """The sentence where there are such things, and none on this page."""
    if not page["total"]:
        return None
    if not page["limit"]:
        return f"The run has {page['total']:,} {what}."
    pages = f", which make {page['pages']:,} page{'s' * (page['pages'] > 1)}" if page["pages"] else ""
    return f"Nothing is left there: the run has {page['total']:,} {what}{pages} of {page['limit']:,}."


def bounds(value: Any) -> str:
    """A range as `3 to 7`, `from 3`, `to 7` or `3`; anything else as its text."""
    if not isinstance(value, tuple | list):
        return str(value)
    low, high = value
    if low == high:
        return number(low)
    if high > _OPEN:
        return f"from {number(low)}"
    return f"to {number(high)}" if low < -_OPEN else f"{number(low)} to {number(high)}"


_OPEN = 2.0**60
