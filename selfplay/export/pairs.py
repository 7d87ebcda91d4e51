"""Training pairs out of what programs judged: for supervised finetuning, and for preference methods.

Supervised: right attempts, proposals that became tasks, and moves. A different text is one row, however often it was
written; of a task's attempts and of a prompt's moves the commonest `most`, of proposals all (each is a task of its
own).

Preferences are pairs of which a program says, from the words alone, that one is better: a right attempt over a wrong
one at the same task; of proposals to one prompt, one that became a task over one that a gate refused (not for
`novelty`: that depends on what came before); of moves in one position as the seat saw it, one that is worth imitating
over an illegal one, which forfeits by rule. Two legal moves are never ranked by their returns: the return of one game
hangs on the deal and on the rest of the play, what a seat does not see differs between two games of one prompt, and
where a game is played well by mixing, its moves are worth the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from math import lcm
from typing import Any

from selfplay.store.streams import Row


def sft(rows: Iterable[Row], most: int | None, turns: str = "won") -> Iterator[Row]:
    """At most `most` rows a task or prompt (None: all), out of what `Reader.graded` gives. `turns`: of the moves,
    those that were made in a game that the seat won (`won`), or all legal ones (`legal`)."""
    for _, answers in _by_question(rows):
        yield from islice((row for row in answers if _wanted(row, turns)), most)


def preferences(rows: Iterable[Row], most: int, turns: str = "won") -> Iterator[Row]:
    """At most `most` pairs a task or prompt, no two the same, and every text in about as many of them. What is chosen
    is what `sft` would take."""
    for _, answers in _by_question(rows):
        good: list[Row] = []
        bad: list[Row] = []
        for row in answers:
            side = good if row["good"] else bad
            if len(side) < most and (side is bad or _wanted(row, turns)):
                side.append(row)
        around = lcm(len(good), len(bad))
        for n in range(min(most, len(good) * len(bad))):
            yield _pair(good[n % len(good)], bad[(n + n // around) % len(bad)])


def _wanted(row: Row, turns: str) -> bool:
    return bool(row["good"] and (turns == "legal" or row["wins"] != 0))


def _by_question(rows: Iterable[Row]) -> Iterator[tuple[Any, Iterator[Row]]]:
    return groupby(rows, key=lambda row: (row["task_n"], row["prompt_id"]))


def _pair(good: Row, bad: Row) -> Row:
    sides = {f"{side}_{name}": row[name] for side, row in (("chosen", good), ("rejected", bad)) for name in _COMPARED}
    return good | {"chosen": good["completion"], "rejected": bad["completion"]} | sides


_COMPARED = ("why", "step", "count")
