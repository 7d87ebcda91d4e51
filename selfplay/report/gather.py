"""Everything a report tells, as plain data, read in one snapshot: the twin that `--json` prints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from selfplay.report.cost import cost
from selfplay.report.diversity import diversity
from selfplay.report.frontier import frontier
from selfplay.report.gallery import gallery, replays
from selfplay.report.lineage import lineage
from selfplay.report.measures import measures
from selfplay.report.proposals import funnel
from selfplay.report.roles import roles
from selfplay.report.settings import settings
from selfplay.report.steps import Groups
from selfplay.report.verdict import verdict
from selfplay.store.folder import RunFolder, state
from selfplay.views.ending import LEAGUE
from selfplay.views.league import standings
from selfplay.views.show import ALARMS

EVENTS = 60


def data(folder: Path) -> dict[str, Any]:
    """`run`, `verdict`, `measures`, `league` (see `views.league.standings`), `alarms` (the newest), `steps` (names
    of the groups of steps, `width` steps each) and the sections, each None or empty where the run has nothing for it.
    UserError: no run, or one that cannot be read."""
    opened = RunFolder.open(folder)
    config, meta, process = opened.config(), opened.meta(), opened.used_by()
    with opened.reader() as reader, reader.snapshot():
        last, evaluation = reader.last_step(), reader.evaluations()
        groups, evaluations = Groups.of(last), reader.evaluation_steps()
        sums = groups.sums(reader.steps())
        played, events = roles(reader, groups, config), reader.events()
        found = {
            "funnel": funnel(reader, sums),
            "frontier": frontier(reader, groups, sums),
            "diversity": diversity(reader, groups, sums),
            "roles": played,
            "cost": cost(sums, evaluations, groups.width),
            "gallery": gallery(reader),
            "replays": replays(reader, played["seats"] if played else {}),
            "lineage": lineage(reader),
            "events": {"count": len(events), "newest": events[-EVENTS:]},
            "alarms": [event for event in events if event["kind"] in ALARMS][-3:],
        }
        counts = {"tasks": reader.admitted(), "episodes": reader.count_episodes()}
    of = config.get("steps")
    run = {
        "name": folder.resolve().name,
        "recipe": config.get("name"),
        "state": state(process, last, of, evaluation),
        "step": last,
        "steps": of,
        "seed": meta.get("seed", config.get("seed")),
        "started": meta.get("started"),
        "model": (config.get("model") or {}).get("source"),
        "machine": meta.get("machine") or {},
        "attempts": sum(sum(group["verdicts"].values()) for group in sums),
        "seeds": counts["tasks"] - sum(group["funnel"]["admitted"] for group in sums),
        **counts,
    }
    rows = measures(evaluation, config)
    return {
        "run": run,
        "verdict": verdict(rows, run),
        "measures": rows,
        "league": standings(evaluation.get(LEAGUE, {})),
        "evaluations": evaluations,
        "steps": groups.names,
        "width": groups.width,
        **found,
        "settings": settings(config),
    }
