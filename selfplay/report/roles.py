"""The parts one model plays, in what the run measured of each, and how the seats of its games fared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from selfplay.report.steps import Groups
from selfplay.store.reader import Reader

ROLES = ("proposer", "solver", "player")
CHARTS = {
    "reward/mean": ("Mean reward", "reward"),
    "advantage/spread": ("Spread of advantages (root mean square)", "reward"),
    "logprob/mean": ("Mean log-probability of sampled tokens", "nats a token"),
    "tokens/mean": ("Length of what was written", "tokens"),
}
RATES = ("proposer/valid_rate", "solver/solve_rate", "player/legal_rate")
WHOLE = {
    "train/entropy": ("Entropy of the policy", "nats a token"),
    "train/grad_norm": ("Norm of the gradient", ""),
    "policy/parity/mean": ("Difference of sampler and trainer", "nats a token"),
}

_FIXED = (
    (r"([^/]+)/exploitability", "{}"),
    (r"(?!player/)([^/]+)/not_lost_vs_random", "{} against random"),
    (r"([^/]+)/vs_([^/]+)/not_lost", "{} against {}"),
)


def roles(reader: Reader, groups: Groups, config: Mapping[str, Any]) -> dict[str, Any] | None:
    """`by_role`: stat → role → a value a group; `rates`: the roles' own success in self-play; `whole`: the same for
    the policy; where they were measured on the way, `exploitability`: game → a value a group, and `not_lost`: `GAME
    against OPPONENT` → the share of games; `baselines`: seat → `reward` and `baseline` a group; `seats`: see `_seats`.
    None when there is none of it."""
    keys = reader.metric_keys()
    wanted = [f"{role}/{stat}" for role in ROLES for stat in CHARTS] + [*RATES, *WHOLE]
    fixed = {key: game for key in keys if (game := on_the_way(key))}
    wanted = [key for key in [*wanted, *fixed] if key in keys]
    values = {key: groups.series(found) for key, found in reader.binned_metrics(wanted, groups.width).items()}
    made = {
        "by_role": {
            stat: found
            for stat in CHARTS
            if (found := {role: values[f"{role}/{stat}"] for role in ROLES if f"{role}/{stat}" in values})
        },
        "rates": {key: values[key] for key in RATES if key in values},
        "whole": {key: values[key] for key in WHOLE if key in values},
        "exploitability": {name: values[key] for key, name in fixed.items() if key.endswith("/exploitability")},
        "not_lost": {name: values[key] for key, name in fixed.items() if not key.endswith("/exploitability")},
        "baselines": _baselines(reader, groups, config),
        "seats": _seats(reader.outcomes(groups.width), len(groups.names)),
    }
    return made if any(made.values()) else None


def on_the_way(key: str) -> str | None:
    """What to call the curve of a measure of the games, if it is worth one: the game, or who played whom."""
    for pattern, name in _FIXED:
        if found := re.fullmatch(pattern, key):
            return name.format(*found.groups())
    return None


def _baselines(reader: Reader, groups: Groups, config: Mapping[str, Any]) -> dict[str, dict[str, list[float | None]]]:
    """What a seat's turns earned, and what was taken off: reward − advantage / weight, for an estimator that subtracts
    a baseline and divides by nothing."""
    credit = config.get("credit") or {}
    weight = (credit.get("weights") or {}).get("player", 1.0)
    if credit.get("player", "rae") not in ("rae", "rloo", "dr_grpo") or not weight:
        return {}
    found: dict[str, dict[str, dict[int, float | None]]] = {}
    for seat, group, reward, advantage in reader.seat_credit(groups.width):
        pair = found.setdefault(seat, {"reward": {}, "baseline": {}})
        pair["reward"][group], pair["baseline"][group] = reward, reward - advantage / weight
    return {seat: {name: groups.series(values) for name, values in pair.items()} for seat, pair in found.items()}


def _seats(outcomes: Sequence[Mapping[str, Any]], groups: int) -> dict[str, Any]:
    """Game → `games` a group, `ends` (how many games, by end), `forfeits` (share a group), `self` (seat → share a
    group that it won of the games between the present policy and itself that ended by the rules), `rivals`: opponent →
    `games`, `won` by the policy."""
    found: dict[str, Any] = {}
    for row in outcomes:
        game = found.setdefault(row["game"], _empty(len(row["returns"]), groups))
        count, at, winners = row["count"], row["group"], _winners(row["returns"])
        game["games"][at] += count
        game["ends"][row["end"]] = game["ends"].get(row["end"], 0) + count
        game["forfeited"][at] += count * (row["end"] == "invalid")
        if set(row["opponents"]) == {"policy"}:
            for seat in winners if len(winners) == 1 and row["end"] != "invalid" else ():
                game["won"][seat][at] += count
            game["own"][at] += count * (row["end"] != "invalid")
            continue
        for rival in sorted(set(row["opponents"]) - {"policy"}):
            against = game["rivals"].setdefault(rival, {"games": 0, "won": 0})
            against["games"] += count
            against["won"] += count * (len(winners) == 1 and row["opponents"][winners[0]] == "policy")
    return {game: _shares(counts) for game, counts in found.items()}


def _empty(seats: int, groups: int) -> dict[str, Any]:
    zeros = [[0] * groups for _ in range(seats + 3)]
    return {"games": zeros[0], "own": zeros[1], "forfeited": zeros[2], "won": zeros[3:], "ends": {}, "rivals": {}}


def _shares(counts: Mapping[str, Any]) -> dict[str, Any]:
    won = [_share(seat, counts["own"]) for seat in counts["won"]]
    return {
        "games": counts["games"],
        "ends": counts["ends"],
        "forfeits": _share(counts["forfeited"], counts["games"]),
        "self": {f"seat {seat}": shares for seat, shares in enumerate(won)},
        "rivals": dict(sorted(counts["rivals"].items())),
    }


def _share(part: Sequence[int], whole: Sequence[int]) -> list[float | None]:
    return [a / b if b else None for a, b in zip(part, whole, strict=True)]


def _winners(returns: Sequence[float | None]) -> list[int]:
    known = [value for value in returns if value is not None]
    return [seat for seat, value in enumerate(returns) if known and value == max(known)]
