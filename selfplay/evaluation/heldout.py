"""A fixed set of small programs, written by hand: what the solver is asked before and after. Never shown as a
reference, never trained on.

Their outputs are computed by running them through the family's own gates, not written down.
"""

from __future__ import annotations

import asyncio

from selfplay.families import Family
from selfplay.records import Draft, Task

PROGRAMS = [
    ("def f(n):\n    return n + 10", "5"),
    ("def f(a, b):\n    return a * b", "3, 4"),
    ("def f(n):\n    return n % 3", "10"),
    ("def f(x):\n    return -x", "8"),
    ("def f(text):\n    return len(text)", "'apple'"),
    ("def f(text):\n    return text.upper()", "'dog'"),
    ("def f(text):\n    return text + text", "'ab'"),
    ("def f(text):\n    return text[0]", "'river'"),
    ("def f(items):\n    return sum(items)", "[1, 2, 3]"),
    ("def f(items):\n    return items[-1]", "[4, 9, 2]"),
    ("def f(items):\n    return sorted(items)", "[3, 1, 2]"),
    ("def f(items):\n    return len(items)", "[7, 7, 7, 7]"),
    ("def f(items):\n    return [x + 1 for x in items]", "[1, 5]"),
    ("def f(a, b):\n    return max(a, b)", "2, 9"),
    ("def f(n):\n    return n > 4", "6"),
    ("def f(n):\n    return n % 2 == 0", "7"),
    ("def f(text):\n    return text.replace('a', 'o')", "'banana'"),
    ("def f(words):\n    return '-'.join(words)", "['x', 'y', 'z']"),
    ("def f(n):\n    return list(range(n))", "4"),
    ("def f(text):\n    return text.count('s')", "'grass'"),
    ("def f(a, b):\n    return abs(a - b)", "3, 11"),
    ("def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total", "4"),
    ("def f(pairs):\n    return dict(pairs)", "[(1, 'a')]"),
    ("def f(n):\n    return str(n) * 2", "12"),
]


async def tasks(family: Family, count: int) -> list[Task]:
    """The family's fixed tasks, their truth found by its own gates. What a gate refuses is left out: a program may suit
    one question and not another."""
    found = await asyncio.gather(*(family.verifier.examine(draft) for draft in drafts(family, count)))
    return [task for task in found if isinstance(task, Task)]


def drafts(family: Family, count: int) -> list[Draft]:
    """What the proposer calls `heldout`, where it does; the first `count` programs for a family that asks about one
    program and its input; [] for a family that has no fixed set."""
    own = getattr(family.proposer, "heldout", None)
    if own is not None:
        return list(own(count))
    if family.name not in ("deduction", "abduction"):
        return []
    return [Draft(family.name, {"code": code, "input": given}) for code, given in PROGRAMS[:count]]
