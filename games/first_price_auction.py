"""A sealed-bid first-price auction with two bidders: OpenSpiel's `first_sealed_auction`, with one change.

There each bidder gets what it gains, and the sum is not zero. Here a seat gets its own gain less the other's, because
self-play and exploitability are about games of zero sum: to win cheaply is worth as much as to keep the other from it,
so bids are higher than in the auction itself. A subclass with `zero_sum = False` is that auction.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from games.game import Game


class Sale(NamedTuple):
    """winner: -1 until it is known."""

    values: tuple[int, int]
    bids: tuple[int, ...] = ()
    winner: int = -1


class FirstPriceAuction(Game):
    name = "first_price_auction"
    roles = ("first", "second")
    rules = (
        "A thing is sold. It is worth 1 to 10 to you, and another amount to the other bidder. Both bid at once; the "
        "higher bid pays itself and gains the rest of its value, a coin decides a tie. You score your gain less the "
        "other's."
    )
    perfect_information = False
    utility_range = (-10.0, 10.0)
    max_plies = 2
    greatest = 10

    def chance(self, state: Sale | None) -> list[tuple[float, Sale]] | None:
        if state is None:
            values = range(1, self.greatest + 1)
            return [(1 / self.greatest**2, Sale((one, other))) for one in values for other in values]
        if len(state.bids) < 2 or state.winner >= 0:
            return None
        winners = [seat for seat in (0, 1) if state.bids[seat] == max(state.bids)]
        return [(1 / len(winners), state._replace(winner=seat)) for seat in winners]

    def initial(self, rng: Random | None) -> Sale:
        return self.deal(None, rng)

    def to_move(self, state: Sale) -> int | None:
        return len(state.bids) if len(state.bids) < 2 else None

    def observe(self, state: Sale, seat: int) -> str:
        return f"Worth to you: {state.values[seat]}"

    def legal(self, state: Sale) -> list[str]:
        return [str(bid) for bid in range(state.values[len(state.bids)])]

    def step(self, state: Sale, action: str, rng: Random | None) -> Sale:
        return self.deal(state._replace(bids=(*state.bids, int(action))), rng)

    def returns(self, state: Sale) -> list[float]:
        gain = float(state.values[state.winner] - state.bids[state.winner])
        loss = 0.0 - gain if self.zero_sum else 0.0
        return [gain, loss] if state.winner == 0 else [loss, gain]

    def infostate_key(self, state: Sale, seat: int) -> str:
        return f"{self.roles[seat]} {state.values[seat]}"
