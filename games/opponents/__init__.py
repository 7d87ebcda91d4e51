"""Scripted players: fixed opponents to be measured against. One file each, found by `name` like every plug-in.

An opponent is handed the whole state. A fair one looks at no more than `game.observe(state, seat)` of the seat to move.
"""

from __future__ import annotations

from random import Random
from typing import Protocol

from games.game import Game, State
from games.opponents.minimax import Minimax
from games.opponents.uniform import RandomOpponent

__all__ = ["Minimax", "Opponent", "RandomOpponent"]


class Opponent(Protocol):
    name: str

    def act(self, game: Game, state: State, rng: Random) -> str:
        """A legal action for the seat to move at `state`."""
