"""Liar's dice with one die each, as OpenSpiel has it by default: six sides, of which the highest counts as every face.
A subclass may set fewer `sides` (with `max_plies = 2 * sides + 1`)."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from games.game import Game


class Table(NamedTuple):
    dice: tuple[int, int]
    said: tuple[str, ...] = ()


class LiarsDice(Game):
    name = "liars_dice"
    roles = ("first", "second")
    rules = (
        "Each rolls a die and hides it. Take turns to bid how often a face is there: 2x5 says two fives. Each bid has "
        "more dice, or as many with a higher face; a 6 counts as every face. Or say liar: you win if the last bid was "
        "too high, else you lose."
    )
    perfect_information = False
    max_plies = 13
    sides = 6

    def chance(self, state: Table | None) -> list[tuple[float, Table]] | None:
        faces = range(1, self.sides + 1)
        odds = 1 / self.sides**2
        return [(odds, Table((one, other))) for one in faces for other in faces] if state is None else None

    def initial(self, rng: Random | None) -> Table:
        return self.deal(None, rng)

    def to_move(self, state: Table) -> int | None:
        return None if state.said[-1:] == ("liar",) else len(state.said) % 2

    def observe(self, state: Table, seat: int) -> str:
        return f"Your die: {state.dice[seat]}\nBids: {' '.join(state.said) or 'none'}"

    def legal(self, state: Table) -> list[str]:
        bids = [f"{number}x{face}" for number in (1, 2) for face in range(1, self.sides + 1)]
        return [*bids[bids.index(state.said[-1]) + 1 :], "liar"] if state.said else bids

    def step(self, state: Table, action: str, rng: Random | None) -> Table:
        return state._replace(said=(*state.said, action))

    def returns(self, state: Table) -> list[float]:
        number, face = map(int, state.said[-2].split("x"))
        true = sum(die in (face, self.sides) for die in state.dice) >= number
        winner = len(state.said) % 2 if true else 1 - len(state.said) % 2  # the seat after the caller is the bidder
        return [1.0, -1.0] if winner == 0 else [-1.0, 1.0]

    def infostate_key(self, state: Table, seat: int) -> str:
        return f"{state.dice[seat]} {' '.join(state.said)}".strip()
