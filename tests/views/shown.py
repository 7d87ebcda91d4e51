"""What the tests of the views share: a view as text, and what no view may print."""

from __future__ import annotations

import io
from typing import Any

from selfplay.views.text import console

STEERING = set("\x1b\x07\x9b\x00\r\u202e")


def printed(renderable: Any, width: int | None = None) -> str:
    out = io.StringIO()
    console(out, width=width).print(renderable)
    return out.getvalue()
