"""`selfplay serve [RUN]`: a live page of a run, on this machine alone."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path

from selfplay.cli.common import Parser, add_run, find_run, print_json


def main(argv: list[str]) -> int:
    parser = Parser("serve", "A live page of a run, on this machine alone (127.0.0.1); it reads and never writes.")
    add_run(parser)
    parser.add_argument("--port", type=_port, default=None, metavar="N", help="where (8642; 0: any free port)")
    call = parser.parse(argv)
    folder: Path = find_run(call.run)

    from selfplay.serve.server import PORT, Server

    with Server(folder, PORT if call.port is None else call.port) as server:
        if call.json:
            print_json({"url": server.url, "run": folder.name, "path": str(folder)})
            sys.stdout.flush()
        else:
            from selfplay.views.text import safe

            print(f"{safe(folder.name)} is at {server.url} (Ctrl-C ends it)", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


def _port(text: str) -> int:
    number = int(text)
    if not 0 <= number < 65536:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return number
