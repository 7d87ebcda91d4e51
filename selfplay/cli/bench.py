"""`selfplay bench WHAT`: figures measured in one run, so that their ratios mean the same on another machine."""

from __future__ import annotations

import importlib
import inspect
import json
from pathlib import Path

from selfplay import bench
from selfplay.cli import ranges
from selfplay.cli.common import Parser, show


def main(argv: list[str]) -> int:
    """The numbers that a bench's `measure` takes are the options of its verb."""
    there = sorted(path.stem for path in Path(bench.__path__[0]).glob("*.py") if path.stem != "__init__")
    parser = Parser("bench", "Ratios measured in one run.")
    parser.add_argument("what", choices=there, metavar="WHAT", help=", ".join(there))
    what = next((word for word in argv if word in there), None)
    if what is None:
        parser.parse(argv)
    measure = importlib.import_module(f"selfplay.bench.{what}").measure
    sizes = {name: given.default for name, given in inspect.signature(measure).parameters.items()}
    for name, default in sizes.items():
        parser.add_argument(f"--{name}", type=ranges.count, default=default, metavar="N", help=f"({default:,})")
    call = parser.parse(argv)
    measured = measure(**{name: getattr(call, name) for name in sizes})
    show(measured, lambda data: json.dumps(data, indent=2, default=str), call.json)
    return 0
