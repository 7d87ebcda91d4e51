"""Whether the model improved, in a headline and a few lines, from the fixed evaluation alone.

Skill (held-out tasks solved, exploitability, the score against fixed opponents in games that were played out) is kept
apart from form (valid proposals, legal moves), which a model learns first and which raises every other number. Nothing
is called an improvement that its interval does not show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from selfplay.report.charts.scale import written
from selfplay.views.text import number

Row = Mapping[str, Any]


def verdict(rows: Sequence[Row], state: Mapping[str, Any]) -> dict[str, Any]:
    """`outcome` (`improved`, `mixed`, `worse`, `form`, `none`, `unclear`, `unmeasured`), `headline`, `sentences`.

    state: `state`, `step`, `steps` of the run, as `show` names them.
    """
    if not any(row["before"] and row["after"] for row in rows):
        return {"outcome": "unmeasured", "headline": _unmeasured(rows, state), "sentences": []}
    skills = [*_solving(rows), *_exploitability(rows), *_play(rows)]
    form = [row for row in rows if row["kind"] == "form" and row["overall"]]
    by = {
        outcome: [skill for skill in skills if skill["outcome"] == outcome]
        for outcome in ("better", "worse", "unclear")
    }
    learnt = [row for row in form if row["outcome"] == "better"]
    outcome, headline = _headline(by, bool(learnt), bool(skills))
    sentences = [skill["sentence"] for skill in skills[:4]] + _form(form) + _distinct(rows)
    return {"outcome": outcome, "headline": headline, "sentences": sentences}


def _headline(by: Mapping[str, list[dict[str, str]]], form: bool, any_skill: bool) -> tuple[str, str]:
    better, worse = (_and([skill["thing"] for skill in by[outcome]]) for outcome in ("better", "worse"))
    also = " It learnt the form of an answer." if form else ""
    if better and worse:
        return "mixed", f"Mixed: the model got better at {better}, and worse at {worse}."
    if better:
        return "improved", f"The model improved at {better}."
    if worse:
        return "worse", f"The model got worse at {worse}.{also}"
    if by["unclear"]:
        return "unclear", "Whether the model improved cannot be told: nothing says how much of the difference is noise."
    if form:
        skill = "more skill is not shown" if any_skill else "its skill was not measured"
        return "form", f"The model learnt the form of an answer; {skill}."
    return "none", "No improvement is shown."


def _solving(rows: Sequence[Row]) -> list[dict[str, str]]:
    return [
        {"thing": "held-out tasks", "outcome": row["outcome"], "sentence": f"Held-out tasks: {_change(row)}."}
        for row in rows
        if row["key"] == "solver/solve_rate" and row["outcome"]
    ]


def _exploitability(rows: Sequence[Row]) -> list[dict[str, str]]:
    return [
        {
            "thing": row["key"].split("/")[0],
            "outcome": row["outcome"],
            "sentence": f"{row['key'].split('/')[0]}: exploitability {number(row['after']['value'])}, "
            f"{number(row['before']['value'])} before{_manner(row)}; 0 is perfect play.",
        }
        for row in rows
        if row["key"].endswith("/exploitability") and row["outcome"]
    ]


def _play(rows: Sequence[Row]) -> list[dict[str, str]]:
    """One a pairing of game and opponent; all games together where the evaluation has that."""
    by_key, found = {row["key"]: row for row in rows}, []
    scores = [row for row in rows if row["key"].endswith(("/score_vs_random", "/score")) and row["kind"] == "play"]
    for row in [row for row in scores if row["outcome"] and row["overall"]]:
        prefix, _, measure = row["key"].rpartition("/")
        against = "random" if measure == "score_vs_random" else prefix.rpartition("/vs_")[2]
        game = prefix.split("/")[0]
        kept = by_key.get(f"{prefix}/score_without_forfeits" + ("_vs_random" if against == "random" else ""))
        where = "" if game == "player" else f" at {game}"
        sentence = f"Against {against}{where}: score {number(row['after']['value'])}"
        sentence += f", {number(row['before']['value'])} before{_manner(row)}"
        outcome = row["outcome"]
        if kept and kept["after"]:
            outcome = kept["outcome"] or _beyond_even(kept, against)
            sentence += f"; {number(kept['after']['value'])} in the games it did not forfeit, where 0.5 is even"
        found.append({"thing": f"play against {against}{where}", "outcome": outcome, "sentence": sentence + "."})
    return found


def _beyond_even(kept: Row, against: str) -> str:
    """Where every game was forfeited before: better only if it now beats random."""
    low = kept["after"]["low"]
    if low is None:
        return "unclear"
    return "better" if against == "random" and low > 0.5 else "within noise"


def _form(rows: Sequence[Row]) -> list[str]:
    wanted = [
        next((row for row in rows if row["key"].endswith(f"/{measure}") and row["outcome"]), None)
        for measure in ("valid_rate", "legal_rate", "answered_rate")
    ]
    told = [f"{row['name'].split(' (')[0]} {_from_to(row)}{_manner(row)}" for row in wanted if row]
    return [f"Form: {', '.join(told)}."] if told else []


def _distinct(rows: Sequence[Row]) -> list[str]:
    """In counts, and no judgement: of few proposals a greater share is distinct by itself."""
    by_key = {row["key"]: row for row in rows}
    valid, distinct = by_key.get("proposer/valid_rate"), by_key.get("proposer/distinct_rate")
    if not valid or not distinct or not valid["tries"] or not valid["before"] or not valid["after"]:
        return []
    counts = [round(row[side]["value"] * row["tries"]) for side in ("before", "after") for row in (valid, distinct)]
    return [f"Diversity: {counts[3]} of {counts[2]} valid proposals are distinct; before, {counts[1]} of {counts[0]}."]


def _unmeasured(rows: Sequence[Row], state: Mapping[str, Any]) -> str:
    of = f" of {state['steps']}" if state["steps"] else ""
    if state["state"] == "running":
        return f"Still running: step {state['step']}{of}. Whether the model improves is measured after the last step."
    if rows:
        return f"Stopped at step {state['step']}{of}, before the closing evaluation: improvement was not measured."
    return "Whether the model improved cannot be said: this run holds no evaluation."


def _change(row: Row) -> str:
    tries = f", {row['tries']} tries each" if row["tries"] else ""
    return f"{_percent(row, 'after')} solved, {_percent(row, 'before')} before{tries}{_manner(row)}"


def _manner(row: Row) -> str:
    unclear = ", on an unknown number of tries"
    return {"within noise": ", within noise", "little changed": ", little changed", "unclear": unclear}.get(
        row["outcome"], ""
    )


def _from_to(row: Row) -> str:
    return f"{_percent(row, 'before')} → {_percent(row, 'after')}"


def _percent(row: Row, side: str) -> str:
    return written(row[side]["value"], "%")


def _and(words: Sequence[str]) -> str:
    words = list(dict.fromkeys(words))
    words = words if len(words) <= 4 else [*words[:3], f"{len(words) - 3} others"]
    return " and ".join(", ".join(words).rsplit(", ", 1))
