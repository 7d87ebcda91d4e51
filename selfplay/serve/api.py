"""What the page asks: one function an answer, each the twin of a reading verb.

`/api/show`, `/api/tasks`, `/api/refused` (`tasks --refused`), `/api/task`, `/api/episodes` and `/api/replay` give what
the verb gives; `/api/evaluation` gives the rows of the ending's table. Each call opens the database read-only, reads
from one snapshot, and closes it.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from selfplay.errors import UserError
from selfplay.report.measures import outcomes
from selfplay.store.folder import RunFolder
from selfplay.store.queries import ORDERS
from selfplay.store.reader import Reader
from selfplay.views import episodes as games
from selfplay.views import replay, tasks
from selfplay.views.ending import compare, sides
from selfplay.views.show import summary
from selfplay.views.steps import curve_keys
from selfplay.views.task import one

MOST = 500
"""The most entries in one answer."""


class BadCall(UserError):
    """The question itself is wrong, whatever the run holds."""


def show(folder: Path, points: int | None = None) -> dict[str, Any]:
    """`points`: thin every curve to so many of its points, the curves worth the most room first."""
    found = summary(folder)
    if points is None:
        return found
    first = curve_keys((key for key in found["curves"] if not key.startswith("directive/")), most=len(found["curves"]))
    curves = {key: thin(found["curves"][key], points) for key in dict.fromkeys([*first, *found["curves"]])}
    return found | {"curves": curves, "parity": {key: thin(each, points) for key, each in found["parity"].items()}}


def evaluation(folder: Path) -> dict[str, Any]:
    """`labels`, and `rows` as `compare` gives them, with `self_play`: whether the measure looks at what the run made
    itself, rather than at held-out tasks and fixed opponents; and `outcome`: what the report says of the difference
    (see `report.measures`), None where it says nothing."""
    with Reader(folder) as reader:
        found = reader.evaluations()
    said = outcomes(found, RunFolder(folder).config())
    rows = [row | {"self_play": self_play(row["key"]), "outcome": said.get(row["key"])} for row in compare(found)]
    return {"labels": sides(found), "rows": rows}


def self_play(key: str) -> bool:
    return key.startswith("proposer/") or key.endswith("/name_gap")


def task_page(
    folder: Path, limit: int = 20, offset: int = 0, order: str = "newest", family: str | None = None
) -> dict[str, Any]:
    with Reader(folder) as reader:
        return tasks.page(reader, limit=limit, offset=offset, order=order, family=family)


def refused(folder: Path, gate: str = "any", limit: int = 20, offset: int = 0) -> dict[str, Any]:
    with Reader(folder) as reader:
        return tasks.refused(reader, gate, limit=limit, offset=offset)


def task(folder: Path, id: str) -> dict[str, Any]:
    with Reader(folder) as reader:
        return one(reader, id)


def episodes(
    folder: Path, limit: int = 20, offset: int = 0, game: str | None = None, step: int | None = None
) -> dict[str, Any]:
    with Reader(folder) as reader:
        return games.page(reader, limit=limit, offset=offset, game=game, step=step)


def episode(folder: Path, episode: int | None = None) -> dict[str, Any]:
    with Reader(folder) as reader:
        return replay.episode(reader, episode, names=RunFolder(folder).games())


def thin(pairs: list[tuple[int, float | None]], points: int) -> list[tuple[int, float | None]]:
    """At most so many of the pairs, evenly spread, the first and the last among them."""
    last = len(pairs) - 1
    return pairs if last < points else [pairs[i * last // (points - 1)] for i in range(points)]


def stamp(folder: Path) -> str:
    """A text that changes whenever an answer may."""
    with Reader(folder) as reader:
        return f"{folder} {reader.stamp()} {RunFolder(folder).used_by()}"


def number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 15):
        raise BadCall(f"'{name}' is a number from 0 on, and {text[:40]!r} is none.")
    return int(text)


def limit(name: str, text: str) -> int:
    value = number(name, text)
    if value > MOST:
        raise BadCall(f"'{name}' is at most {MOST}: ask for the rest with 'offset'.")
    return value


def points(name: str, text: str) -> int:
    value = number(name, text)
    if value < 2:
        raise BadCall(f"'{name}' is at least 2: a curve has a first point and a last one.")
    return value


def order(name: str, text: str) -> str:
    if text not in ORDERS:
        raise BadCall(f"Tasks have no order {text[:40]!r}; choose one of {', '.join(ORDERS)}.")
    return text


def word(name: str, text: str) -> str:
    return text


@dataclass(frozen=True)
class Call:
    """An answer, the parameters it takes, and those it cannot do without."""

    answer: Callable[..., dict[str, Any]]
    parameters: Mapping[str, Callable[[str, str], Any]]
    needed: tuple[str, ...] = ()


_PAGE = {"limit": limit, "offset": number}
API = {
    "/api/show": Call(show, {"points": points}),
    "/api/evaluation": Call(evaluation, {}),
    "/api/tasks": Call(task_page, {**_PAGE, "order": order, "family": word}),
    "/api/refused": Call(refused, {**_PAGE, "gate": word}),
    "/api/task": Call(task, {"id": word}, ("id",)),
    "/api/episodes": Call(episodes, {**_PAGE, "game": word, "step": number}),
    "/api/replay": Call(episode, {"episode": number}),
}
"""Path → what answers there."""


def read(path: str, query: str) -> dict[str, Any]:
    """The arguments in a query. BadCall: one that is not there, given twice, missing, or of the wrong kind."""
    call = API[path]
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=16)
    except ValueError as error:
        raise BadCall(f"The question {query[:80]!r} cannot be read ({error}): write name=value&name=value.") from None
    found: dict[str, Any] = {}
    for name, text in pairs:
        if name not in call.parameters:
            near = difflib.get_close_matches(name, call.parameters, n=1)
            known = f"did you mean '{near[0]}'?" if near else f"it takes {', '.join(call.parameters) or 'none'}."
            raise BadCall(f"{path} has no parameter {name[:40]!r}; {known}")
        if name in found:
            raise BadCall(f"'{name}' is given twice.")
        found[name] = call.parameters[name](name, text)
    for name in call.needed:
        if name not in found:
            raise BadCall(f"{path} needs '{name}': {path}?{name}=…")
    return found
