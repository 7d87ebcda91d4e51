"""`selfplay VERB`: finds the verb, imports its file, and turns errors into a sentence and an exit status.

Status: 0 done; 1 it failed, with one sentence; 2 the call was wrong, with the nearest right one; 130 interrupted,
resumable. Nothing heavy is imported here: `selfplay --help` answers at once.
"""

from __future__ import annotations

import difflib
import importlib
import os
import sys

from selfplay.errors import UserError, WrongCall

VERBS = {
    "run": "start a run: RECIPE [--key value …]",
    "resume": "go on with a run that was stopped: [RUN]",
    "show": "what a run did and how far it is: [RUN]",
    "runs": "list the runs",
    "tasks": "the tasks a run made, page by page: [RUN]",
    "task": "one task in full, with every attempt: ID [RUN]",
    "episodes": "the games a run played: [RUN]",
    "replay": "one game, turn by turn: [RUN] [EPISODE]",
    "serve": "a live page of a run, on this machine alone: [RUN]",
    "play": "play a game, or solve a run's tasks, yourself: GAME|tasks",
    "report": "a run as one HTML page: [RUN]",
    "export": "tables, training pairs, the model or curves of a run, for other tools: [RUN]",
    "compare": "two runs side by side: A B",
    "games": "list the games",
    "check": "examine a game: GAME",
    "new": "write a game to start from: game NAME",
    "eval": "the fixed measures, without training: MODEL_OR_RUN",
    "bench": "ratios measured in one run: bank|games|rollout|sandbox|train|views",
    "doctor": "what this machine has and lacks",
}
"""Verb → one line of help. A verb's code is `main(argv) -> int` in the file of its name."""


def main(argv: list[str] | None = None) -> int:
    """Runs one verb and returns the exit status."""
    argv = list(sys.argv[1:] if argv is None else argv)
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(usage())
        return 0 if argv else 2
    verb, *rest = argv
    if verb not in VERBS:
        near = difflib.get_close_matches(verb, VERBS, n=1, cutoff=0.4)
        guess = f"did you mean `selfplay {near[0]}`?" if near else f"the verbs are {', '.join(VERBS)}."
        print(f"selfplay has no verb {verb!r}; {guess}", file=sys.stderr)
        return 2
    try:
        check_names()
        status = importlib.import_module(f"selfplay.cli.{verb}").main(rest)
        sys.stdout.flush()
        return status
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    except UserError as error:
        from selfplay.views.text import safe

        print(safe(f"selfplay {verb}: {error}", lines=True), file=sys.stderr)
        return 2 if isinstance(error, WrongCall) else 1
    except KeyboardInterrupt:
        print(f"selfplay {verb}: interrupted.{_how_to_resume(verb)}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has seen enough (`| head`); the interpreter must not try to flush once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def usage() -> str:
    width = max(map(len, VERBS))
    lines = [f"  {verb:<{width}}  {line}" for verb, line in VERBS.items()]
    notes = "RUN is the folder of a run or its name under ./runs ($SELFPLAY_RUNS); the newest one when left out."
    return "\n".join(["usage: selfplay VERB …", "", *lines, "", notes, "`selfplay VERB --help` tells the rest."])


def check_names() -> None:
    """UserError: another distribution shadows one of the import names."""
    from selfplay.names import check_names as check

    check()


def _how_to_resume(verb: str) -> str:
    if verb not in ("run", "resume"):
        return ""
    return " `selfplay resume` goes on with the newest run, from its last checkpoint."
