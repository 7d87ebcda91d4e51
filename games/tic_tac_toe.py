"""Tic-tac-toe. A state is the board as nine characters: a free cell holds its own number."""

from __future__ import annotations

from functools import cache
from random import Random

from games.game import Game

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe(Game):
    name = "tic_tac_toe"
    roles = ("X", "O")
    rules = "X and O take turns to mark a free cell of a 3x3 board. Three in a row, column or diagonal win."
    max_plies = 9

    def initial(self, rng: Random | None) -> str:
        return "123456789"

    def to_move(self, state: str) -> int | None:
        return None if state.isalpha() or _score(state) else state.count("X") - state.count("O")

    def observe(self, state: str, seat: int) -> str:
        return f"You are {self.roles[seat]}.\n{' '.join(state[:3])}\n{' '.join(state[3:6])}\n{' '.join(state[6:])}"

    def legal(self, state: str) -> list[str]:
        return [cell for cell in state if cell.isdigit()]

    def step(self, state: str, action: str, rng: Random | None) -> str:
        return state.replace(action, "XO"[state.count("X") - state.count("O")])

    def returns(self, state: str) -> list[float]:
        return [_score(state), 0.0 - _score(state)]

    def infostate_key(self, state: str, seat: int) -> str:
        return state + self.roles[seat]


@cache
def _score(board: str) -> float:
    lines = (board[a] for a, b, c in LINES if board[a] == board[b] == board[c])
    return {"X": 1.0, "O": -1.0, "": 0.0}[next(lines, "")]
