"""Which charts a page shows, of what a run holds: the section's data turned into geometry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from selfplay.report.charts import bars, heat, lines, stacks
from selfplay.report.roles import CHARTS, RATES, WHOLE, on_the_way

Chart = dict[str, Any]


SECTIONS = {
    "measures": "a fixed evaluation",
    "funnel": "proposals",
    "frontier": "attempts",
    "roles": "what the roles earned",
    "replays": "games",
    "lineage": "lineage",
    "cost": "finished steps",
}


def parts(found: Mapping[str, Any]) -> dict[str, Any]:
    """Section → its charts, in order; none for a section without data. `missing`: what the run does not hold."""
    steps = found["steps"]
    return {
        "funnel_charts": _funnel(found["funnel"], steps),
        "frontier_charts": _frontier(found["frontier"], steps),
        "diversity_charts": _diversity(found["diversity"], steps),
        "on_the_way": _on_the_way(found["roles"], found["measures"], steps),
        "role_charts": _roles(found["roles"], steps),
        "seat_charts": _seats(found["roles"], steps),
        "more_charts": _more(found["roles"], steps),
        "cost_charts": _cost(found["cost"], steps),
        "missing": [name for key, name in SECTIONS.items() if not found[key]],
    }


def _funnel(funnel: Mapping[str, Any] | None, steps: list[str]) -> list[Chart]:
    if not funnel:
        return []
    proposed = funnel["stages"]["proposed"]
    reached = {
        stage: [count / whole if whole else None for count, whole in zip(counts, proposed, strict=True)]
        for stage, counts in funnel["stages"].items()
        if stage != "proposed"
    }
    ends = {"admitted": funnel["stages"]["admitted"]} | _largest(funnel["by_gate"])
    return [
        bars("Proposals, all steps", funnel["total"], whole=funnel["total"]["proposed"]),
        lines("Share of proposals that got this far", steps, reached, "%", low=0.0, high=1.0),
        stacks("Where proposals ended: admitted, or refused by a gate", steps, ends, share=True),
    ]


def _largest(by_gate: Mapping[str, list[int]], most: int = 7) -> dict[str, list[int]]:
    """In order of the gates; the smallest are put together where there are more than colours."""
    kept = sorted(by_gate, key=lambda gate: -sum(by_gate[gate]))[: most if len(by_gate) <= most else most - 1]
    rest = [gate for gate in by_gate if gate not in kept]
    together = [sum(column) for column in zip(*(by_gate[gate] for gate in rest), strict=True)]
    return {gate: by_gate[gate] for gate in by_gate if gate in kept} | ({", ".join(rest): together} if rest else {})


def _frontier(frontier: Mapping[str, Any] | None, steps: list[str]) -> list[Chart]:
    if not frontier:
        return []
    names = frontier["names"]
    made = [
        heat(
            "Solve rate of the tasks that a step measured",
            steps,
            {names[name]: counts for name, counts in frontier["spread"].items()},
            "The darker, the more of the step's tasks. Between never and always lies what a solver can learn from.",
            "solved",
        ),
        lines(
            "Tasks solved sometimes, not always", steps, {"share of a step's tasks": frontier["between"]}, "%", low=0.0
        ),
    ]
    if any(value is not None for value in frontier["learnability"]):
        made.append(lines("Learnability", steps, {"mean over a step's tasks": frontier["learnability"]}, low=0.0))
    tasks = {names[name]: count for name, count in frontier["tasks"].items()}
    return [made[0], bars("Tasks by solve rate, over all their attempts", tasks), *made[1:]]


def _diversity(diversity: Mapping[str, Any] | None, steps: list[str]) -> list[Chart]:
    if not diversity:
        return []
    made = [lines("Repeats", steps, {"share of valid proposals": diversity["repeats"]}, "%", low=0.0, high=1.0)]
    if any(value is not None for value in diversity["distinct_answers"]):
        different = {"share of the attempts at one task": diversity["distinct_answers"]}
        made.append(lines("Different completions", steps, different, "%", low=0.0, high=1.0))
    if len(diversity["families"]) > 1:
        made.append(stacks("New tasks by family", steps, diversity["families"], note="Tasks a column."))
    if diversity["themes"]:
        made.append(stacks("New tasks by theme", steps, diversity["themes"], note="Shares of a column.", share=True))
        counted = {"themes among the new tasks": diversity["distinct_themes"]}
        made.append(lines("Distinct themes", steps, counted, low=0.0))
    return made


def _on_the_way(roles: Mapping[str, Any] | None, measures: list[dict[str, Any]], steps: list[str]) -> list[Chart]:
    """From step 0, where the fixed evaluation measured it before."""
    start = {on_the_way(row["key"]): row["before"]["value"] for row in measures if row["before"]}

    def curves(kind: str) -> dict[str, list[float | None]]:
        return {name: [start.get(name), *values] for name, values in (roles or {}).get(kind, {}).items()}

    made = []
    if exact := curves("exploitability"):
        note = "What a best response wins a game against the policy, over its legal moves; 0 is perfect play."
        made.append(lines("Exploitability", ["0", *steps], exact, "", note, low=0.0, sparse=True))
    if fixed := curves("not_lost"):
        note = "Won or drawn; a forfeit is lost."
        made.append(lines("Games not lost", ["0", *steps], fixed, "%", note, low=0.0, high=1.0, sparse=True))
    return made


def _roles(roles: Mapping[str, Any] | None, steps: list[str]) -> list[Chart]:
    if not roles:
        return []
    rates = dict(zip(RATES, ("proposals valid", "attempts right", "moves legal"), strict=True))
    success = {rates[key]: values for key, values in roles["rates"].items()}
    made = [lines("Success on its own tasks and games", steps, success, "%", low=0.0, high=1.0)] if success else []
    by_role = [(*CHARTS[stat], series) for stat, series in roles["by_role"].items()]
    whole = [(*WHOLE[key], {"policy": values}) for key, values in roles["whole"].items()]
    return made + [lines(title, steps, series, "", unit) for title, unit, series in by_role + whole]


def _seats(roles: Mapping[str, Any] | None, steps: list[str]) -> list[Chart]:
    if not roles:
        return []
    made = []
    for game, found in roles["seats"].items():
        if any(value is not None for values in found["self"].values() for value in values):
            note = "Of its games against itself that ended by the rules; with the draws they make 100%, always."
            made.append(lines(f"{game}: games won by seat", steps, found["self"], "%", note, low=0.0, high=1.0))
        forfeits = {"share of its games": found["forfeits"]}
        made.append(lines(f"{game}: games forfeited", steps, forfeits, "%", "By an illegal move.", low=0.0, high=1.0))
    return made


def _more(roles: Mapping[str, Any] | None, steps: list[str]) -> list[Chart]:
    baselines = roles["baselines"] if roles else {}
    seats = [(*seat.rpartition("/")[::2], pair) for seat, pair in baselines.items()]
    note = "Mean over the seat's turns."
    return [lines(f"{game}, seat {place}: reward and baseline", steps, pair, "", note) for game, place, pair in seats]


def _cost(cost: Mapping[str, Any] | None, steps: list[str]) -> list[Chart]:
    if not cost:
        return []
    return [
        bars("Seconds by phase, all steps", cost["total"], "s"),
        stacks("Seconds a step, by phase", steps, cost["phases"], "s"),
    ]
