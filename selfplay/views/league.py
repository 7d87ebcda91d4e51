"""The league's round robin for a person: who is how strong, and who beats whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from selfplay.views.text import safe, table

Measures = Mapping[str, float | None]


def standings(measures: Measures) -> dict[str, list[dict[str, Any]]]:
    """Game → players in the order of their strength: `player`, `elo` with `low` and `high` (of the difference to a
    random player), `scores`: against whom → share of points."""
    found: dict[str, list[dict[str, Any]]] = {}
    for key, value in measures.items():
        game, _, player = key.partition("/elo/")
        if player and "/" not in player and value is not None:
            bounds = {side: measures.get(f"{key}/{side}") for side in ("low", "high")}
            row = {"player": player, "elo": value, **bounds, "scores": dict(_scores(measures, game, player))}
            found.setdefault(game, []).append(row)
    return {game: sorted(rows, key=lambda row: -row["elo"]) for game, rows in found.items()}


def render(measures: Measures) -> Iterator[Any]:
    """Two tables a game, which fit eighty columns with ten players: strengths, and who took what from whom."""
    from rich.text import Text

    for game, rows in standings(measures).items():
        names = [row["player"] for row in rows]
        yield Text(f"round robin, {safe(game)}", style="bold")
        strengths = [(safe(row["player"]), f"{row['elo']:+.0f}", _interval(row)) for row in rows]
        yield table(("player", "Elo over random", "95 %"), strengths, right=(1, 2))
        yield Text("share of points of the row's player against the column's", style="bold")
        shares = [
            [
                safe(_brief(row["player"])),
                *(f"{row['scores'][name]:.2f}" if name in row["scores"] else "" for name in names),
            ]
            for row in rows
        ]
        yield table(["", *(safe(_brief(name)) for name in names)], shares, right=range(len(names) + 1))


def _interval(row: Mapping[str, Any]) -> str:
    return "–" if None in (row["low"], row["high"]) else f"{row['low']:+.0f} to {row['high']:+.0f}"


def _scores(measures: Measures, game: str, player: str) -> Iterator[tuple[str, float]]:
    for key, value in measures.items():
        where, _, pair = key.partition("/payoff/")
        if where == game and pair.count("/") == 1 and value is not None and player in pair.split("/"):
            first, second = pair.split("/")
            yield (second, value) if first == player else (first, 1 - value)


def _brief(name: str) -> str:
    """`step-00040` as a column's head."""
    return name.removeprefix("step-").lstrip("0") or name
