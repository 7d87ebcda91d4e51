"""How many tries a measure of the fixed evaluation stands on, as the run's recipe tells: what its noise is read from.

A proposer's rate has exactly the recipe's count. A solver's has at most `tasks * attempts`: a family may have fewer
fixed tasks, so the count is the greatest for which all of its stored shares are whole numbers of tries. A legal rate is
over moves, and stands on no fewer than the games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from selfplay.views.ending import Evaluation

SHARES = (
    "valid_rate",
    "distinct_rate",
    "solve_rate",
    "answered_rate",
    "legal_rate",
    "forfeit_rate",
    "score_vs_random",
    "not_lost_vs_random",
)


def trials(key: str, evaluation: Evaluation, config: Mapping[str, Any]) -> int | None:
    """None where the measure is no share of tries (or a mean of scores from 0 to 1), or the recipe does not tell."""
    asked, measure = config.get("evaluation") or {}, key.split("/")[-1]
    if measure not in SHARES:
        return None
    owner, *family = key.split("/")[:-1]
    if owner == "proposer":
        counts: list[int | None] = [asked.get("proposals")] * (1 if family else len(_families(key, evaluation)) or 1)
    elif owner == "solver":
        families = [f"solver/{family[0]}"] if family else _families(key, evaluation) or ["solver"]
        most = (asked.get("tasks") or 0) * (asked.get("attempts") or 0)
        counts = [_whole(prefix, evaluation, asked.get("attempts") or 1, most) for prefix in families]
    else:
        games = [
            game for game in (config.get("games") or {}).get("names", ()) if f"{game}/{measure}" in _keys(evaluation)
        ]
        counts = [_even(asked.get("games"))] * (1 if owner != "player" else len(games) or 1)
    known = [count for count in counts if count]
    return sum(known) if known and len(known) == len(counts) else None


def _families(key: str, evaluation: Evaluation) -> list[str]:
    """`role/family` of the families that the role's mean `role/measure` is over."""
    role, measure = key.split("/")
    parts = (other.split("/") for other in _keys(evaluation))
    return ["/".join(part[:2]) for part in parts if len(part) == 3 and (part[0], part[2]) == (role, measure)]


def _whole(prefix: str, evaluation: Evaluation, attempts: int, most: int) -> int:
    keys = (f"{prefix}/solve_rate", f"{prefix}/answered_rate")
    shares = [share for found in evaluation.values() for key in keys if (share := found.get(key)) is not None]
    for count in range(most - most % attempts, 0, -attempts):
        if all(abs(share * count - round(share * count)) < 1e-6 for share in shares):
            return count
    return 0


def _even(games: int | None) -> int | None:
    """Every deal is played once from each of two seats."""
    return games and max(2, games - games % 2)


def _keys(evaluation: Evaluation) -> Iterable[str]:
    return sorted({key for found in evaluation.values() for key in found})
