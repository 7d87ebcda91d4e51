"""The panel of the live view: what the run does now, the last step in figures, and the curves so far."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from selfplay.views.steps import curve_keys, games_text, spread_text
from selfplay.views.text import counts_line, duration, funnel_line, number, safe, sparkline

if TYPE_CHECKING:
    from selfplay.views.live import Live


SHADES = "█▒▓░▚▤▥"
LABEL = 36
"""The widest name of a curve that is shown whole."""


def panel(live: Live) -> Any:
    """A rich renderable of at most about twenty lines, 80 columns wide or more. Called several times a second: it only
    reads."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    now = time.monotonic()
    heading = f" {safe(live.title)} · step {live.done}/{live.total_steps} · {duration(now - live.begun)} "
    parts = Group(_grid(_facts(live, now)), _grid(_curves(live)))
    return Panel(parts, title=Text(heading, style="bold"), title_align="left", border_style="dim")


def _grid(rows: Iterable[tuple[str, str]]) -> Any:
    """Names whole, and as much of each text as fits beside them."""
    from rich.table import Table
    from rich.text import Text

    rows = list(rows)
    grid = Table.grid(padding=(0, 2), expand=True)
    grid.add_column(style="dim", no_wrap=True, width=min(max((len(name) for name, _ in rows), default=0), LABEL))
    grid.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for name, text in rows:
        grid.add_row(Text(name), Text(text))
    return grid


def _facts(live: Live, now: float) -> Iterator[tuple[str, str]]:
    yield "now", f"{live.phase_name} for {duration(now - live.phase_begun)}  {live.progress_text}"
    if live.digest is None:
        return
    left = (live.total_steps - live.done) * live.step_seconds
    share = live.done / live.total_steps if live.total_steps else 1.0
    yield "steps", f"{bar([share, 1 - share], '█░')}  {f'about {duration(left)} left' if left else 'all done'}"
    if live.digest["funnel"]["proposed"]:
        yield "funnel", funnel_line(live.digest["funnel"])
        yield "refused", counts_line(live.digest["refusals"])
    if any(live.digest["spread"].values()):
        yield "solve rates", spread_text(live.digest["spread"], empty=False)
    if live.digest["games"]:
        yield "games", games_text(live.digest)
    if live.seconds:
        yield "step took", f"{bar(live.seconds.values())}  {duration(sum(live.seconds.values()))}"
        yield "", legend(live.seconds)
    if live.last_task:
        yield "last task", live.last_task
    if live.last_game:
        yield "last game", live.last_game


def _curves(live: Live) -> Iterator[tuple[str, str]]:
    for key in curve_keys(live.curves):
        values = list(live.curves[key])
        yield safe(key), f"{sparkline(values)}  {number(values[0])} → {number(values[-1])}"


def phase_bar(seconds: Mapping[str, float], width: int = 24) -> str:
    """A bar divided as the time was, one pattern a phase, and the phases with their seconds."""
    return f"{bar(seconds.values(), width=width)}  {_named(seconds, seconds)}"


def legend(seconds: Mapping[str, float]) -> str:
    """The phases of a `bar` with their patterns and seconds, the longest first: what is cut off is what matters
    least."""
    return _named(seconds, sorted(seconds, key=lambda phase: -seconds[phase]))


def bar(parts: Iterable[float], shades: str = SHADES, width: int = 24) -> str:
    """`width` characters divided among the parts, one pattern each."""
    parts = list(parts)
    whole = sum(parts) or 1.0
    return "".join(shades[i % len(shades)] * round(width * part / whole) for i, part in enumerate(parts))


def _named(seconds: Mapping[str, float], order: Iterable[str]) -> str:
    shades = {phase: SHADES[i % len(SHADES)] for i, phase in enumerate(seconds)}
    return "  ".join(f"{shades[phase]} {safe(phase)} {duration(seconds[phase])}" for phase in order)
