"""Games: the `Game` protocol, the built-in games, and `check`. Usable alone: nothing here imports torch or the engine.

A game is one class in one file of this folder, or of any other: see `games/README.md`. Games of other libraries are
`LIBRARY:NAME`: see `games/adapters/README.md`.
"""

from __future__ import annotations

import re

from games.game import Game, State
from selfplay import plugins
from selfplay.errors import UserError

__all__ = ["Game", "State", "available", "find"]


def find(name: str) -> Game:
    """The game called `name`, or the class at `path/to/file.py:Class`, made without arguments; or `LIBRARY:NAME`, a
    game of another library. Raises UserError."""
    if elsewhere := re.fullmatch(r"(\w+):(.+)", name, re.DOTALL):
        game: Game = plugins.find("adapters", elsewhere[1], "games.adapters")(elsewhere[2])
        return game
    found = plugins.find("games", name, "games")
    if isinstance(found, type) and issubclass(found, Game):
        missing = sorted(found.__abstractmethods__)
        if missing:
            raise UserError(f"the game `{name}` is not complete: {found.__name__} still needs {', '.join(missing)}")
        return found()
    if isinstance(found, Game):
        return found
    raise UserError(f"`{name}` is no game: let its class inherit from games.Game")


def available() -> list[str]:
    """Names of the built-in and the installed games."""
    return plugins.available("games", "games")
