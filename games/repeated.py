"""A matrix game played several times over, without a name: what `rock_paper_scissors` and `matching_pennies` share."""

from __future__ import annotations

from abc import abstractmethod
from random import Random

from games.game import Game

Words = tuple[str, ...]


class RepeatedMatrixGame(Game):
    """Both choose one of `choices` at once, `rounds` times, and see the choices after each round; the payoffs add up.

    The second seat chooses after the first and does not see that choice: a state is all words so far, first, second,
    first, ..., and `observe` and `infostate_key` leave out the last one of an unfinished round. A subclass that changes
    `rounds` sets `max_plies` to twice, and `utility_range` to as many, payoffs.
    """

    roles = ("first", "second")
    perfect_information = False
    utility_range = (-3.0, 3.0)
    max_plies = 6
    rounds = 3
    choices: Words

    @abstractmethod
    def payoff(self, first: str, second: str) -> float:
        """What the first seat gets from the second in one round."""

    def initial(self, rng: Random | None) -> Words:
        return ()

    def to_move(self, state: Words) -> int | None:
        return len(state) % 2 if len(state) < 2 * self.rounds else None

    def observe(self, state: Words, seat: int) -> str:
        past = [f"{pair[seat]}-{pair[1 - seat]}" for pair in self._rounds(state)]
        return f"You are {self.roles[seat]}.\nYou-other: {' '.join(past) or 'nothing yet'}"

    def legal(self, state: Words) -> list[str]:
        return list(self.choices)

    def step(self, state: Words, action: str, rng: Random | None) -> Words:
        return (*state, action)

    def returns(self, state: Words) -> list[float]:
        total = sum(self.payoff(first, second) for first, second in self._rounds(state))
        return [total, 0.0 - total]

    def infostate_key(self, state: Words, seat: int) -> str:
        return " ".join([self.roles[seat], *(f"{first}-{second}" for first, second in self._rounds(state))])

    def _rounds(self, state: Words) -> list[tuple[str, str]]:
        """The finished ones."""
        return list(zip(state[::2], state[1::2], strict=False))
