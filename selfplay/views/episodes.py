"""The games a run played, a page at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from selfplay.store.filters import GameFilter, given
from selfplay.store.reader import Reader
from selfplay.views.paging import beyond, bounds, heading, place
from selfplay.views.text import number, safe, table


def page(reader: Reader, limit: int = 20, offset: int = 0, **only: Unpack[GameFilter]) -> dict[str, Any]:
    """`total`, `limit`, `offset`, `page`, `pages`, `only` (the conditions that were given) and the page's `episodes`,
    newest first. Where nothing matches, `kinds`: the games and endings that there are."""
    with reader.snapshot():
        found, total = reader.episodes(limit, offset, **only), reader.count_episodes(**only)
        kinds = {} if total else {"kinds": reader.kinds_of_games()}
    return {**place(total, limit, offset), "only": given(only), **kinds, "episodes": found}


def render_page(page: Mapping[str, Any]) -> Any:
    from rich.console import Group
    from rich.text import Text

    if not page["episodes"]:
        return Text(beyond(page, "such games") or _none(page))
    rows = [
        (
            str(e["id"]),
            number(e["step"]),
            safe(e["game"]),
            safe(", ".join(e["opponents"])),
            number(e["plies"]),
            ", ".join(number(value) for value in e["returns"]),
            safe(e["end"] if e["offender"] is None else f"{e['end']} (seat {e['offender']})"),
        )
        for e in page["episodes"]
    ]
    columns = ("episode", "step", "game", "seats", "plies", "returns", "end")
    title = Text(heading(page, "games", len(rows), f", newest first{_conditions(page)}"), style="bold")
    return Group(title, table(columns, rows, right=(0, 1, 4), cut=(2, 3)))


_WORDS = {"game": "{}", "step": "step {}", "end": "ended {}", "won": "won by seat {}"}


def _conditions(page: Mapping[str, Any]) -> str:
    return safe("".join(f", {_WORDS[name].format(bounds(value))}" for name, value in page["only"].items()))


def _none(page: Mapping[str, Any]) -> str:
    kinds = page["kinds"]
    if not kinds["game"]:
        return "No game was played in this run."
    asked = _conditions(page).lstrip(", ")
    return safe(
        f"No such games ({asked}); the run has others: of {', '.join(kinds['game'])}, ended {', '.join(kinds['end'])}."
    )
