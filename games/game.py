"""The Game seam: the rules of a game as pure functions over immutable states, with text at the edges.

The meaning follows OpenSpiel (seats, utilities at the end, information states); the shape does not: a game object holds
no position. A state is an immutable, hashable, picklable value (a string, a tuple, a NamedTuple, a frozen dataclass),
and every function of the game is a function of the state alone. So games can be played by the thousand, interleaved,
replayed, and solved exactly.

The engine, not the game, owns the answer format, retries, the price of an invalid move, truncation, seeds and the
pairing of seats.

**Chance.** All of it comes from the `rng` passed in. A game that also lists its chance in `chance` can be solved
exactly:

- `chance(None)` lists the deals: every first state with its probability. `initial(rng)` is then `self.deal(None, rng)`.
- `chance(state)` lists the outcomes where chance has the next word at `state` (a card is turned, a die is thrown), and
  is None where it has not. `step(state, action, rng)` then ends in `return self.deal(after, rng)`, which draws until a
  seat is to move or the game is over.
- `rng=None` asks `step` to leave that word unspoken: `deal(after, None)` is `after`. This is how a solver sees every
  outcome.

**Simultaneous moves** are moves made one after the other that the later seat does not see: `observe` and
`infostate_key` leave out what the earlier seat chose.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from games.text import match

if TYPE_CHECKING:
    from games.opponents import Opponent

State: TypeAlias = Any


class Game(ABC):
    """A definition without state. A subclass needs `name`, `roles` and the seven abstract methods; `games.check` holds
    it to them.

    name: lower case, with underscores; what `games.find` looks for. roles: one word a seat, in order; their number is
    the number of seats. rules: two or three sentences for a prompt. zero_sum: returns add up to 0. perfect_information:
    every seat sees all there is. utility_range: least and greatest return of one seat. max_plies: no game takes more
    decisions than this.
    """

    name: str
    roles: tuple[str, ...]
    rules: str = ""
    zero_sum: bool = True
    perfect_information: bool = True
    utility_range: tuple[float, float] = (-1.0, 1.0)
    max_plies: int = 100

    @abstractmethod
    def initial(self, rng: Random | None) -> State:
        """A first state, with a seat to move (rng None: before any word of chance)."""

    @abstractmethod
    def to_move(self, state: State) -> int | None:
        """The seat to move, 0-based; None when the game is over."""

    @abstractmethod
    def observe(self, state: State, seat: int) -> str:
        """What `seat` sees now, and nothing that it may not know. It stands in a prompt: keep it short."""

    @abstractmethod
    def legal(self, state: State) -> list[str] | None:
        """The actions of the seat to move, in a fixed order, no two alike; None: free text, and then `parse` refuses
        what is not legal."""

    @abstractmethod
    def step(self, state: State, action: str, rng: Random | None) -> State:
        """The state after a legal action of the seat to move, and after what chance adds to it (rng None: before)."""

    @abstractmethod
    def returns(self, state: State) -> list[float]:
        """One utility a seat. Asked only when the game is over."""

    def parse(self, text: str, state: State) -> str | None:
        """The legal action that `text` names, or None. See `games.text.match`."""
        return match(text, self.legal(state))

    def infostate_key(self, state: State, seat: int) -> str | None:
        """A name for all that `seat` knows, its own past included; no two seats to move share one. None: not given,
        nothing exact can be computed."""
        return None

    def chance(self, state: State | None) -> list[tuple[float, State]] | None:
        """(probability, state) for each outcome where chance has the next word; None where it has not. `state` None
        asks for the deals."""
        return None

    def opponents(self) -> Sequence[Opponent]:
        """Scripted players that come with the game, beside those that can play any game."""
        return ()

    def render(self, state: State) -> str:
        """The state for a spectator, who may see everything."""
        if self.perfect_information:
            return self.observe(state, self.to_move(state) or 0)
        return "\n".join(f"[{role}] {self.observe(state, seat)}" for seat, role in enumerate(self.roles))

    def deal(self, state: State | None, rng: Random | None) -> State:
        """Speaks chance's words at `state` by drawing from `rng` until chance has none. rng None: gives `state`
        back."""
        while rng is not None and (outcomes := self.chance(state)) is not None:
            weights, states = zip(*outcomes, strict=True)
            state = rng.choices(states, weights)[0]
        return state
