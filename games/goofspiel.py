"""Goofspiel with four cards, otherwise as OpenSpiel has it by default: prizes come in random order, bids are shown
after each round, a tie discards the prize, and only who has more points matters. The last card is forced, so nobody is
asked for it. A subclass may set another number of `cards` (with `max_plies = 2 * (cards - 1)`)."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from games.game import Game


class Table(NamedTuple):
    """prizes: as they were turned. bids: first, second, first, ... The second seat does not see an unanswered bid."""

    prizes: tuple[int, ...]
    bids: tuple[int, ...] = ()

    @property
    def shown(self) -> tuple[int, ...]:
        return self.bids[: len(self.bids) // 2 * 2]


class Goofspiel(Game):
    name = "goofspiel"
    roles = ("first", "second")
    rules = (
        "Each has the cards 1 to 4. Prizes 1 to 4 are turned one by one; both bid a card at once, and the higher card "
        "takes the prize's points, a tie nobody. More points win."
    )
    perfect_information = False
    max_plies = 6
    cards = 4

    def chance(self, state: Table | None) -> list[tuple[float, Table]] | None:
        prizes, bids = state or ((), ())
        if len(bids) < 2 * len(prizes) or len(prizes) == self.cards - 1:
            return None
        left = _left(self.cards, prizes)
        return [(1 / len(left), Table((*prizes, prize), bids)) for prize in left]

    def initial(self, rng: Random | None) -> Table:
        return self.deal(None, rng)

    def to_move(self, state: Table) -> int | None:
        return len(state.bids) % 2 if len(state.bids) < 2 * (self.cards - 1) else None

    def observe(self, state: Table, seat: int) -> str:
        own, other = (_left(self.cards, state.shown[side::2]) for side in (seat, 1 - seat))
        points = _points(state.prizes, state.shown)
        return (
            f"Prize: {state.prizes[-1]}, later: {_list(_left(self.cards, state.prizes))}\n"
            f"You: {_list(own)}, other: {_list(other)}\nPoints: {points[seat]}-{points[1 - seat]}"
        )

    def legal(self, state: Table) -> list[str]:
        return [str(card) for card in _left(self.cards, state.bids[len(state.bids) % 2 :: 2])]

    def step(self, state: Table, action: str, rng: Random | None) -> Table:
        return self.deal(state._replace(bids=(*state.bids, int(action))), rng)

    def returns(self, state: Table) -> list[float]:
        last = (_left(self.cards, state.bids[seat::2])[0] for seat in (0, 1))
        first, second = _points((*state.prizes, *_left(self.cards, state.prizes)), (*state.bids, *last))
        return [1.0, -1.0] if first > second else [-1.0, 1.0] if second > first else [0.0, 0.0]

    def infostate_key(self, state: Table, seat: int) -> str:
        return f"{seat}: {_list(state.prizes)} / {_list(state.shown)}"


def _left(cards: int, gone: tuple[int, ...]) -> list[int]:
    return [card for card in range(1, cards + 1) if card not in gone]


def _points(prizes: tuple[int, ...], bids: tuple[int, ...]) -> tuple[int, int]:
    rounds = list(zip(prizes, bids[::2], bids[1::2], strict=False))
    return sum(p for p, one, other in rounds if one > other), sum(p for p, one, other in rounds if other > one)


def _list(numbers: list[int] | tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
