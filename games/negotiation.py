"""A haggle over apples and pears: random endowments, private values, swaps of one for one.

Of zero sum: a seat scores what it gained in its own values, less what the other gained in the other's. What is good for
one is then bad for the other, so a refusal costs the one who refuses: otherwise every agreement would be somebody's
mistake. One for one, because a greedier offer would only be made to be refused. The game is this project's own; a
subclass may set more `offers` (with `max_plies = 2 * offers` and a wider `utility_range`).
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import NamedTuple

from games.game import Game


class Haggle(NamedTuple):
    """apples: of the first seat at the start; it has 3 fruits, and the second the other 3 of 3 apples and 3 pears.
    values: an apple's and a pear's, of each seat. said: offer, answer, offer, ...; the first seat makes the first."""

    apples: int
    values: tuple[tuple[int, ...], ...]
    said: tuple[str, ...] = ()


class Negotiation(Game):
    name = "negotiation"
    roles = ("first", "second")
    rules = (
        "Each has 3 of 3 apples and 3 pears; either kind is worth 1, 2 or 3 to you, and to the other. Each asks once "
        "for an apple or a pear, against one of the other kind. Answer yes, or no, which costs 1 point. You score what "
        "you gained by your values, less what the other gained by theirs."
    )
    perfect_information = False
    utility_range = (-8.0, 8.0)
    max_plies = 4
    offers = 2
    toll = 1.0

    def chance(self, state: Haggle | None) -> list[tuple[float, Haggle]] | None:
        worth = list(product((1, 2, 3), repeat=2))
        deals = [Haggle(apples, values) for apples in (1, 2) for values in product(worth, repeat=2)]
        return [(1 / len(deals), deal) for deal in deals] if state is None else None

    def initial(self, rng: Random | None) -> Haggle:
        return self.deal(None, rng)

    def to_move(self, state: Haggle) -> int | None:
        said = len(state.said)
        return (said + said // 2) % 2 if said < 2 * self.offers else None

    def observe(self, state: Haggle, seat: int) -> str:
        apples = _apples(state) if seat == 0 else 3 - _apples(state)
        apple, pear = state.values[seat]
        offers = [" ".join(state.said[turn : turn + 2]) for turn in range(0, len(state.said), 2)]
        return (
            f"You have {apples}a {3 - apples}p, other {3 - apples}a {apples}p\n"
            f"Apple: {apple}, pear: {pear}\nAsked: {', '.join(offers) or 'nothing'}"
        )

    def legal(self, state: Haggle) -> list[str]:
        if len(state.said) % 2:
            return ["yes", "no"]
        apples = _apples(state) if self.to_move(state) == 0 else 3 - _apples(state)
        return [kind for kind, own in (("apple", apples), ("pear", 3 - apples)) if own < 3]

    def step(self, state: Haggle, action: str, rng: Random | None) -> Haggle:
        return state._replace(said=(*state.said, action))

    def returns(self, state: Haggle) -> list[float]:
        swapped = _apples(state) - state.apples
        score = float(swapped * sum(apple - pear for apple, pear in state.values))
        score += self.toll * (state.said[1::4].count("no") - state.said[3::4].count("no"))
        return [score, 0.0 - score]

    def infostate_key(self, state: Haggle, seat: int) -> str:
        apple, pear = state.values[seat]
        return f"{self.roles[seat]} {state.apples} {apple}:{pear} {' '.join(state.said)}".rstrip()


def _apples(state: Haggle) -> int:
    """The first seat's, now."""
    apples = state.apples
    for turn, (kind, answer) in enumerate(zip(state.said[::2], state.said[1::2], strict=False)):
        if answer == "yes":
            apples += 1 if (kind == "apple") == (turn % 2 == 0) else -1
    return apples
