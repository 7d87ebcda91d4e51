"""A run's curves in the trackers that people have: each one file, each library optional.

A run is exported when it is there, not streamed while it goes on: what watches a run never slows it. Nothing leaves the
machine.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import groupby
from pathlib import Path
from typing import Any

from selfplay.errors import UserError
from selfplay.store.folder import RunFolder
from selfplay.store.reader import Reader


@dataclass(frozen=True)
class Tracker:
    """`metavar`, `about`: how the command line names its target. `library`: what `import` wants; `pin`: what pip does.

    Its file has `write(target, name, config, points, force) -> where`, the place where the curves lie.
    """

    metavar: str
    about: str
    library: str
    pin: str


TRACKERS = {
    "tensorboard": Tracker("DIR", "curves and config as event files", "tensorboardX", "tensorboardX==2.6.5"),
    "trackio": Tracker("PROJECT", "curves and config to a local trackio project", "trackio", "trackio==0.43.0"),
    "wandb": Tracker("PROJECT", "curves and config to an offline wandb run", "wandb", "wandb==0.31.0"),
}


@dataclass(frozen=True)
class Point:
    """The numbers of one step: metrics by their keys, evaluations under `evaluation/`.

    time: when it was committed (step 0: when the run started), in seconds since 1970; None where that is not known.
    """

    step: int
    time: float | None
    values: dict[str, float]


def track(tracker: str, run: Path, target: str, *, force: bool = False) -> dict[str, Any]:
    """Writes the run's metrics, evaluations and config to a tracker; `where`, and how many `steps` and `values`.

    UserError: the library is missing, or the target has this run already (`force` writes over it where it can).
    """
    wanted = TRACKERS[tracker]
    try:
        importlib.import_module(wanted.library)
    except ModuleNotFoundError as error:
        raise UserError(
            f"`--to-{tracker}` needs {error.name}, which is not installed: `pip install {wanted.pin}` brings it."
        ) from error
    writer = importlib.import_module(f"selfplay.export.trackers.{tracker}")
    folder, steps, values = RunFolder.open(run), 0, 0

    def counted(points: Iterator[Point]) -> Iterator[Point]:
        nonlocal steps, values
        for point in points:
            steps, values = steps + 1, values + len(point.values)
            yield point

    with folder.reader() as reader, reader.snapshot():
        where = writer.write(target, run.resolve().name, folder.config(), counted(points(reader)), force)
    return {"where": where, "steps": steps, "values": values}


def points(reader: Reader) -> Iterator[Point]:
    """Step after step; what is not a number is left out."""
    times = {0: reader.meta().get("started")} | {step["step"]: step["time"] for step in reader.steps()}
    measures = (row | {"key": f"evaluation/{row['key']}"} for row in reader.each_measure())
    rows = merge(reader.each_metric(), measures, key=lambda row: row["step"])
    for step, some in groupby(rows, key=lambda row: row["step"]):
        values = {row["key"]: row["value"] for row in some if row["value"] is not None}
        if values:
            yield Point(step, times.get(step), values)
