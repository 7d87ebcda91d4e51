"""A run at a glance: how far it is, whether it got better, what its proposals became, where the time went."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from selfplay.store.digest import total
from selfplay.store.folder import RunFolder
from selfplay.views import league
from selfplay.views.ending import comparison
from selfplay.views.panel import phase_bar
from selfplay.views.steps import curve_keys, games_text, spread_text
from selfplay.views.text import counts_line, duration, funnel_line, number, percent, safe, sparkline, table

COUNTS = ("funnel", "refusals", "asked", "made", "spread", "verdicts", "games", "ends")


def summary(folder: Path) -> dict[str, Any]:
    """Everything `show` tells, as plain data.

    `run`, `path`, `recipe`, `state` (`running`, `finished`, `stopped`), `process`, `step` of `steps`, `seed`,
    `started`, `tasks`, `episodes`; `funnel`, `refusals`, `asked`, `made`, `spread`, `verdicts`, `games`, `ends`,
    `moves`, `illegal`: each with `total` and `last` (the newest step); `seconds`: `total`, `share`, `last` by phase;
    `curves`: metric → [step, value] pairs; `parity`: the same for the sampler's difference from the trainer, by
    statistic (`max`, `mean`); `evaluation`: label → measure → value; `evaluations`: when each was made and how long it
    took; `events`.
    """
    run = RunFolder.open(folder)
    config, meta, process = run.config(), run.meta(), run.used_by()
    with run.reader() as reader, reader.snapshot():
        steps, curves = reader.steps(), reader.metrics()
        tasks, episodes, evaluation = reader.count_tasks(), reader.count_episodes(), reader.evaluations()
        evaluations, events, last_step = reader.evaluation_steps(), reader.events(), reader.last_step()
    of, counted = config.get("steps"), [_counts(step) for step in steps]
    whole, last = total(counted), total(counted[-1:])
    finished = last_step == of and "after" in evaluation and process is None
    return {
        "run": folder.name,
        "path": str(folder),
        "recipe": config.get("name"),
        "state": "running" if process else "finished" if finished else "stopped",
        "process": process,
        "step": last_step,
        "steps": of,
        "seed": meta.get("seed", config.get("seed")),
        "started": meta.get("started"),
        "tasks": tasks,
        "episodes": episodes,
        **{key: {"total": whole[key], "last": last[key]} for key in (*COUNTS, "moves", "illegal")},
        "seconds": _seconds(steps),
        "curves": {key: pairs for key, pairs in curves.items()},
        "parity": _parity(curves),
        "evaluation": evaluation,
        "evaluations": evaluations,
        "events": events,
    }


def render(summary: Mapping[str, Any]) -> Any:
    """The same for a person, as a rich renderable that holds no unsafe text."""
    from rich.console import Group
    from rich.text import Text

    parts: list[Any] = [Text(_heading(summary), style="bold"), Text("")]
    if summary["evaluation"]:
        parts += [comparison(summary["evaluation"]), Text("")]
        for standing in league.render(summary["evaluation"].get("league", {})):
            parts += [standing, Text("")]
    rows = [*_what(summary), *_curves(summary)]
    if rows:
        parts.append(table(("", ""), rows))
    events = summary["events"][-8:]
    if events:
        parts += [Text(""), Text("events", style="bold")]
        parts += [Text(f"  step {e['step']}  {safe(e['kind'])}: {safe(e['detail'])}") for e in events]
    return Group(*parts)


def _heading(summary: Mapping[str, Any]) -> str:
    process = f" by process {summary['process']}" if summary["process"] else ""
    of = f" of {summary['steps']}" if summary["steps"] else ""
    words = f"{summary['run']}: {summary['state']}{process}, step {summary['step']}{of}, recipe {summary['recipe']}"
    return safe(f"{words}, seed {summary['seed']}, {summary['tasks']:,} tasks, {summary['episodes']:,} games")


def _what(summary: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if not summary["step"]:
        yield "steps", "none is finished yet"
        return
    yield "proposals, all steps", funnel_line(summary["funnel"]["total"])
    yield "last step", funnel_line(summary["funnel"]["last"])
    yield "refused, all steps", counts_line(summary["refusals"]["total"])
    yield "last step", counts_line(summary["refusals"]["last"])
    asked, made = (summary[key]["total"] for key in ("asked", "made"))
    if len(asked) > 1:
        each = (f"{safe(name)} {count:,} → {made.get(name, 0):,}" for name, count in asked.items())
        yield "by family", ", ".join(each)
    yield from _heeded(summary["curves"])
    yield "attempts, all steps", counts_line(summary["verdicts"]["total"])
    yield "tasks by solve rate", spread_text(summary["spread"]["total"]) + " (each step's measurements)"
    yield "last step", spread_text(summary["spread"]["last"])
    for name, which in (("games, all steps", "total"), ("last step", "last")) if summary["episodes"] else ():
        played = {key: summary[key][which] for key in ("games", "moves", "illegal")}
        kinds, ends = counts_line(summary["games"][which]), counts_line(summary["ends"][which])
        yield name, f"{games_text(played)}; {kinds}; ended {ends}"
    whole = sum(summary["seconds"]["total"].values())
    shares = {f"{name} {percent(value, whole)}": value for name, value in summary["seconds"]["total"].items()}
    yield "seconds by phase", f"{duration(whole)}  {phase_bar(shares)}"
    verified, beside = (
        sum(value or 0.0 for _, value in summary["curves"].get(f"verify/{key}", ())) for key in ("seconds", "overlap")
    )
    if verified:
        share = percent(beside, verified)
        yield "verification", f"going on in {percent(verified, whole)} of that time, {share} of it beside sampling"
    for stat, pairs in summary["parity"].items():
        yield f"parity, {safe(stat)}", _curve(pairs) + " nats"


def _heeded(curves: Mapping[str, list[tuple[int, float | None]]]) -> Iterator[tuple[str, str]]:
    """What proposers were asked for and what came back, as means over the steps where it was asked."""
    means = {key: sum(v or 0.0 for _, v in pairs) / len(pairs) for key, pairs in curves.items() if pairs}
    if "directive/theme/hit_rate" in means:
        base = means.get("directive/theme/base_rate")
        beside = f", {base:.0%} where it was not asked" if base is not None else ""
        yield "asked for a theme", f"{means['directive/theme/hit_rate']:.0%} of the tasks have it{beside}"
    aims = {key.split("/")[2]: value for key, value in means.items() if key.startswith("directive/difficulty/0")}
    if aims:
        yield "asked for a solve rate", ", ".join(f"{aim}: {value:.2f} came" for aim, value in sorted(aims.items()))
    if "directive/variation/valid_rate" in means:
        yield "asked for a variation", f"{means['directive/variation/valid_rate']:.0%} became tasks"


def _curves(summary: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    keys = [key for key in summary["curves"] if "parity" not in key and not key.startswith("directive/")]
    for key in curve_keys(keys, most=16):
        yield safe(key), _curve(summary["curves"][key])


def _curve(pairs: list[tuple[int, float | None]]) -> str:
    values = [value for _, value in pairs]
    return f"{sparkline(values)}  {number(values[0])} → {number(values[-1])}"


def _counts(step: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in step.items() if key not in ("step", "time", "seconds")}


def _seconds(steps: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    sums: dict[str, float] = {}
    for step in steps:
        for phase, value in step["seconds"].items():
            sums[phase] = sums.get(phase, 0.0) + value
    whole = sum(sums.values())
    share = {phase: value / whole if whole else 0.0 for phase, value in sums.items()}
    return {"total": sums, "share": share, "last": steps[-1]["seconds"] if steps else {}}


def _parity(curves: Mapping[str, list[tuple[int, float | None]]]) -> dict[str, list[tuple[int, float | None]]]:
    found = ((re.search(r"parity[/_](\w+)$", key), pairs) for key, pairs in curves.items())
    return {match[1]: pairs for match, pairs in found if match}
