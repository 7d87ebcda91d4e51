"""Two runs side by side: what was set differently, what each measured, learnt, refused and cost, and what forbids
reading the difference as an effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from selfplay.store.digest import in_gate_order
from selfplay.store.folder import RunFolder
from selfplay.views.ending import better, sides
from selfplay.views.show import summary

A_RUN = ("run", "path", "recipe", "state", "step", "steps", "seed", "tasks", "seeds", "episodes")
NOT_COMPARED = ("seed", "name")
"""Keys of a recipe that the comparison tells apart from its settings."""
ROUND_ROBIN = ("evaluation.round_robin", "evaluation.rated")
"""Settings of the evaluation that its measures before and after do not hang on."""


def compare(first: Path, second: Path) -> dict[str, Any]:
    """Everything `compare` tells, as plain data. Where a thing has two values, they are `a` and `b`, None: not there.

    `a`, `b`: the runs (see `show.summary`), with `commit`; `unlike`: sentences, why a difference between the two may
    have other causes than the settings; `settings`: `key`, `a`, `b` of each that differs; `evaluation`: `key`, `a`,
    `b` (each label → value), `difference` of b's `after` to a's, `better` (`lower`, `higher`); `curves`: `key`, `a`,
    `b` ([step, value] pairs), `difference` of the last values; `funnel`, `refusals`: name → `a`, `b`; `seconds`:
    phase → `a`, `b`, seconds a step.
    """
    shown = summary(first), summary(second)
    meta = [RunFolder.open(path).meta() for path in (first, second)]
    configs = [_flat(RunFolder.open(path).config()) for path in (first, second)]
    a, b = ({key: data[key] for key in A_RUN} | _origin(about) for data, about in zip(shown, meta, strict=True))
    settings = list(_settings(*configs))
    return {
        "a": a,
        "b": b,
        "unlike": list(_unlike(a, b, settings)),
        "settings": settings,
        "evaluation": _evaluation(*(data["evaluation"] for data in shown)),
        "curves": _curves(*(data["curves"] for data in shown)),
        "funnel": _beside(*(data["funnel"]["total"] for data in shown)),
        "refusals": in_gate_order(_beside(*(data["refusals"]["total"] for data in shown))),
        "seconds": _beside(*(_a_step(data) for data in shown)),
    }


def _origin(meta: Mapping[str, Any]) -> dict[str, Any]:
    machine = meta.get("machine")
    known = machine if isinstance(machine, Mapping) else {}
    commit = known.get("commit")
    return {
        "commit": commit if isinstance(commit, str) else None,
        "cpu": known.get("cpu"),
        "versions": known.get("versions"),
    }


def _unlike(a: Mapping[str, Any], b: Mapping[str, Any], settings: list[dict[str, Any]]) -> Iterator[str]:
    if a["path"] == b["path"]:
        yield "Both are the same run."
    if a["recipe"] != b["recipe"]:
        yield f"The recipes differ: {a['recipe']} and {b['recipe']}."
    if a["seed"] != b["seed"]:
        yield f"The seeds differ ({a['seed']} and {b['seed']}): a part of every difference is chance."
    if a["commit"] != b["commit"]:
        yield f"The code differs: {_commit(a['commit'])} and {_commit(b['commit'])}."
    elif a["commit"] is None or a["commit"].endswith("+changes"):
        yield "The code may differ: neither run was made from a committed state."
    if a["versions"] != b["versions"] or a["cpu"] != b["cpu"]:
        yield "The machines or the installed packages differ."
    if a["step"] != b["step"]:
        yield f"They are not equally far: {a['step']} and {b['step']} steps."
    for name, run in (("A", a), ("B", b)):
        if run["state"] != "finished":
            yield f"{name} is not finished ({run['state']})."
    if any(key.startswith("evaluation.") and key not in ROUND_ROBIN for key in (one["key"] for one in settings)):
        yield "The fixed evaluation is set differently, so its measures are not of the same thing."


def _commit(commit: str | None) -> str:
    return (
        "an unknown commit"
        if commit is None
        else commit[:10] + (" with changes" if commit.endswith("+changes") else "")
    )


def _settings(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for key in dict.fromkeys([*a, *b]):
        if key not in NOT_COMPARED and a.get(key) != b.get(key):
            yield {"key": key, "a": a.get(key), "b": b.get(key)}


def _flat(config: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Dotted keys, as the command line names them."""
    found: dict[str, Any] = {}
    for key, value in config.items():
        found |= _flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) and value else {prefix + key: value}
    return found


def _evaluation(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for key in dict.fromkeys(key for found in (a, b) for label in sides(found) for key in found[label]):
        mine, theirs = ({label: measures.get(key) for label, measures in found.items()} for found in (a, b))
        difference = _minus(theirs.get("after"), mine.get("after"))
        rows.append({"key": key, "a": mine, "b": theirs, "difference": difference, "better": better(key)})
    return rows


def _curves(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[dict[str, Any]]:
    last = {name: {key: pairs[-1][1] for key, pairs in found.items()} for name, found in (("a", a), ("b", b))}
    return [
        {"key": key, "a": a.get(key), "b": b.get(key), "difference": _minus(last["b"].get(key), last["a"].get(key))}
        for key in sorted({*a, *b})
    ]


def _beside(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {name: {"a": a.get(name), "b": b.get(name)} for name in dict.fromkeys([*a, *b])}


def _a_step(data: Mapping[str, Any]) -> dict[str, float]:
    return {phase: value / data["step"] for phase, value in data["seconds"]["total"].items()} if data["step"] else {}


def _minus(value: float | None, other: float | None) -> float | None:
    return None if value is None or other is None else value - other
