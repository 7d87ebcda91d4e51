"""The perfect player of small games of perfect information."""

from __future__ import annotations

from random import Random

from games.game import Game, State
from selfplay.errors import UserError


class Minimax:
    """Plays an action of the greatest minimax value (expectation over listed chance), drawn uniformly among the equally
    good ones.

    Every reachable state is valued once and remembered for the life of the object: tic-tac-toe has 5478. Raises
    UserError for a game of hidden information, of more than two seats, not of zero sum, or of free text.
    """

    name = "minimax"

    def __init__(self) -> None:
        self._values: dict[tuple[type[Game], str, State], float] = {}

    def act(self, game: Game, state: State, rng: Random) -> str:
        if not (game.perfect_information and game.zero_sum and len(game.roles) == 2):
            raise UserError(f"minimax plays two-seat zero-sum games of perfect information, and `{game.name}` is none")
        legal = game.legal(state)
        if legal is None:
            raise UserError(f"minimax cannot play `{game.name}`, whose actions are free text")
        sign = 1 if game.to_move(state) == 0 else -1
        worth = {action: sign * self.value(game, game.step(state, action, None)) for action in legal}
        best = max(worth.values())
        return rng.choice([action for action, value in worth.items() if value >= best - 1e-12])

    def value(self, game: Game, state: State) -> float:
        """What seat 0 gets from `state` when both seats play perfectly."""
        key = (type(game), game.name, state)
        if key not in self._values:
            self._values[key] = self._solve(game, state)
        return self._values[key]

    def _solve(self, game: Game, state: State) -> float:
        outcomes = game.chance(state)
        if outcomes is not None:
            return sum(probability * self.value(game, after) for probability, after in outcomes)
        seat = game.to_move(state)
        if seat is None:
            return game.returns(state)[0]
        best = max if seat == 0 else min
        return best(self.value(game, game.step(state, action, None)) for action in game.legal(state) or ())
