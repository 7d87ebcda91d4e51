"""`selfplay report [RUN]`: a run as one HTML page."""

from __future__ import annotations

from pathlib import Path

from selfplay.cli.common import Parser, add_run, find_run, print_json
from selfplay.report import write_page
from selfplay.report.gather import data


def main(argv: list[str]) -> int:
    parser = Parser("report", "A run as one HTML page that needs nothing else; prints its path and the verdict.")
    add_run(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write it (report.html in the run's folder)")
    call = parser.parse(argv)
    folder = find_run(call.run)
    found = data(folder)
    if call.json:
        if call.out:
            write_page(found, call.out)
        print_json(found)
        return 0
    from selfplay.views.text import console, safe

    out = console()
    out.print(safe(str(write_page(found, call.out or folder / "report.html"))), soft_wrap=True)
    for sentence in (found["verdict"]["headline"], *found["verdict"]["sentences"]):
        out.print(safe(sentence), soft_wrap=True)
    return 0
