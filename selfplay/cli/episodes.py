"""`selfplay episodes [RUN]`: the games a run played, newest first."""

from __future__ import annotations

from selfplay.cli import ranges
from selfplay.cli.common import Parser, add_paging, add_run, find_run, paging, show
from selfplay.records import End
from selfplay.store.reader import Reader
from selfplay.views import episodes


def main(argv: list[str]) -> int:
    parser = Parser("episodes", "The games a run played, newest first.")
    add_run(parser)
    add_paging(parser)
    parser.add_argument("--game", help="only this game")
    parser.add_argument("--step", type=ranges.steps, metavar="A[..B]", help="only of this step, or these")
    parser.add_argument("--end", choices=[str(end) for end in End], help="only those that ended so")
    parser.add_argument("--won", type=ranges.count, metavar="SEAT", help="only those that this seat won, from 0")
    call = parser.parse(argv)
    limit, offset = paging(parser, call)
    with Reader(find_run(call.run)) as reader:
        found = episodes.page(reader, limit, offset, game=call.game, step=call.step, end=call.end, won=call.won)
        show(found, episodes.render_page, call.json)
    return 0
