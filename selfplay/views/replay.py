"""Games: the list of them, and one played again turn by turn, as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from selfplay.store.reader import Reader
from selfplay.views.text import number, safe, table


def page(
    reader: Reader, limit: int = 20, offset: int = 0, game: str | None = None, step: int | None = None
) -> dict[str, Any]:
    """`limit`, `offset`, `total` games of the run, and the page's `episodes`, newest first."""
    with reader.snapshot():
        found, count = reader.episodes(limit, offset, game, step), reader.count_episodes()
    return {"total": count, "offset": offset, "limit": limit, "game": game, "step": step, "episodes": found}


def render_page(page: Mapping[str, Any]) -> Any:
    from rich.text import Text

    rows = [
        (
            str(e["id"]),
            number(e["step"]),
            safe(e["game"]),
            safe(", ".join(e["opponents"])),
            number(e["plies"]),
            ", ".join(f"{value:g}" for value in e["returns"] if value is not None),
            e["end"] if e["offender"] is None else f"{e['end']} (seat {e['offender']})",
        )
        for e in page["episodes"]
    ]
    columns = ("episode", "step", "game", "seats", "plies", "returns", "end")
    return table(columns, rows, right=(0, 1, 4)) if rows else Text("No such games.")


def episode(reader: Reader, id: int | None = None) -> dict[str, Any]:
    """One game with all its plies; the newest when no id is given. `UserError` when there is none."""
    with reader.snapshot():
        newest = reader.episodes(1) if id is None else []
        return reader.episode(newest[0]["id"] if newest else id or 0)


def render_episode(episode: Mapping[str, Any]) -> Any:
    from rich.text import Text

    return Text("\n".join(_lines(episode)))


def _lines(episode: Mapping[str, Any]) -> Iterator[str]:
    seats = ", ".join(f"seat {seat} {who}" for seat, who in enumerate(episode["opponents"]))
    yield safe(f"episode {episode['id']}: {episode['game']} in step {episode['step']}, seed {episode['seed']}; {seats}")
    for ply in episode["plies"]:
        yield ""
        yield safe(f"ply {ply['ply'] + 1}, seat {ply['seat']} ({episode['opponents'][ply['seat']]}) sees")
        yield from _block(ply["observation"])
        if ply["legal"] is not None:
            yield safe(f"  legal: {', '.join(ply['legal'])}")
        turn = ply["turn"]
        if turn is not None:
            yield f"  writes ({_facts(turn)})"
            yield from _block(turn["text"])
        yield "  plays no legal move" if ply["action"] is None else safe(f"  plays {ply['action']}")
    returns = ", ".join(f"seat {seat} {value:g}" for seat, value in enumerate(episode["returns"]) if value is not None)
    blame = "" if episode["offender"] is None else f" by seat {episode['offender']}"
    yield ""
    yield f"{episode['end']}{blame}: {returns}"


def _block(text: str) -> list[str]:
    return ["    │ " + line for line in safe(text, lines=True).split("\n")]


def _facts(turn: Mapping[str, Any]) -> str:
    facts = f"{len(turn['ids'])} tokens, {turn['stop']}, policy version {turn['version']}"
    if turn["reward"] is None:
        return facts
    return f"{facts}, reward {turn['reward']:g}, advantage {turn['advantage']:+.3f}"
