"""`selfplay episodes [RUN]`: the games a run played, newest first."""

from __future__ import annotations

from selfplay.cli.common import Parser, add_paging, add_run, find_run, show
from selfplay.store.reader import Reader
from selfplay.views import replay


def main(argv: list[str]) -> int:
    parser = Parser("episodes", "The games a run played, newest first.")
    add_run(parser)
    add_paging(parser)
    parser.add_argument("--game", help="only this game")
    parser.add_argument("--step", type=int, help="only this step")
    call = parser.parse(argv)
    with Reader(find_run(call.run)) as reader:
        show(replay.page(reader, call.limit, call.offset, call.game, call.step), replay.render_page, call.json)
    return 0
