"""The perfect player of small games of perfect information."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from games.game import Game, State
from selfplay.errors import UserError

LIMIT = 100_000


class Minimax:
    """Plays an action of the greatest minimax value (expectation over listed chance), drawn uniformly among the equally
    good ones.

    Every state that can follow is valued once and remembered per game object: tic-tac-toe has 5478. Raises UserError
    for a game of hidden information, of more than two seats, not of zero sum, of free text, of chance that it does not
    list, of more than LIMIT states, or that can come back to an earlier state.
    """

    name = "minimax"

    def prepare(self, game: Game) -> None:
        """Values all that can follow a first state, so that `find` refuses a game which this player cannot play."""
        _require_fit(game)
        start = game.initial(Random(0))
        try:
            self.value(game, start)
        except (AttributeError, TypeError) as error:
            raise UserError(
                f"minimax cannot play `{game.name}`: asked for no random draw (rng=None) it failed with "
                f"{type(error).__name__}: {error}; list its chance in `chance`"
            ) from error

    def act(self, game: Game, state: State, rng: Random) -> str:
        _require_fit(game)
        sign = 1 if game.to_move(state) == 0 else -1
        worth = {action: sign * self.value(game, game.step(state, action, None)) for action in _legal(game, state)}
        best = max(worth.values())
        return rng.choice([action for action, value in worth.items() if value >= best - 1e-12])

    def value(self, game: Game, state: State) -> float:
        """What seat 0 gets from `state` when both seats play perfectly."""
        values = _values(game)
        path: dict[State, list[State]] = {}  # states being valued, each with what follows
        stack = [state]
        while stack:
            top = stack[-1]
            if top not in values and top not in path:
                if len(values) + len(path) >= LIMIT:
                    values.clear()
                    raise UserError(f"`{game.name}` has more than {LIMIT} states: too many for minimax")
                path[top] = _follow(game, top)
                if any(after in path for after in path[top]):
                    raise UserError(f"`{game.name}` can come back to an earlier state: count its plies in the state")
                stack += [after for after in path[top] if after not in values]
            else:
                if top not in values:
                    values[top] = _worth(game, top, [values[after] for after in path.pop(top)])
                stack.pop()
        return values[state]


@lru_cache(maxsize=8)
def _values(game: Game) -> dict[State, float]:
    return {}


def _follow(game: Game, state: State) -> list[State]:
    outcomes = game.chance(state)
    if outcomes is not None:
        return [after for _, after in outcomes]
    if game.to_move(state) is None:
        return []
    return [game.step(state, action, None) for action in _legal(game, state)]


def _worth(game: Game, state: State, after: list[float]) -> float:
    """Seat 0's, from the values of what follows."""
    outcomes = game.chance(state)
    if outcomes is not None:
        return sum(probability * value for (probability, _), value in zip(outcomes, after, strict=True))
    seat = game.to_move(state)
    return game.returns(state)[0] if seat is None else (max if seat == 0 else min)(after)


def _legal(game: Game, state: State) -> list[str]:
    legal = game.legal(state)
    if legal is None:
        raise UserError(f"minimax cannot play `{game.name}`, whose actions are free text")
    return legal


def _require_fit(game: Game) -> None:
    if not (game.perfect_information and game.zero_sum and len(game.roles) == 2):
        raise UserError(f"minimax plays two-seat zero-sum games of perfect information, and `{game.name}` is none")
