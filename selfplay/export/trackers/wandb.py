"""Weights & Biases, offline: a folder under ./wandb ($WANDB_DIR) that `wandb sync` uploads when its owner wants."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from selfplay.export.trackers import Point


def write(target: str, name: str, config: Mapping[str, Any], points: Iterable[Point], force: bool) -> str:
    """One more offline run called `name` of the project `target`; earlier ones stay."""
    import wandb

    settings = wandb.Settings(silent=True, console="off", disable_git=True, x_disable_stats=True, x_disable_meta=True)
    with contextlib.redirect_stdout(sys.stderr):
        run = wandb.init(project=target, name=name, config=dict(config), mode="offline", settings=settings)
        for point in points:
            run.log(point.values, step=point.step)
        run.finish()
    return str(Path(run.dir).parent)
