"""trackio, on this machine (`trackio show --project PROJECT` opens it), unless its own environment variables name a
server."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from selfplay.export.trackers import Point


def write(target: str, name: str, config: Mapping[str, Any], points: Iterable[Point], force: bool) -> str:
    """One more run called `name` in the project `target`; an earlier one of that name stays."""
    import trackio
    from trackio.utils import TRACKIO_DIR

    with contextlib.redirect_stdout(sys.stderr):
        run = trackio.init(target, name=name, config=dict(config), embed=False, auto_log_gpu=False, auto_log_cpu=False)
        for point in points:
            run.log(point.values, step=point.step)
        trackio.finish()
    return f"{TRACKIO_DIR}, project {target}"
