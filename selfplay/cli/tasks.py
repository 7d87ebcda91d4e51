"""`selfplay tasks [RUN]`: the tasks a run made, or the proposals that a gate refused, page by page."""

from __future__ import annotations

from selfplay.cli.common import Parser, add_paging, add_run, find_run, show
from selfplay.store.queries import ORDERS
from selfplay.store.reader import Reader
from selfplay.views import tasks


def main(argv: list[str]) -> int:
    parser = Parser("tasks", "The tasks a run made, or the proposals that a gate refused, page by page.")
    add_run(parser)
    add_paging(parser)
    parser.add_argument("--order", choices=ORDERS, default="newest", help="what comes first (newest)")
    parser.add_argument("--family", help="only tasks of this family")
    parser.add_argument("--refused", metavar="GATE", help="proposals refused by this gate instead; `any` for all gates")
    call = parser.parse(argv)
    with Reader(find_run(call.run)) as reader:
        if call.refused:
            show(tasks.refused(reader, call.refused, call.limit, call.offset), tasks.render_refused, call.json)
        else:
            show(tasks.page(reader, call.limit, call.offset, call.order, call.family), tasks.render_page, call.json)
    return 0
