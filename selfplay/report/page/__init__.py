"""From the data of a report to its page. Every string is made harmless twice on its way: control characters, escapes
and direction marks are written out (`views.text.safe`), then markup is escaped. The page forbids itself scripts and the
network."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from selfplay.report import charts
from selfplay.report.charts.scale import written
from selfplay.report.page.parts import parts
from selfplay.views.text import duration, number, safe

FOLDER = Path(__file__).parent


def page(found: Mapping[str, Any]) -> str:
    """The whole page, of what `gather.data` found."""
    style = (FOLDER / "style.css").read_text(encoding="utf-8")
    return _environment().get_template("page.html.jinja").render(**found, **parts(found), style=Markup(style))


def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "number": number,
        "duration": duration,
        "json": lambda value: json.dumps(value, ensure_ascii=False),
        "percent": lambda share: written(share, "%"),
        "day": lambda started: time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(started)),
    }
    made.globals["dumbbells"] = charts.dumbbells
    return made


def _harmless(value: Any) -> Any:
    """Whatever a template prints; what is markup already was made by a template."""
    return value if isinstance(value, Markup) or not isinstance(value, str) else safe(value, lines=True)
