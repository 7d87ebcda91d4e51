"""`selfplay export [RUN]`: what a run made, for other tools: tables, training pairs, the model, its curves."""

from __future__ import annotations

import argparse
import difflib
from pathlib import Path
from typing import Any

from selfplay.cli.common import Parser, add_run, find_run, show
from selfplay.export.folder import DATA, WHAT, export
from selfplay.export.trackers import TRACKERS, track
from selfplay.views.export import render


def main(argv: list[str]) -> int:
    parser = Parser("export", "What a run made, for other tools: tables, training pairs, the model, its curves.")
    add_run(parser)
    add = parser.add_argument
    add("--to", type=Path, metavar="FOLDER", help="where to; RUN/export when left out")
    add("--what", type=_names, metavar="A,B,…", help=f"which of {', '.join(WHAT)}; all but the model when left out")
    add("--step", type=int, metavar="N", help="the model of this checkpoint; the newest when left out")
    add("--max-pairs", type=_positive, default=4, metavar="N", help="training pairs a task or prompt, at most (4)")
    add("--turns", choices=("won", "legal"), default="won", help="which moves are worth imitating (won)")
    add("--force", action="store_true", help="replace an earlier export")
    for name, tracker in TRACKERS.items():
        add(f"--to-{name}", metavar=tracker.metavar, help=f"{tracker.about} instead of a folder")
    call = parser.parse(argv)
    run = find_run(call.run)
    wanted = {name: value for name in TRACKERS if (value := getattr(call, f"to_{name}"))}
    done: dict[str, Any] = {}
    if call.to or call.what or not wanted:
        what = call.what or DATA
        options = {"step": call.step, "most": call.max_pairs, "turns": call.turns, "force": call.force}
        done = export(run, call.to, what, **options)
    done |= {"trackers": {name: track(name, run, value, force=call.force) for name, value in wanted.items()}}
    show(done, render, call.json)
    return 0


def _names(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    if names == ("all",):
        return WHAT
    for name in names:
        if name not in WHAT:
            near = difflib.get_close_matches(name, WHAT, n=1)
            guess = f"did you mean {near[0]}?" if near else f"choose of {', '.join(WHAT)}, or `all`."
            raise argparse.ArgumentTypeError(f"a run has no {name!r} to export; {guess}")
    return names


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least one")
    return number
