"""Othello on a board of 6x6; a subclass may set `size = 8` (OpenSpiel's, with `max_plies = 120`). A state holds the
discs as two whole numbers: bit `row * (size + 1) + column`; the column that is left over stops lines at the edge."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import NamedTuple

from games.game import Game


class Position(NamedTuple):
    """discs: of X and of O. seat: to move; -1 when neither can."""

    discs: tuple[int, int]
    seat: int


class Othello(Game):
    name = "othello"
    roles = ("X", "O")
    rules = (
        "X and O take turns to place a disc so that discs of the other are caught in a line between it and one of "
        "their own; those change sides. Pass if you cannot. When neither can, the one with more discs wins."
    )
    size = 6
    max_plies = 64  # 32 discs, and a pass before each

    def initial(self, rng: Random | None) -> Position:
        row, middle = self.size + 1, self.size // 2
        corner = 1 << ((middle - 1) * row + middle - 1)
        return Position(((corner << 1) | (corner << row), corner | (corner << row + 1)), 0)

    def to_move(self, state: Position) -> int | None:
        return None if state.seat < 0 else state.seat

    def observe(self, state: Position, seat: int) -> str:
        cells = ["XO."[0 if mark & state.discs[0] else 1 if mark & state.discs[1] else 2] for mark in _cells(self.size)]
        rows = [f"{row + 1}{''.join(cells[row * self.size :][: self.size])}" for row in range(self.size)]
        return "\n".join([f"You are {self.roles[seat]}.", " " + "abcdefgh"[: self.size], *rows])

    def legal(self, state: Position) -> list[str]:
        free = self._open(state.discs[state.seat], state.discs[1 - state.seat])
        names = (f"{column}{row + 1}" for row in range(self.size) for column in "abcdefgh"[: self.size])
        return [name for name, mark in zip(names, _cells(self.size), strict=True) if mark & free] or ["pass"]

    def step(self, state: Position, action: str, rng: Random | None) -> Position:
        own, other = state.discs[state.seat], state.discs[1 - state.seat]
        if action != "pass":
            cell = 1 << ("abcdefgh".index(action[0]) + (int(action[1:]) - 1) * (self.size + 1))
            caught = self._caught(cell, own, other)
            own, other = own | cell | caught, other ^ caught
        seat = 1 - state.seat if self._open(other, own) or self._open(own, other) else -1
        return Position((own, other) if state.seat == 0 else (other, own), seat)

    def returns(self, state: Position) -> list[float]:
        more = state.discs[0].bit_count() - state.discs[1].bit_count()
        return [1.0, -1.0] if more > 0 else [-1.0, 1.0] if more else [0.0, 0.0]

    def infostate_key(self, state: Position, seat: int) -> str:
        return f"{state.discs[0]:x} {state.discs[1]:x} {state.seat}"

    def _open(self, own: int, other: int) -> int:
        """The cells where a disc of `own` would catch one of `other`."""
        free, found = ~(own | other) & sum(_cells(self.size)), 0
        for step in _steps(self.size):
            line = _shift(own, step) & other
            while line:
                line = _shift(line, step)
                found |= line & free
                line &= other
        return found

    def _caught(self, cell: int, own: int, other: int) -> int:
        caught = 0
        for step in _steps(self.size):
            line, met = 0, _shift(cell, step)
            while met & other:
                line, met = line | met, _shift(met, step)
            if met & own:
                caught |= line
        return caught


def _shift(discs: int, step: int) -> int:
    return discs << step if step > 0 else discs >> -step


@cache
def _cells(size: int) -> tuple[int, ...]:
    return tuple(1 << (row * (size + 1) + column) for row in range(size) for column in range(size))


@cache
def _steps(size: int) -> tuple[int, ...]:
    """The eight directions, as shifts."""
    return 1, size, size + 1, size + 2, -1, -size, -size - 1, -size - 2
