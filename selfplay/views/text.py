"""Text for people: a model's words made harmless, numbers made short, series made into sparklines.

Words that came from a model go through `safe` before they reach a terminal, and into rich only as `Text`, whose
markup is never read: `console()` turns markup, highlighting and emoji codes off.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

BLOCKS = "▁▂▃▄▅▆▇█"
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def safe(text: str, *, lines: bool = False) -> str:
    """The text with everything that could steer a terminal written out: control characters, escapes, direction marks,
    invisible and unassigned characters appear as `\\x1b`, `\\u202e`, …. A newline stays one when `lines`; a tab becomes
    spaces then. Brackets stay: no view reads markup."""
    kept = text.expandtabs(4) if lines else text
    return "".join(c if (lines and c == "\n") or unicodedata.category(c) not in _HIDDEN else _written(c) for c in kept)


def _written(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def short(text: str, width: int) -> str:
    """One safe line of at most `width` characters, ending in `…` when it was cut."""
    line = safe(text[: width + 1])
    return line if len(line) <= width and len(text) <= width else line[: max(width - 1, 0)] + "…"


def number(value: float | None) -> str:
    """About three digits: `0.083`, `12.4`, `1,234,567`; `–` when there is none."""
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    size = abs(value)
    return (
        f"{value:.1e}"
        if size < 0.0005
        else f"{value:.3f}"
        if size < 10
        else f"{value:.1f}"
        if size < 1000
        else f"{value:,.0f}"
    )


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "–"


def duration(seconds: float) -> str:
    """`0.4 s`, `12 s`, `3 min 20 s`, `2 h 05 min`."""
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def sparkline(values: Sequence[float | None], width: int = 24, bounds: tuple[float, float] | None = None) -> str:
    """A line of blocks from the least value to the greatest, or between `bounds`, which hold all of them; longer series
    are averaged down to `width`, gaps are spaces."""
    cells = [_mean(values[i * len(values) // width : (i + 1) * len(values) // width]) for i in range(width)]
    cells = cells if len(values) > width else [_mean([value]) for value in values]
    known = [cell for cell in cells if cell is not None]
    if not known:
        return " " * len(cells)
    low, high = bounds or (min(known), max(known))
    span = (high - low) or 1.0
    return "".join(" " if cell is None else BLOCKS[round(7 * (cell - low) / span)] for cell in cells)


def bars(counts: Iterable[int]) -> str:
    """One block a count, from nothing (`·`) to the greatest."""
    counts = list(counts)
    most = max(counts, default=0)
    return "".join(BLOCKS[round(7 * count / most)] if count else "·" for count in counts)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None and math.isfinite(value)]
    return sum(known) / len(known) if known else None


def funnel_line(funnel: Mapping[str, int]) -> str:
    """`64 proposed → 60 parsed → 31 valid → 20 new → 16 admitted`."""
    return " → ".join(f"{funnel[stage]:,} {stage}" for stage in ("proposed", "parsed", "valid", "new", "admitted"))


def counts_line(counts: Mapping[str, int]) -> str:
    """`parse 4, safety 1`; `none` when there are none."""
    return ", ".join(f"{safe(name)} {count:,}" for name, count in counts.items() if count) or "none"


def seconds_line(seconds: Mapping[str, float]) -> str:
    return ", ".join(f"{safe(phase)} {duration(value)}" for phase, value in seconds.items()) or "none"


def console(file: IO[str] | None = None, *, width: int | None = None) -> Console:
    """A rich console that reads no markup. Without a terminal it is as wide as its lines need."""
    from rich.console import Console

    plain = Console(file=file, markup=False, highlight=False, emoji=False, width=width)
    return (
        plain
        if width or plain.is_terminal
        else Console(file=file, markup=False, highlight=False, emoji=False, width=200)
    )


def table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, right: Iterable[int] = (), cut: Iterable[int] = ()
) -> Table:
    """Columns under plain headings, or under none where all are empty. `right` holds the numbers of those set to the
    right, `cut` of those whose cells end in `…` where a terminal is too narrow; all others wrap, except where some are
    cut. Cells are strings or renderables."""
    from rich.table import Table
    from rich.text import Text

    made = Table(box=None, pad_edge=False, header_style="bold", show_header=any(columns))
    right, cut = set(right), set(cut)
    for index, name in enumerate(columns):
        whole = index in right or (bool(cut) and index not in cut)
        made.add_column(Text(name), justify="right" if index in right else "left", no_wrap=whole)
    for row in rows:
        cells = (Text(cell) if isinstance(cell, str) else cell for cell in row)
        made.add_row(*[_cut(cell) if index in cut else cell for index, cell in enumerate(cells)])
    return made


def _cut(cell: Any) -> Any:
    cell.no_wrap, cell.overflow = True, "ellipsis"
    return cell
