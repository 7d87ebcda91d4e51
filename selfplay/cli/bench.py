"""`selfplay bench WHAT`: ratios measured in one run, so that they mean the same on another machine."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

from selfplay import bench
from selfplay.cli.common import Parser, show


def main(argv: list[str]) -> int:
    there = sorted(path.stem for path in Path(bench.__path__[0]).glob("*.py") if path.stem != "__init__")
    parser = Parser("bench", "Ratios measured in one run.")
    parser.add_argument("what", choices=there, metavar="WHAT", help=", ".join(there))
    call = parser.parse(argv)
    measured = importlib.import_module(f"selfplay.bench.{call.what}").measure()
    show(measured, lambda data: json.dumps(data, indent=2, default=str), call.json)
    return 0
