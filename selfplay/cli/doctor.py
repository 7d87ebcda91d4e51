"""`selfplay doctor`: what this machine has and lacks. Status 1 when something stands in the way of a run."""

from __future__ import annotations

from typing import Any

from selfplay.cli.common import Parser, show


def main(argv: list[str]) -> int:
    parser = Parser("doctor", "What this machine has, and what stands in the way of a run.")
    call = parser.parse(argv)
    from selfplay.doctor import examine

    found = examine()
    show(found, render, call.json)
    return 1 if found["lacks"] else 0


def render(found: dict[str, Any]) -> Any:
    from rich.console import Group
    from rich.text import Text

    from selfplay.views.text import safe, table

    rows = [(name.replace("_", " "), safe(_told(value))) for name, value in found.items() if name != "lacks"]
    lacks = [Text(safe(sentence)) for sentence in found["lacks"]] or [Text("Nothing stands in the way of a run.")]
    return Group(table(("", ""), rows), Text(""), *lacks)


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {version or 'absent'}" for name, version in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value)
