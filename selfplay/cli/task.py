"""`selfplay task ID`: one task in full: its text, truth, lineage, and every attempt at it."""

from __future__ import annotations

from selfplay.cli.common import Parser, find_run, show
from selfplay.store.reader import Reader
from selfplay.views import tasks


def main(argv: list[str]) -> int:
    parser = Parser("task", "One task in full: its text, truth, lineage, and every attempt at it.")
    parser.add_argument("id", metavar="ID", help="the task's id, or its beginning")
    parser.add_argument("--run", metavar="RUN", help="the run's folder or name; the newest when left out")
    call = parser.parse(argv)
    with Reader(find_run(call.run)) as reader:
        show(tasks.one(reader, call.id), tasks.render_one, call.json)
    return 0
