"""What the verbs share: their parser, the run that is meant, and the one JSON object of `--json`."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

from selfplay.cli import ranges
from selfplay.errors import WrongCall
from selfplay.store.folder import listing, newest
from selfplay.views.twin import as_json


class Parser(argparse.ArgumentParser):
    """argparse, with the nearest option in the message about one that does not exist. Exits with status 2."""

    def __init__(self, verb: str, about: str, *, json: bool = True) -> None:
        super().__init__(prog=f"selfplay {verb}", description=about, allow_abbrev=False)
        if json:
            self.add_argument("--json", action="store_true", help="one JSON object on stdout, and nothing else there")

    def parse(self, argv: list[str]) -> argparse.Namespace:
        known, rest = self.parse_known_args(argv)
        if rest:
            options = [option for action in self._actions for option in action.option_strings]
            near = difflib.get_close_matches(rest[0], options, n=1)
            self.error(
                f"it knows no {rest[0]!r}" + (f"; did you mean {near[0]}?" if near else f"; see `{self.prog} --help`.")
            )
        return known

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}", file=sys.stderr)
        raise SystemExit(2)


def add_run(parser: Parser) -> None:
    parser.add_argument(
        "run",
        nargs="?",
        metavar="RUN",
        help="a run's folder, or its name under ./runs ($SELFPLAY_RUNS); the newest when left out",
    )


def add_paging(parser: Parser) -> None:
    parser.add_argument("--limit", type=ranges.count, default=20, metavar="N", help="how many to list (20)")
    parser.add_argument("--offset", type=ranges.count, metavar="N", help="how many to skip (0)")
    parser.add_argument("--page", type=ranges.count, metavar="N", help="which page, from 1, instead of an offset")


def paging(parser: Parser, call: argparse.Namespace) -> tuple[int, int]:
    """Limit and offset, as `add_paging`'s options ask."""
    if call.page is not None and call.offset is not None:
        parser.error("--page and --offset both say where to begin; give one of them.")
    if call.page == 0:
        parser.error("pages count from 1.")
    offset = call.offset or 0 if call.page is None else (call.page - 1) * call.limit
    return call.limit, min(offset, ranges.MOST)


def runs_root() -> Path:
    """Where runs are: $SELFPLAY_RUNS, or ./runs."""
    return Path(os.environ.get("SELFPLAY_RUNS") or "runs")


def find_run(text: str | None) -> Path:
    """The run's folder. UserError: there is none of that name (it says which is nearest)."""
    root = runs_root()
    if text is None:
        return newest(root)
    for path in (Path(text), root / text):
        if path.is_dir():
            return path
        if path.is_file() and path.name in ("run.db", "config.json"):
            return path.parent
    names = [path.name for path in listing(root)]
    near = [name for name in names if name.startswith(text)] or difflib.get_close_matches(text, names, cutoff=0.4)
    guess = f"did you mean {' or '.join(near[:3])}?" if near else "`selfplay runs` lists them."
    raise WrongCall(f"There is no run {text!r}, neither as a folder nor under {root}; {guess}")


def print_json(value: Any) -> None:
    """One JSON object on stdout, in ASCII; what JSON cannot hold (infinity, not-a-number) is null."""
    print(as_json(value))


def show(data: Any, render: Any, as_json: bool) -> None:
    """Prints `data` as JSON, or what `render` makes of it for a person."""
    if as_json:
        print_json(data)
        return
    from selfplay.views.text import console

    console().print(render(data))
