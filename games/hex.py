"""Hex on a small board, cells named as in OpenSpiel. A state is the board, row by row, as `size * size` characters. A
subclass may set another `size`; on 3x3 all measures are exact."""

from __future__ import annotations

from random import Random

from games.game import Game

TOUCH = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1))


class Hex(Game):
    name = "hex"
    roles = ("X", "O")
    rules = (
        "X and O take turns to mark a free cell. X joins top and bottom, O left and right. A cell touches those left, "
        "right, above, below, above right and below left."
    )
    size = 4
    max_plies = 16

    def initial(self, rng: Random | None) -> str:
        return "." * self.size**2

    def to_move(self, state: str) -> int | None:
        turn = (self.size**2 - state.count(".")) % 2
        return None if self._joined(state, 1 - turn) else turn

    def observe(self, state: str, seat: int) -> str:
        rows = [f"{' ' * row}{row + 1}{state[row * self.size :][: self.size]}" for row in range(self.size)]
        return "\n".join([f"You are {self.roles[seat]}.", " " + "abcdefgh"[: self.size], *rows])

    def legal(self, state: str) -> list[str]:
        return [f"{'abcdefgh'[i % self.size]}{i // self.size + 1}" for i, mark in enumerate(state) if mark == "."]

    def step(self, state: str, action: str, rng: Random | None) -> str:
        cell = "abcdefgh".index(action[0]) + self.size * (int(action[1:]) - 1)
        return state[:cell] + self.roles[(self.size**2 - state.count(".")) % 2] + state[cell + 1 :]

    def returns(self, state: str) -> list[float]:
        return [1.0, -1.0] if self._joined(state, 0) else [-1.0, 1.0]

    def infostate_key(self, state: str, seat: int) -> str:
        return state + self.roles[seat]

    def _joined(self, board: str, seat: int) -> bool:
        """Whether the seat's two edges are joined. O's edges are X's when rows and columns are swapped."""
        cells = [divmod(cell, self.size) for cell, mark in enumerate(board) if mark == self.roles[seat]]
        apart = set(cells) if seat == 0 else {(column, row) for row, column in cells}
        edge = {cell for cell in apart if cell[0] == 0}
        while edge and not any(row == self.size - 1 for row, _ in edge):
            apart -= edge
            edge = {(row + down, column + right) for row, column in edge for down, right in TOUCH} & apart
        return bool(edge)
