"""The panel of the live view: what the run does now, the last step in figures, and the curves so far."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from selfplay.views.steps import curve_keys, games_text, spread_text
from selfplay.views.text import counts_line, duration, funnel_line, number, safe, sparkline

if TYPE_CHECKING:
    from selfplay.views.live import Live


SHADES = "█▒▓░▚▤▥"


def panel(live: Live) -> Any:
    """A rich renderable of at most about twenty lines. Called several times a second: it only reads."""
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(no_wrap=True, overflow="ellipsis")
    for name, text in _rows(live):
        grid.add_row(Text(name), Text(text))
    now = time.monotonic()
    heading = f" {safe(live.title)} · step {live.done}/{live.total_steps} · {duration(now - live.begun)} "
    return Panel(grid, title=Text(heading, style="bold"), title_align="left", border_style="dim")


def _rows(live: Live) -> Iterator[tuple[str, str]]:
    now = f"{live.phase_name} for {duration(time.monotonic() - live.phase_begun)}"
    yield "now", f"{now}  {live.progress_text}"
    if live.digest is None:
        return
    if live.digest["funnel"]["proposed"]:
        yield "funnel", funnel_line(live.digest["funnel"])
        yield "refused", counts_line(live.digest["refusals"])
    if any(live.digest["spread"].values()):
        yield "solve rates", spread_text(live.digest["spread"])
    if live.digest["games"]:
        yield "games", games_text(live.digest)
    yield "seconds", phase_bar(live.seconds)
    if live.last_task:
        yield "last task", live.last_task
    if live.last_game:
        yield "last game", live.last_game
    for key in curve_keys(live.curves):
        values = list(live.curves[key])
        yield safe(key), f"{sparkline(values)}  {number(values[0])} → {number(values[-1])}"


def phase_bar(seconds: Mapping[str, float], width: int = 24) -> str:
    """A bar divided as the time was, one pattern a phase, and the phases with their seconds."""
    whole = sum(seconds.values()) or 1.0
    shades = [SHADES[i % len(SHADES)] for i in range(len(seconds))]
    bar = "".join(shade * round(width * value / whole) for shade, value in zip(shades, seconds.values(), strict=True))
    names = [
        f"{shade} {safe(name)} {duration(value)}" for shade, (name, value) in zip(shades, seconds.items(), strict=True)
    ]
    return f"{bar}  {'  '.join(names)}"
