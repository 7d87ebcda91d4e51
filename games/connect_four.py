"""Connect four. A state is the board as it is shown, top row first; `.` is a free cell."""

from __future__ import annotations

import re
from random import Random

from games.game import Game

FOUR = re.compile(r"(?s)([XO])(?=\1{3}|(.{6}\1){3}|(.{7}\1){3}|(.{8}\1){3})")  # no four crosses the ends of lines


class ConnectFour(Game):
    name = "connect_four"
    roles = ("X", "O")
    rules = "X and O take turns to drop a disc into one of 7 columns. Four in a row, column or diagonal win."
    max_plies = 42

    def initial(self, rng: Random | None) -> str:
        return "\n".join(["." * 7] * 6)

    def to_move(self, state: str) -> int | None:
        free = state.count(".")
        return None if not free or FOUR.search(state) else free % 2

    def observe(self, state: str, seat: int) -> str:
        return f"You are {self.roles[seat]}.\n{state}\n1234567"

    def legal(self, state: str) -> list[str]:
        return [str(column + 1) for column in range(7) if state[column] == "."]

    def step(self, state: str, action: str, rng: Random | None) -> str:
        column = int(action) - 1
        cell = column + 8 * state[column::8].rindex(".")
        return state[:cell] + "XO"[state.count(".") % 2] + state[cell + 1 :]

    def returns(self, state: str) -> list[float]:
        four = FOUR.search(state)
        return [0.0, 0.0] if not four else [1.0, -1.0] if four[1] == "X" else [-1.0, 1.0]

    def infostate_key(self, state: str, seat: int) -> str:
        return state + self.roles[seat]
