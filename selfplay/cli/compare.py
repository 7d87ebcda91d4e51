"""`selfplay compare A B`: two runs side by side."""

from __future__ import annotations

from selfplay.cli.common import Parser, find_run, show
from selfplay.views.compare import compare
from selfplay.views.side_by_side import render


def main(argv: list[str]) -> int:
    parser = Parser("compare", "Two runs side by side: settings, measures, curves, refusals and cost.")
    parser.add_argument("a", metavar="A", help="a run's folder, or its name under ./runs ($SELFPLAY_RUNS)")
    parser.add_argument("b", metavar="B", help="the other run")
    call = parser.parse(argv)
    show(compare(find_run(call.a), find_run(call.b)), render, call.json)
    return 0
