"""`selfplay resume [RUN]`: go on with a run that was stopped, from its last finished step."""

from __future__ import annotations

from selfplay.cli.common import Parser, add_run, find_run


def main(argv: list[str]) -> int:
    parser = Parser("resume", "Go on with a run that was stopped, from its last finished step.", json=False)
    add_run(parser)
    call = parser.parse(argv)

    from selfplay.runner import resume

    resume(find_run(call.run))
    return 0
