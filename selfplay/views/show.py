"""A run at a glance: how far it is, whether it got better, what its proposals became, where the time went."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from selfplay.store.digest import total
from selfplay.store.folder import RunFolder, state
from selfplay.views import league
from selfplay.views.cost import cost, cost_table
from selfplay.views.ending import LEAGUE, comparison, made_line
from selfplay.views.steps import curve_keys, games_text, spread_text
from selfplay.views.tasks import one_line
from selfplay.views.text import counts_line, funnel_line, number, percent, safe, short, sparkline, table

COUNTS = ("funnel", "refusals", "asked", "made", "spread", "verdicts", "games", "ends")
ALARMS = ("alarm", "parity")
"""The kinds of events that say that a run goes wrong."""


def summary(folder: Path) -> dict[str, Any]:
    """Everything `show` tells, as plain data, all of it at one step.

    `run`, `path`, `recipe`, `state` (`running`, `finished`, `stopped`), `process`, `step` of `steps`, `seed`,
    `started`, `tasks` (made by the run), `seeds` (tasks that were there before), `episodes`; `funnel`, `refusals`,
    `asked`, `made`, `spread`, `verdicts`, `games`, `ends`, `moves`, `illegal`: each with `total` and `last` (the newest
    step); `seconds`: `total`, `share`, `last` by phase; `curves`: metric → [step, value] pairs; `parity`: the same for
    the sampler's difference from the trainer, by statistic (`max`, `mean`); `evaluation`: label → measure → value;
    `evaluations`: when each was made and how long it took; `verdict`: what that says, as in the report; `hardest`:
    some tasks that were tried most and solved least; `events`, and of them `alarms`.
    """
    from selfplay.report.measures import measures
    from selfplay.report.verdict import verdict

    run = RunFolder.open(folder)
    config, meta, process = run.config(), run.meta(), run.used_by()
    with run.reader() as reader, reader.snapshot():
        steps, curves, last_step = reader.steps(), reader.metrics(), reader.last_step()
        stored, seeds, episodes = reader.count_tasks(), reader.count_seeds(), reader.count_episodes()
        evaluation, evaluations, events = reader.evaluations(), reader.evaluation_steps(), reader.events()
        hardest = [*reader.hardest(2, solved=False), *reader.hardest(1, solved=True)]
        counted = [_counts(step) for step in steps]
        whole, last = total(counted), total(counted[-1:])
    of = config.get("steps")
    progress = {"state": state(process, last_step, of, evaluation), "step": last_step, "steps": of}
    return {
        "run": folder.name,
        "path": str(folder),
        "recipe": config.get("name"),
        "process": process,
        **progress,
        "seed": meta.get("seed", config.get("seed")),
        "started": meta.get("started"),
        "tasks": stored - seeds,
        "seeds": seeds,
        "episodes": episodes,
        **{key: {"total": whole[key], "last": last[key]} for key in (*COUNTS, "moves", "illegal")},
        "seconds": cost(steps),
        "curves": curves,
        "parity": _parity(curves),
        "evaluation": evaluation,
        "evaluations": evaluations,
        "verdict": verdict(measures(evaluation, config), progress),
        "hardest": hardest,
        "events": events,
        "alarms": [event for event in events if event["kind"] in ALARMS],
    }


def render(summary: Mapping[str, Any]) -> Any:
    """The same for a person, as a rich renderable that holds no unsafe text."""
    from rich.console import Group
    from rich.text import Text

    parts: list[Any] = [Text(_heading(summary), style="bold")]
    parts += [Text(line, style="bold red") for line in _told(summary["alarms"], 4)] + [Text("")]
    if summary["evaluation"]:
        parts += [Text(safe(summary["verdict"]["headline"])), Text("")]
        parts += [comparison(summary["evaluation"]), Text("")]
        for standing in league.render(summary["evaluation"].get(LEAGUE, {})):
            parts += [standing, Text("")]
    rows = [*_what(summary)]
    parts += [table(("", ""), rows), Text("")] if rows else []
    if summary["seconds"]["total"]:
        parts += [cost_table(summary["seconds"], summary["step"]), Text("")]
    if curves := _curve_rows(summary):
        parts += [table(("curve", "", "first", "last"), curves, right=(2, 3)), Text("")]
    others = [event for event in summary["events"] if event["kind"] not in ALARMS]
    if others:
        parts += [Text("events", style="bold"), *[Text("  " + line) for line in _told(others, 8)]]
    return Group(*parts)


def _curve_rows(summary: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """Name, sparkline, first and last value of the curves worth a line, parity last."""
    keys = [key for key in summary["curves"] if "parity" not in key and not key.startswith("directive/")]
    found = {key: summary["curves"][key] for key in curve_keys(keys, most=16)}
    found |= {f"parity, {stat} (nats)": pairs for stat, pairs in summary["parity"].items()}
    return [
        (safe(key), sparkline([value for _, value in pairs]), number(pairs[0][1]), number(pairs[-1][1]))
        for key, pairs in found.items()
    ]


def _told(events: list[dict[str, Any]], most: int) -> list[str]:
    """The newest, one line each, after a line that says how many are not told."""
    hidden = len(events) - most
    lines = [f"step {e['step']}  {safe(e['kind'])}: {safe(e['detail'])}" for e in events[-most:]]
    return [f"… {hidden:,} before", *lines] if hidden > 0 else lines


def _heading(summary: Mapping[str, Any]) -> str:
    process = f" by process {summary['process']}" if summary["process"] else ""
    of = f" of {summary['steps']}" if summary["steps"] else ""
    words = f"{summary['run']}: {summary['state']}{process}, step {summary['step']}{of}, recipe {summary['recipe']}"
    stored = [made_line(summary["tasks"], summary["seeds"])] if summary["tasks"] or summary["seeds"] else []
    games = [f"{summary['episodes']:,} games"] if summary["episodes"] else []
    return safe(", ".join([words, f"seed {summary['seed']}", *stored, *games]))


def _what(summary: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if not summary["step"]:
        yield "steps", "none is finished yet"
        return
    if summary["funnel"]["total"]["proposed"]:
        yield from _proposed(summary)
    if summary["verdicts"]["total"]:
        yield "attempts, all steps", counts_line(summary["verdicts"]["total"])
        yield "tasks by solve rate", spread_text(summary["spread"]["total"]) + " (each step's measurements)"
        yield "last step", spread_text(summary["spread"]["last"])
        for task in summary["hardest"]:
            yield "hardest", f"solved {task['correct']} of {task['attempts']}: {_told_task(task)}"
    for name, which in (("games, all steps", "total"), ("last step", "last")) if summary["episodes"] else ():
        played = {key: summary[key][which] for key in ("games", "moves", "illegal")}
        kinds, ends = counts_line(summary["games"][which]), counts_line(summary["ends"][which])
        yield name, f"{games_text(played)}; {kinds}; ended {ends}"
    whole = sum(summary["seconds"]["total"].values())
    verified, beside = (
        sum(value or 0.0 for _, value in summary["curves"].get(f"verify/{key}", ())) for key in ("seconds", "overlap")
    )
    if verified:
        known = "verify/overlap" in summary["curves"]
        told = f", {percent(beside, verified)} of it beside sampling" if known else ""
        yield "verification", f"going on in {percent(verified, whole)} of the time{told}"


def _told_task(task: Mapping[str, Any]) -> str:
    return short(f"{task['family']} {task['id'][:10]}: {one_line(task['body'])} → {task['gold']}", 150)


def _proposed(summary: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "proposals, all steps", funnel_line(summary["funnel"]["total"])
    yield "last step", funnel_line(summary["funnel"]["last"])
    refused = counts_line(summary["refusals"]["total"])
    yield "refused, all steps", refused + (" (read them: `selfplay tasks --refused GATE`)" if refused else "")
    yield "last step", counts_line(summary["refusals"]["last"])
    asked, made = (summary[key]["total"] for key in ("asked", "made"))
    if len(asked) > 1:
        each = (f"{safe(name)} {count:,} → {made.get(name, 0):,}" for name, count in asked.items())
        yield "by family", ", ".join(each)
    yield from _heeded(summary["curves"])


def _heeded(curves: Mapping[str, list[tuple[int, float | None]]]) -> Iterator[tuple[str, str]]:
    """What proposers were asked for and what came back, as means over the steps where it was asked."""
    means = {key: sum(v or 0.0 for _, v in pairs) / len(pairs) for key, pairs in curves.items() if pairs}
    if "directive/theme/hit_rate" in means:
        base = means.get("directive/theme/base_rate")
        beside = f", {base:.0%} where it was not asked" if base is not None else ""
        yield "asked for a theme", f"{means['directive/theme/hit_rate']:.0%} of a step's tasks have it{beside} (means)"
    aims = {key.split("/")[2]: value for key, value in means.items() if key.startswith("directive/difficulty/0")}
    if aims:
        yield (
            "asked for a solve rate",
            ", ".join(f"{aim}: {value:.2f} came" for aim, value in sorted(aims.items())) + " (means)",
        )
    if "directive/variation/valid_rate" in means:
        yield "asked for a variation", f"{means['directive/variation/valid_rate']:.0%} of a step's became tasks (mean)"


def _counts(step: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in step.items() if key not in ("step", "time", "seconds")}


def _parity(curves: Mapping[str, list[tuple[int, float | None]]]) -> dict[str, list[tuple[int, float | None]]]:
    found = ((re.search(r"parity[/_](\w+)$", key), pairs) for key, pairs in curves.items())
    return {match[1]: pairs for match, pairs in found if match}
