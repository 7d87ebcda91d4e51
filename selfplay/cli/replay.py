"""`selfplay replay [RUN] [EPISODE]`: one game, turn by turn."""

from __future__ import annotations

from pathlib import Path

from selfplay.cli import ranges
from selfplay.cli.common import Parser, add_run, find_run, runs_root, show
from selfplay.store.folder import RunFolder
from selfplay.store.reader import Reader
from selfplay.views import replay


def main(argv: list[str]) -> int:
    parser = Parser("replay", "One game, turn by turn: what each seat saw, wrote and played.")
    add_run(parser)
    parser.add_argument(
        "episode",
        nargs="?",
        metavar="EPISODE",
        help="its number (`selfplay episodes` lists them); the newest when left out",
    )
    parser.add_argument(
        "--rules", metavar="GAME", help="the game to draw the board by, where it is a file: path/to/file.py:Class"
    )
    call = parser.parse(argv)
    run, episode = call.run, call.episode
    if (
        episode is None
        and run is not None
        and run.isdecimal()
        and not (Path(run).exists() or (runs_root() / run).exists())
    ):
        run, episode = None, run
    if episode is not None and not (episode.isascii() and episode.isdecimal()):
        parser.error(f"an episode has a number, and {episode!r} is none; `selfplay episodes` lists them.")
    folder = find_run(run)
    with Reader(folder) as reader:
        id = None if episode is None else ranges.count(episode)
        found = replay.episode(reader, id, call.rules, RunFolder.open(folder).games())
        show(found, replay.render_episode, call.json)
    return 0
