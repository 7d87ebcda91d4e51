"""Pig, a race of dice, with OpenSpiel's rules. A subclass may set other `goal` and `max_plies` (OpenSpiel: 100, 1000).
The count of moves is part of the state: without it a game could come back to where it was."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from games.game import Game


class Race(NamedTuple):
    """scores: saved points. pot: points of this turn. rolling: the die is in the air."""

    scores: tuple[int, int] = (0, 0)
    pot: int = 0
    seat: int = 0
    moves: int = 0
    rolling: bool = False


class Pig(Game):
    name = "pig"
    roles = ("first", "second")
    rules = (
        "Roll a die as often as you like: its points go into the pot, but a 1 empties the pot and ends your turn. Stop "
        "to save the pot. Who first saves 10 points wins; after 30 moves nobody does. With enough you must stop."
    )
    goal = 10
    max_plies = 30

    def initial(self, rng: Random | None) -> Race:
        return Race()

    def chance(self, state: Race | None) -> list[tuple[float, Race]] | None:
        if state is None or not state.rolling or state.moves == self.max_plies:
            return None
        lost = state._replace(pot=0, seat=1 - state.seat, rolling=False)
        kept = [state._replace(pot=state.pot + face, rolling=False) for face in range(2, 7)]
        return [(1 / 6, after) for after in (lost, *kept)]

    def to_move(self, state: Race) -> int | None:
        return None if max(state.scores) >= self.goal or state.moves == self.max_plies else state.seat

    def observe(self, state: Race, seat: int) -> str:
        own, other = state.scores[seat], state.scores[1 - seat]
        return f"You: {own}, other: {other}\nPot: {state.pot}\nMoves left: {self.max_plies - state.moves}"

    def legal(self, state: Race) -> list[str]:
        return ["stop"] if state.scores[state.seat] + state.pot >= self.goal else ["roll", "stop"]

    def step(self, state: Race, action: str, rng: Random | None) -> Race:
        if action == "roll":
            return self.deal(state._replace(moves=state.moves + 1, rolling=True), rng)
        first, second = state.scores
        scores = (first + state.pot, second) if state.seat == 0 else (first, second + state.pot)
        return Race(scores, 0, 1 - state.seat, state.moves + 1)

    def returns(self, state: Race) -> list[float]:
        first, second = (score >= self.goal for score in state.scores)
        return [float(first - second), float(second - first)]

    def infostate_key(self, state: Race, seat: int) -> str:
        return f"{seat}: {state.scores[0]} {state.scores[1]} {state.pot} {state.moves}"
