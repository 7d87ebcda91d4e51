"""The fixed evaluation before and after, each measure with its 95 % interval and what may be said of the difference.

`outcome` is `better` or `worse` where the interval of the difference leaves out 0 (Newcombe's: each value's own
interval, squared and added); `within noise` where it does not; `little changed` for a number that is computed, not
sampled, and moved by less than a tenth; `unclear` where nothing says how much is noise; None where one side is missing,
and where more is neither better nor worse (draws).
Intervals are those that the run stored, or Wilson's over as many tries as the recipe asks (see `trials`), which for a
mean of scores is wider than it need be. Tries are taken as independent. It is one run: what another seed would have
given, no interval here knows.

Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine 17 (1998).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from typing import Any

from selfplay.evaluation.estimate import BOUNDS, Estimate, wilson
from selfplay.report.conditional import conditional
from selfplay.report.trials import trials
from selfplay.views.ending import Evaluation, compare

EXACT = ("exploitability", "legal_mass")
LITTLE = 0.1
KINDS = ("skill", "play", "form", "diversity", "other")
_KINDS = {
    "solve_rate": "skill", "exploitability": "skill", "valid_rate": "form", "answered_rate": "form",
    "legal_rate": "form", "legal_mass": "form", "forfeit_rate": "form", "distinct_rate": "diversity",
}  # fmt: skip
_OF = {
    "solve_rate": "held-out tasks solved", "answered_rate": "answers that can be read", "valid_rate": "valid proposals",
    "distinct_rate": "valid and distinct proposals", "legal_rate": "legal moves",
    "legal_mass": "probability of legal moves", "forfeit_rate": "games forfeited by an illegal move",
    "exploitability": "exploitability",
    "name_gap": "solve rate lost with neutral names", "score_vs_random": "score against random",
    "not_lost_vs_random": "games not lost to random",
}  # fmt: skip


def measures(evaluation: Evaluation, config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row a measure: `key`, `name`, `kind` (of KINDS), `better` (`lower`, `higher`), `before` and `after` (each
    `value`, `low`, `high` or None), `tries`, `basis` (where the interval is from), `difference`, `outcome`, `overall`
    (it speaks for its role or pairing: no family's or game's share of a mean, no part of a score)."""
    rows = [_row(row, evaluation, config) for row in compare(evaluation) if not row["key"].endswith(BOUNDS)]
    rows += [{**row, "outcome": _outcome(row)} for row in conditional(rows)]
    known = [row for row in rows if not _repeats(row, rows)]
    known = [row | {"overall": _overall(row["key"], {other["key"] for other in known})} for row in known]
    return sorted(known, key=lambda row: (KINDS.index(row["kind"]), row["key"]))


def outcomes(evaluation: Evaluation, config: Mapping[str, Any]) -> dict[str, str | None]:
    """The outcome of every measure, of those too that say again what another one says."""
    rows = (row for row in compare(evaluation) if not row["key"].endswith(BOUNDS))
    return {row["key"]: _row(row, evaluation, config)["outcome"] for row in rows}


def judge(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None, better: str, exact: bool) -> str | None:
    """The outcome, as above."""
    if before is None or after is None:
        return None
    difference = after["value"] - before["value"]
    gain = difference if better == "higher" else -difference
    if exact:
        little = abs(difference) < LITTLE * abs(before["value"]) or not difference
        return "little changed" if little else "better" if gain > 0 else "worse"
    if before["low"] is None or after["low"] is None:
        return "unclear"
    if difference > 0:
        noise = math.hypot(after["value"] - after["low"], before["high"] - before["value"])
    else:
        noise = math.hypot(after["high"] - after["value"], before["value"] - before["low"])
    return "within noise" if abs(difference) <= noise else "better" if gain > 0 else "worse"


def _row(row: Mapping[str, Any], evaluation: Evaluation, config: Mapping[str, Any]) -> dict[str, Any]:
    key, exact = row["key"], row["key"].endswith(EXACT)
    tries = trials(key, evaluation, config)
    sides = {label: _side(key, evaluation.get(label, {}), tries) for label in ("before", "after")}
    stored = any(key + bound in found for found in evaluation.values() for bound in BOUNDS)
    made = {
        "key": key,
        "name": _name(key),
        "kind": _kind(key),
        "better": row["better"],
        **sides,
        "tries": tries,
        "basis": "computed exactly" if exact else "stored" if stored else "by tries" if tries else "unknown",
        "difference": row["difference"],
    }
    return made | {"outcome": _outcome(made)}


def _outcome(row: Mapping[str, Any]) -> str | None:
    exact = row["basis"] == "computed exactly"
    unjudged = row["kind"] == "other" or row["key"].endswith(("/distinct_among_valid", "/drawn"))
    return None if unjudged else judge(row["before"], row["after"], row["better"], exact)


def _side(key: str, found: Mapping[str, float | None], tries: int | None) -> dict[str, float | None] | None:
    value = found.get(key)
    if value is None:
        return None
    low, high = (found.get(key + bound) for bound in BOUNDS)
    if low is None and tries:
        return _as_dict(_interval(value, tries))
    return {"value": value, "low": low, "high": high}


def _repeats(row: Mapping[str, Any], rows: list[dict[str, Any]]) -> bool:
    """A mean over all games that is the only game's own."""
    prefix, _, measure = row["key"].partition("/")
    same = [other for other in rows if other["key"] != row["key"] and other["key"].endswith("/" + measure)]
    own = [other for other in same if other["key"].count("/") == 1]
    return (
        prefix == "player" and len(own) == 1 and own[0]["after"] == row["after"] and own[0]["before"] == row["before"]
    )


def _interval(share: float, tries: int) -> Estimate:
    return wilson(share * tries, tries)  # type: ignore[arg-type]  # a mean of scores counts parts of a try


def _overall(key: str, keys: Set[str]) -> bool:
    prefix, _, measure = key.rpartition("/")
    if "/vs_" in key:
        return "/seat_" not in key and measure in ("score", "score_without_forfeits")
    role = prefix.split("/")[0] if prefix.startswith(("proposer", "solver")) else "player"
    return prefix == role or f"{role}/{measure}" not in keys


def _as_dict(estimate: Estimate) -> dict[str, float | None]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _kind(key: str) -> str:
    measure = key.split("/")[-1]
    if "/vs_" in key:
        return "form" if measure in ("forfeit_rate", "legal_rate") else "play"
    return "play" if measure.endswith("_vs_random") else _KINDS.get(measure, "other")


def _name(key: str) -> str:
    first, *middle, last = key.split("/")
    versus = next((part[3:] for part in middle if part.startswith("vs_")), None)
    about = [first] if first not in ("proposer", "solver", "player") else ["all games"] if first == "player" else []
    about += [part for part in middle if not part.startswith("vs_")]
    words = _OF.get(last, last.replace("_", " ")) + (f" against {versus}" if versus else "")
    return f"{words} ({', '.join(about)})" if about else words
