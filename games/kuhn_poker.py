"""Kuhn poker (H. W. Kuhn, 1950), worth -1/18 to the first seat. OpenSpiel's pass and bet are named by the situation
here: check or bet, and facing a bet, call or fold. The same tree, easier to read.
"""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import NamedTuple

from games.game import Game

RANKS = "JQK"


class Hand(NamedTuple):
    cards: tuple[str, str]
    history: tuple[str, ...] = ()


class KuhnPoker(Game):
    name = "kuhn_poker"
    roles = ("first", "second")
    rules = (
        "Both players ante 1 chip and get one card of J, Q, K (K is highest). A bet is 1 chip: call it or fold. "
        "Without a fold the higher card wins the pot."
    )
    perfect_information = False
    utility_range = (-2.0, 2.0)
    max_plies = 3

    def chance(self, state: Hand | None) -> list[tuple[float, Hand]] | None:
        return [(1 / 6, Hand(cards)) for cards in permutations(RANKS, 2)] if state is None else None

    def initial(self, rng: Random | None) -> Hand:
        return self.deal(None, rng)

    def to_move(self, state: Hand) -> int | None:
        over = state.history[-1:] in (("call",), ("fold",)) or state.history == ("check", "check")
        return None if over else len(state.history) % 2

    def observe(self, state: Hand, seat: int) -> str:
        return f"Your card: {state.cards[seat]}\nSo far: {', '.join(state.history) or 'nothing'}"

    def legal(self, state: Hand) -> list[str]:
        return ["call", "fold"] if state.history[-1:] == ("bet",) else ["check", "bet"]

    def step(self, state: Hand, action: str, rng: Random | None) -> Hand:
        return state._replace(history=(*state.history, action))

    def returns(self, state: Hand) -> list[float]:
        last = state.history[-1]
        higher = max((0, 1), key=lambda seat: RANKS.index(state.cards[seat]))
        winner = len(state.history) % 2 if last == "fold" else higher
        stake = 2.0 if last == "call" else 1.0
        return [stake, -stake] if winner == 0 else [-stake, stake]

    def infostate_key(self, state: Hand, seat: int) -> str:
        return f"{state.cards[seat]} {' '.join(state.history)}".strip()
