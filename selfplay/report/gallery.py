"""Tasks to read: the hardest, some of every difficulty, each with a right and a wrong attempt; and games to replay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from selfplay.report.frontier import NAMES
from selfplay.report.texts import clip
from selfplay.store.digest import SPREAD
from selfplay.store.reader import Reader

HARDEST, EACH, PLIES, GAMES = 3, 2, 12, 6


def gallery(reader: Reader) -> dict[str, Any] | None:
    """`never`: of the tasks that no attempt solved, those of most attempts; `barely`: of those that some did, the least
    solved; `across`: bin of solve rate → some of its tasks, evenly over the bin. None without any."""
    found = {
        "never": [_card(reader, task) for task in reader.hardest(HARDEST, solved=False)],
        "barely": [_card(reader, task) for task in reader.hardest(HARDEST, solved=True)],
        "across": {
            NAMES[name]: [_card(reader, task) for task in tasks]
            for name in SPREAD
            if (tasks := reader.tasks_across(name, EACH))
        },
    }
    return found if found["across"] else None


def replays(reader: Reader, games: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A game of each kind, its first `PLIES` plies with what was seen and written."""
    ids = [reader.a_game(game) for game in list(games)[:GAMES]]
    return [_replay(reader.episode(id)) for id in ids if id is not None]


def _card(reader: Reader, task: Mapping[str, Any]) -> dict[str, Any]:
    right, wrong = (reader.an_attempt(task["id"], side) for side in (True, False))
    asked = next((attempt["turn"]["prompt"] for attempt in (right, wrong) if attempt and attempt["turn"]), None)
    return {
        **{
            key: task[key]
            for key in ("id", "family", "step", "themes", "attempts", "correct", "solve_rate", "learnability")
        },
        "body": {name: clip(text) for name, text in task["body"].items()},
        "gold": clip(task["gold"]),
        "asked": clip(asked) if asked else None,
        "right": _try(right),
        "wrong": _try(wrong),
    }


def _try(attempt: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if attempt is None:
        return None
    words = attempt["turn"]["text"] if attempt["turn"] else ""
    return {"step": attempt["step"], "verdict": attempt["verdict"], "answer": attempt["answer"], "words": clip(words)}


def _replay(episode: Mapping[str, Any]) -> dict[str, Any]:
    plies = [
        {
            "seat": ply["seat"],
            "who": episode["opponents"][ply["seat"]],
            "sees": clip(ply["observation"], 1500),
            "legal": clip(", ".join(ply["legal"]), 300) if ply["legal"] is not None else None,
            "writes": clip(ply["turn"]["text"], 1500) if ply["turn"] else None,
            "action": clip(ply["action"], 300) if ply["action"] is not None else None,
        }
        for ply in episode["plies"][:PLIES]
    ]
    facts = {key: episode[key] for key in ("id", "game", "step", "opponents", "returns", "end", "offender")}
    return {**facts, "plies": plies, "more": max(0, len(episode["plies"]) - PLIES)}
