"""A step in one line of text, and the last task and game in one line each: the same facts on a terminal and in a
log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from selfplay.records import Episode, Proposal
from selfplay.store.digest import SPREAD
from selfplay.views.tasks import one_line
from selfplay.views.text import bars, counts_line, funnel_line, percent, seconds_line, short


def spread_text(spread: Mapping[str, int], empty: bool = True) -> str:
    """`▂·▅█·▁ 0: 1, (0,.25]: 0, …`: how many measured tasks have which solve rate; `empty`: also where none has."""
    named = (f"{name}: {spread[name]:,}" for name in SPREAD if empty or spread[name])
    return f"{bars(spread[name] for name in SPREAD)} {', '.join(named)}"


def games_text(digest: Mapping[str, Any]) -> str:
    played = sum(digest["games"].values())
    return f"{played:,} games, {percent(digest['illegal'], digest['moves'])} of {digest['moves']:,} moves illegal"


def step_line(step: int, total: int, digest: Mapping[str, Any], seconds: Mapping[str, float]) -> str:
    """Everything a step tells, in one line without styles; nothing of what the run does not do."""
    parts = []
    if digest["funnel"]["proposed"]:
        parts.append(funnel_line(digest["funnel"]))
    if any(digest["spread"].values()):
        parts.append(f"tasks by solve rate {spread_text(digest['spread'])}")
    if digest["games"]:
        parts.append(games_text(digest))
    if digest["funnel"]["proposed"]:
        parts.append(f"refused: {counts_line(digest['refusals'])}")
    return f"step {step}/{total} | {' | '.join([*parts, seconds_line(seconds)])}"


def task_line(proposal: Proposal) -> str:
    task = proposal.task
    assert task is not None
    return short(f"{task.family} {task.id[:10]}: {one_line(task.body)} → {task.gold}", 160)


def game_line(episode: Episode) -> str:
    """Who did what: `kuhn_poker (policy, random): bet, fold → 1, -1, finished`."""
    moves = ", ".join("illegal" if ply.action is None else ply.action for ply in episode.plies)
    seats, returns = ", ".join(episode.opponents), ", ".join(f"{value:g}" for value in episode.returns)
    return short(f"{episode.game} ({seats}): {moves} → {returns}, {episode.end}", 160)


def curve_keys(keys: Iterable[str], most: int = 8) -> Sequence[str]:
    """The metrics worth a curve when there is room for a few: exploitability and games not lost, rates and rewards
    of the roles, then others."""
    wanted = (
        "exploitability",
        "not_lost_vs",
        "/not_lost",
        "valid",
        "solve_rate",
        "legal",
        "reward",
        "entropy",
        "loss",
        "parity",
    )
    ranked = sorted((next((i for i, word in enumerate(wanted) if word in key), len(wanted)), key) for key in keys)
    return [key for rank, key in ranked if rank < len(wanted)][:most]
