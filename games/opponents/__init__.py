"""Scripted players: fixed opponents to be measured against. One file each, found by `name` like every plug-in.

An opponent is handed the whole state. A fair one looks at no more than `game.observe(state, seat)` of the seat to move.
It may be asked for moves of several games in turn: what it remembers must not depend on their order.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from random import Random
from typing import Protocol

from games.game import Game, State
from games.opponents.minimax import Minimax
from games.opponents.uniform import RandomOpponent
from selfplay import plugins
from selfplay.errors import PluginNotFound, UserError

__all__ = ["Minimax", "Opponent", "RandomOpponent", "find"]


class Opponent(Protocol):
    """A class that others find by name, and that cannot play every game, also has `prepare(game)`, which raises
    UserError for a game that it cannot play."""

    name: str

    def act(self, game: Game, state: State, rng: Random) -> str:
        """A legal action for the seat to move at `state`."""


def find(name: str, game: Game) -> Opponent:
    """The player called `name` for `game`: one of the game's own, a built-in (`random`, also called `uniform`;
    `minimax`; `cfr`), an installed one, or the class at `path/to/file.py:Class`, made without arguments.

    Raises PluginNotFound where nobody is called so, UserError where the player cannot play this game.
    """
    own = {player.name: player for player in game.opponents()}
    if name in own:
        return own[name]
    opponent = _made(name, game, sorted(own))
    if objection := _objection(type(opponent), game):
        raise UserError(objection)
    return opponent


@lru_cache(maxsize=64)
def _objection(player: type, game: Game) -> str:
    """Why such a player cannot play the game, or nothing. Remembered: it takes half a minute to find that a game is too
    large."""
    prepare = getattr(player(), "prepare", None)
    try:
        if prepare is not None:
            prepare(game)
    except UserError as error:
        return str(error)
    return ""


def _made(name: str, game: Game, own: list[str]) -> Opponent:
    try:
        found = plugins.find("opponents", "random" if name == "uniform" else name, "games.opponents")
    except PluginNotFound as error:
        tried, exists = [f"opponents() of `{game.name}`", *error.tried], [*own, *error.exists]
        near = get_close_matches(name, exists, n=1, cutoff=0.5)
        raise PluginNotFound(error.kind, name, tried, exists, near[0] if near else None) from None
    if not (isinstance(found, type) and isinstance(getattr(found, "name", None), str) and hasattr(found, "act")):
        raise UserError(f"`{name}` is no opponent: it needs a class with a `name` and `act(game, state, rng)`")
    return found()
