"""`selfplay task ID [RUN]`: one task in full: its text, truth, family tree, and every attempt at it."""

from __future__ import annotations

from selfplay.cli.common import Parser, add_run, find_run, show
from selfplay.store.reader import Reader
from selfplay.views import task


def main(argv: list[str]) -> int:
    parser = Parser("task", "One task in full: its text, truth, family tree, and every attempt at it.")
    parser.add_argument("id", metavar="ID", help="the task's id, or its beginning")
    add_run(parser)
    call = parser.parse(argv)
    with Reader(find_run(call.run)) as reader:
        show(task.one(reader, call.id), task.render_one, call.json)
    return 0
