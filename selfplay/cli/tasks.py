"""`selfplay tasks [RUN]`: the tasks a run made, or the proposals that a gate refused, page by page."""

from __future__ import annotations

import argparse

from selfplay.cli import ranges
from selfplay.cli.common import Parser, add_paging, add_run, find_run, paging, show
from selfplay.store.queries import ORDERS
from selfplay.store.reader import Reader
from selfplay.views import tasks


def main(argv: list[str]) -> int:
    parser = Parser("tasks", "The tasks a run made, or the proposals that a gate refused, page by page.")
    add_run(parser)
    add_paging(parser)
    parser.add_argument("--order", choices=ORDERS, metavar="ORDER", help=f"what comes first: {', '.join(ORDERS)}")
    parser.add_argument("--family", help="only of this family")
    parser.add_argument("--step", type=ranges.steps, metavar="A[..B]", help="only from this step, or these")
    parser.add_argument("--solved", type=ranges.rates, metavar="LOW..HIGH", help="only with such a solve rate")
    parser.add_argument("--learnable", type=ranges.numbers, metavar="LOW..HIGH", help="only of such learnability")
    parser.add_argument("--theme", metavar="WORD", help="only with this theme")
    parser.add_argument("--from", dest="ancestor", metavar="ID", help="only descendants of this task")
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("--active", action="store_true", default=None, help="only those in the bank")
    kept.add_argument("--evicted", action="store_false", dest="active", help="only those that were let go")
    parser.add_argument("--refused", metavar="GATE", help="proposals refused by this gate instead; `any` for all gates")
    call = parser.parse(argv)
    limit, offset = paging(parser, call)
    if call.refused:
        _only_a_task_has(parser, call)
    with Reader(find_run(call.run)) as reader:
        if call.refused:
            found = tasks.refused(reader, call.refused, limit, offset, call.family, call.step)
            show(found, tasks.render_refused, call.json)
        else:
            names = ("family", "step", "solved", "learnable", "theme", "active")
            only = {name: getattr(call, name) for name in names}
            found = tasks.page(reader, limit, offset, call.order or "newest", call.ancestor, **only)
            show(found, tasks.render_page, call.json)
    return 0


def _only_a_task_has(parser: Parser, call: argparse.Namespace) -> None:
    """A refused proposal became no task, and has nothing that only a task has."""
    names = {"solved": "--solved", "learnable": "--learnable", "theme": "--theme", "ancestor": "--from"}
    given = [option for name, option in names.items() if getattr(call, name) is not None]
    given += [] if call.active is None else ["--active" if call.active else "--evicted"]
    given += ["--order"] if call.order else []
    if given:
        parser.error(f"a refused proposal is no task, so --refused goes with --family and --step, not with {given[0]}.")
