"""The runs of a folder, one line each. One that cannot be read is listed with the reason, and hides no other."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from selfplay.errors import UserError
from selfplay.store.folder import RunFolder, listing, state
from selfplay.views.text import number, safe, table


def runs(root: Path) -> dict[str, Any]:
    """`root` and its `runs`, newest first: `run`, `path`, `state`, `step`, `steps`, `tasks`
    (without seeds), `started`, or `problem`."""
    return {"root": str(root), "runs": [_light(path) for path in listing(root)]}


def _light(path: Path) -> dict[str, Any]:
    try:
        run = RunFolder.open(path)
        config, meta, process = run.config(), run.meta(), run.used_by()
        with run.reader() as reader, reader.snapshot():
            step, tasks, evaluated = reader.last_step(), reader.count_tasks(), reader.evaluations()
            tasks -= reader.count_seeds()
    except UserError as error:
        return {"run": path.name, "path": str(path), "state": "unreadable", "problem": str(error)}
    steps = config.get("steps")
    now = state(process, step, steps, evaluated)
    light = {"run": path.name, "path": str(path), "state": now, "step": step, "steps": steps, "tasks": tasks}
    return light | {"recipe": config.get("name"), "started": meta.get("started")}


def render(found: dict[str, Any]) -> Any:
    from rich.text import Text

    if not found["runs"]:
        return Text(f"There are no runs under {safe(found['root'])} yet; `selfplay run quickstart` starts one.")
    rows = []
    for run in found["runs"]:
        if "problem" in run:
            rows.append((safe(run["run"]), run["state"], "", "", safe(run["problem"])))
            continue
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(run["started"])) if run["started"] else ""
        rows.append(
            (safe(run["run"]), run["state"], f"{run['step']}/{run['steps'] or '?'}", number(run["tasks"]), when)
        )
    return table(("run", "state", "step", "tasks", "started"), rows, right=(2, 3))
