"""`selfplay play GAME`: a person against a scripted opponent or a model; `selfplay play tasks [RUN]`: as the solver."""

from __future__ import annotations

import io
import sys
from random import SystemRandom

from selfplay.cli.common import Parser, find_run, print_json, runs_root


def main(argv: list[str]) -> int:
    parser = Parser(
        "play", "Play a game in the terminal, or solve the tasks that a run set itself (`selfplay play tasks [RUN]`)."
    )
    parser.add_argument("game", metavar="GAME", help="a game's name or path/to/file.py:Class; or `tasks`")
    parser.add_argument("run", nargs="?", metavar="RUN", help="with `tasks`: whose; the newest run when left out")
    parser.add_argument(
        "--against",
        metavar="WHOM",
        help="`random`, `minimax`, `cfr`, a game's own opponent, a run (its newest checkpoint), or a model (random)",
    )
    parser.add_argument("--seat", type=int, default=0, metavar="N", help="where you sit (0: the seat that begins)")
    parser.add_argument("--seed", type=int, metavar="N", help="deals the same game, or the same tasks, again")
    parser.add_argument("--family", help="with `tasks`: only tasks of this family")
    call = parser.parse(argv)
    if call.game != "tasks" and call.run:
        parser.error(f"a game is played against somebody: `selfplay play {call.game} --against {call.run}`.")
    if call.game != "tasks" and call.family:
        parser.error("--family is for `selfplay play tasks`.")
    if call.game == "tasks" and (call.against or call.seat):
        parser.error("tasks are solved alone: --against and --seat are for games.")
    seed = SystemRandom().randrange(10**6) if call.seed is None else call.seed

    from selfplay.human.terminal import Terminal

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    terminal = Terminal(sys.stdin, sys.stderr if call.json else sys.stdout)
    if call.game == "tasks":
        from selfplay.human.solving import solving

        found = solving(find_run(call.run), terminal, call.family, seed)
    else:
        import games
        from selfplay.human.match import match

        found = match(games.find(call.game), call.game, terminal, call.against, call.seat, seed, runs_root())
    if call.json:
        print_json(found)
    return 0
