"""Nim as OpenSpiel has it by default: heaps of 1, 3, 5 and 7, and who takes the last stone loses (misère). A subclass
may set other `heaps`, or `misere = False`. A state is (stones of each heap, seat to move)."""

from __future__ import annotations

from random import Random

from games.game import Game, State


class Nim(Game):
    name = "nim"
    roles = ("first", "second")
    rules = "Take turns to take stones from one heap: B2 takes 2 from heap B. Who takes the last stone loses."
    max_plies = 16  # a stone a time
    heaps: tuple[int, ...] = (1, 3, 5, 7)
    misere = True

    def initial(self, rng: Random | None) -> State:
        return self.heaps, 0

    def to_move(self, state: State) -> int | None:
        return state[1] if any(state[0]) else None

    def observe(self, state: State, seat: int) -> str:
        return ", ".join(f"{heap} {left}" for heap, left in zip("ABCDEFGH", state[0], strict=False))

    def legal(self, state: State) -> list[str]:
        return [f"{h}{n}" for h, left in zip("ABCDEFGH", state[0], strict=False) for n in range(1, left + 1)]

    def step(self, state: State, action: str, rng: Random | None) -> State:
        heap, taken = "ABCDEFGH".index(action[0]), int(action[1:])
        return tuple(left - taken * (place == heap) for place, left in enumerate(state[0])), 1 - state[1]

    def returns(self, state: State) -> list[float]:
        return [1.0, -1.0] if (state[1] == 0) == self.misere else [-1.0, 1.0]  # the other seat took the last stone

    def infostate_key(self, state: State, seat: int) -> str:
        return f"{seat}: {self.observe(state, seat)}"
