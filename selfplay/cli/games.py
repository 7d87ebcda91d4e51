"""`selfplay games`: the games that can be named in a recipe."""

from __future__ import annotations

from typing import Any

from selfplay.cli.common import Parser, show
from selfplay.errors import UserError


def main(argv: list[str]) -> int:
    parser = Parser(
        "games", "The games that can be named in a recipe: those in games/ and those of installed packages."
    )
    call = parser.parse(argv)
    show(listing(), render, call.json)
    return 0


def listing() -> dict[str, Any]:
    """`games`: name, roles and what each declares about itself; one that cannot be loaded has a `problem` instead."""
    import games

    return {"games": [_declared(name) for name in games.available()]}


def render(found: dict[str, Any]) -> Any:
    from selfplay.views.text import safe, table

    rows = []
    for game in found["games"]:
        if "problem" in game:
            rows.append((safe(game["name"]), "", "", "", safe(game["problem"])))
            continue
        kind = ("zero-sum" if game["zero_sum"] else "general-sum") + (
            ", open" if game["perfect_information"] else ", hidden cards"
        )
        exact = "exact exploitability" if game["exact"] else ""
        rows.append((safe(game["name"]), safe(", ".join(game["roles"])), kind, exact, safe(game["rules"])))
    return table(("game", "seats", "kind", "solver", "rules"), rows)


def _declared(name: str) -> dict[str, Any]:
    import games

    try:
        game = games.find(name)
    except UserError as error:
        return {"name": name, "problem": str(error)}
    return {
        "name": game.name,
        "roles": list(game.roles),
        "rules": game.rules,
        "zero_sum": game.zero_sum,
        "perfect_information": game.perfect_information,
        "utility_range": list(game.utility_range),
        "max_plies": game.max_plies,
        "exact": game.chance(None) is not None,
    }
