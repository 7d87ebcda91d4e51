"""`selfplay show [RUN]`: what a run did, how far it is, and whether it got better."""

from __future__ import annotations

from selfplay.cli.common import Parser, add_run, find_run, show
from selfplay.views.show import render, summary


def main(argv: list[str]) -> int:
    parser = Parser("show", "What a run did, how far it is, and whether it got better.")
    add_run(parser)
    call = parser.parse(argv)
    show(summary(find_run(call.run)), render, call.json)
    return 0
