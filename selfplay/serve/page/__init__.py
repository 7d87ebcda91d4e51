"""The page: one HTML file, one style sheet and a few scripts, read once at the start and served from memory."""

from __future__ import annotations

from pathlib import Path

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}


def files() -> dict[str, tuple[str, bytes]]:
    """URL path → (media type, content); the HTML file is at `/`."""
    found = {}
    for path in sorted(Path(__file__).parent.iterdir()):
        if path.suffix in TYPES:
            found["/" if path.suffix == ".html" else f"/{path.name}"] = TYPES[path.suffix], path.read_bytes()
    return found
