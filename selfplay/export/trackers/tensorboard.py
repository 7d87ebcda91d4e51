"""TensorBoard's event files, by tensorboardX: it needs neither TensorBoard nor torch."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from selfplay.errors import UserError
from selfplay.export.trackers import Point


def write(target: str, name: str, config: Mapping[str, Any], points: Iterable[Point], force: bool) -> str:
    """One event file in `target/name`. UserError: there is one already (without `force`, which removes it)."""
    from tensorboardX import SummaryWriter

    folder = Path(target) / name
    earlier = sorted(folder.glob("events.out.tfevents.*"))
    if earlier and not force:
        raise UserError(f"{folder} has event files already; `--force` replaces them, or choose another folder.")
    for file in earlier:
        file.unlink()
    with SummaryWriter(str(folder)) as writer:
        writer.add_text("config", "\n".join("    " + line for line in json.dumps(config, indent=2).splitlines()), 0)
        for point in points:
            for key, value in point.values.items():
                writer.add_scalar(key, value, point.step, walltime=point.time)
    return str(folder)
