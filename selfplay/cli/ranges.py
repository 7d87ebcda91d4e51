"""Counts and ranges on the command line: `3`, `3..7`, `3..`, `..7`, both ends included."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Any

MOST = 2**62
"""More than anything is counted to; SQLite's integers end a little later."""


def count(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is no count: write a whole number, 0 or more")
    return min(int(text), MOST)


def steps(text: str) -> tuple[int, int]:
    return _range(text, count, (0, MOST), "a step", "5 or 5..20")


def rates(text: str) -> tuple[float, float]:
    """Of numbers between 0 and 1."""
    low, high = _range(text, float, (0.0, 1.0), "a rate", "0.25..0.75")
    if low < 0 or high > 1:
        raise argparse.ArgumentTypeError(f"a rate lies between 0 and 1, and {text!r} does not")
    return low, high


def numbers(text: str) -> tuple[float, float]:
    return _range(text, float, (-math.inf, math.inf), "a number", "0.1..0.5")


def _range(text: str, number: Callable[[str], Any], open_ends: tuple[Any, Any], what: str, example: str) -> Any:
    ends = [end.strip() for end in text.split("..")]
    try:
        if len(ends) > 2 or not any(ends):
            raise ValueError(text)
        low, high = (number(end) if end else default for end, default in zip((ends * 2)[:2], open_ends, strict=True))
        if math.isnan(low) or math.isnan(high):
            raise ValueError(text)
    except (ValueError, argparse.ArgumentTypeError):
        raise argparse.ArgumentTypeError(f"{text!r} is neither {what} nor a range; write {example}") from None
    if low > high:
        raise argparse.ArgumentTypeError(f"the range {text!r} is empty: its first end is the greater one")
    return low, high
