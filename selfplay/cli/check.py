"""`selfplay check GAME`: holds a game to the laws of games. Status 1 when it breaks one."""

from __future__ import annotations

from typing import Any

from selfplay.cli.common import Parser, show


def main(argv: list[str]) -> int:
    parser = Parser(
        "check", "Holds a game to the laws of games; a broken law comes with the shortest playout that breaks it."
    )
    parser.add_argument("game", metavar="GAME", help="a game's name, or path/to/file.py:Class")
    parser.add_argument("--playouts", type=int, default=200, metavar="N", help="random games to look at (200)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of those games (0)")
    call = parser.parse(argv)
    if call.playouts < 1:
        parser.error("it needs at least one playout.")
    result = examine(call.game, call.seed, call.playouts)
    show(result, render, call.json)
    return 0 if result["holds"] else 1


def examine(name: str, seed: int, playouts: int) -> dict[str, Any]:
    """`game`, `playouts`, `seed`, `holds`, and the `violations`: law, sentence, transcript (the moves that lead
    there)."""
    import games
    from games.check import check

    violations = check(games.find(name), seed, playouts)
    broken = [{"law": v.law, "sentence": v.sentence, "transcript": list(v.transcript)} for v in violations]
    return {"game": name, "playouts": playouts, "seed": seed, "holds": not broken, "violations": broken}


def render(result: dict[str, Any]) -> Any:
    from rich.text import Text

    from selfplay.views.text import safe

    if result["holds"]:
        return Text(safe(f"{result['game']} breaks no law in {result['playouts']} playouts."))
    lines = [f"{result['game']} breaks {len(result['violations'])} of the laws of games:"]
    for violation in result["violations"]:
        lines += [
            "",
            f"{violation['law']}: {violation['sentence']}",
            *[f"    {move}" for move in violation["transcript"]],
        ]
    return Text(safe("\n".join(lines), lines=True))
