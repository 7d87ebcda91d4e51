"""The uniformly random player."""

from __future__ import annotations

from random import Random

from games.game import Game, State
from selfplay.errors import UserError


class RandomOpponent:
    """Draws uniformly from the legal actions."""

    name = "random"

    def prepare(self, game: Game) -> None:
        """Raises UserError for a game of free text."""
        _legal(game, game.initial(Random(0)))

    def act(self, game: Game, state: State, rng: Random) -> str:
        return rng.choice(_legal(game, state))


def _legal(game: Game, state: State) -> list[str]:
    legal = game.legal(state)
    if legal is None:
        raise UserError(
            f"a random player cannot play `{game.name}`, whose actions are free text: use one of its own opponents"
        )
    return legal
