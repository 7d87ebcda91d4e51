"""`selfplay runs`: the runs there are, newest first."""

from __future__ import annotations

from pathlib import Path

from selfplay.cli.common import Parser, runs_root, show
from selfplay.views.runs import render, runs


def main(argv: list[str]) -> int:
    parser = Parser("runs", "The runs there are, newest first.")
    parser.add_argument("root", nargs="?", type=Path, metavar="FOLDER", help="where to look (./runs or $SELFPLAY_RUNS)")
    call = parser.parse(argv)
    show(runs(call.root or runs_root()), render, call.json)
    return 0
