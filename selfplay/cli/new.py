"""`selfplay new game NAME`: a game that already works, with its test, to be changed into another."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path
from string import Template
from typing import Any

from selfplay.cli.common import Parser, show
from selfplay.errors import UserError
from selfplay.names import ROOT

GAME = Template('''\
"""$title: players take turns to add 1, 2 or 3 to a count; who makes it 10 wins.

A state is (count, seat to move).
"""

from __future__ import annotations

from random import Random

from games import Game


class $cls(Game):
    name = "$name"
    roles = ("first", "second")
    rules = "Players take turns to add 1, 2 or 3 to a count that begins at 0. Who makes it 10 wins."
    max_plies = 10

    def initial(self, rng: Random | None) -> tuple[int, int]:
        return 0, 0

    def to_move(self, state: tuple[int, int]) -> int | None:
        count, seat = state
        return None if count == 10 else seat

    def observe(self, state: tuple[int, int], seat: int) -> str:
        return f"Count: {state[0]}"

    def legal(self, state: tuple[int, int]) -> list[str]:
        return [str(number) for number in (1, 2, 3) if state[0] + number <= 10]

    def step(self, state: tuple[int, int], action: str, rng: Random | None) -> tuple[int, int]:
        count, seat = state
        return count + int(action), 1 - seat

    def returns(self, state: tuple[int, int]) -> list[float]:
        return [-1.0, 1.0] if state[1] == 0 else [1.0, -1.0]  # the seat that would be next has lost
''')

TEST = Template("""\
from __future__ import annotations

$imports
from games import find
from games.check import check

GAME = find($found)


def test_the_laws_of_games_are_kept():
    assert check(GAME) == []


def test_a_game_played_by_the_rules_ends_as_the_rules_say():
    state = GAME.initial(None)
    for ply, action in enumerate(["3", "3", "3", "1"]):
        assert GAME.to_move(state) == ply % 2
        assert action in GAME.legal(state)
        state = GAME.step(state, action, None)
    assert GAME.to_move(state) is None
    assert GAME.returns(state) == [-1, 1]
""")


def main(argv: list[str]) -> int:
    parser = Parser("new", "Writes a small game that works, and its test, to start from; see `games/README.md`.")
    parser.add_argument("what", choices=["game"], metavar="game", help="what to write: a game")
    parser.add_argument("name", metavar="NAME", help="its name: lower case, digits and underscores")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="write both files there, not into games/ and tests/")
    call = parser.parse(argv)
    show(write(call.name, call.to), render, call.json)
    return 0


def write(name: str, folder: Path | None) -> dict[str, Any]:
    """`name`, and the paths of the `game` and its `test`; `check` is what to say to `selfplay check`. Raises UserError
    for a name that cannot be one or is taken."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name) or keyword.iskeyword(name):
        raise UserError(f"'{name}' cannot name a game: write lower case, digits and underscores, as in `my_game`.")
    if name in sys.stdlib_module_names:
        raise UserError(f"'{name}' cannot name a game: its file would hide Python's own module `{name}`.")
    game = (folder or ROOT / "games") / f"{name}.py"
    test = (folder or ROOT / "tests" / "games") / f"test_{name}.py"
    for path in (game, test, *([game.with_suffix("")] if folder is None else [])):
        if path.exists():
            raise UserError(f"{path} exists, and nothing was written: choose another name, or move it away.")
    if folder is None:
        _refuse_taken(name)
    cls = "".join(part.capitalize() for part in name.split("_"))
    cls += "Game" if cls == "Game" else ""
    imports = "from pathlib import Path\n" if folder else ""
    found = f'str(Path(__file__).with_name("{name}.py"))' if folder else f'"{name}"'
    for path, text in (
        (game, GAME.substitute(title=name.replace("_", " ").capitalize(), cls=cls, name=name)),
        (test, TEST.substitute(imports=imports, found=found).replace("annotations\n\n\n", "annotations\n\n")),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return {"name": name, "game": str(game), "test": str(test), "check": str(game) if folder else name}


def render(written: dict[str, Any]) -> Any:
    from rich.text import Text

    from selfplay.views.text import safe

    lines = [
        f"{written['game']} is a game that works: change it into yours.",
        f"{written['test']} tests it.",
        f"Then: selfplay check {written['check']}",
    ]
    return Text(safe("\n".join(lines), lines=True))


def _refuse_taken(name: str) -> None:
    import games

    if name in games.available():
        raise UserError(f"There is a game called `{name}` already, and nothing was written: choose another name.")
