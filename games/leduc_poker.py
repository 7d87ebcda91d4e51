"""Leduc poker (Southey et al., 2005) with OpenSpiel's six cards, stakes and order of play; worth -0.0856 to the first
seat. Suits decide nothing: a subclass with `deck = ("J", "J", "Q", "Q", "K", "K")` is the same game with 288
information states instead of 936."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import NamedTuple

from games.game import Game


class Hand(NamedTuple):
    """first, second: what was said before and after the board card was turned."""

    cards: tuple[str, str]
    board: str = ""
    first: tuple[str, ...] = ()
    second: tuple[str, ...] = ()

    @property
    def line(self) -> tuple[str, ...]:
        return self.second if self.board else self.first


class LeducPoker(Game):
    name = "leduc_poker"
    roles = ("first", "second")
    rules = (
        "Both ante 1 chip and get a card of J, Q, K in two suits (K is highest). Bet; then a board card is turned, and "
        "bet again. A raise is 2 chips, after the turn 4; two raises a round at most. A pair with the board wins, else "
        "the higher card; equal cards split the pot."
    )
    perfect_information = False
    utility_range = (-13.0, 13.0)
    max_plies = 8
    deck: tuple[str, ...] = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")

    def chance(self, state: Hand | None) -> list[tuple[float, Hand]] | None:
        if state is None:
            return [(1 / 30, Hand(cards)) for cards in permutations(self.deck, 2)]
        if state.board or not _settled(state.first):
            return None
        left = list(self.deck)
        for card in state.cards:
            left.remove(card)
        return [(1 / 4, state._replace(board=card)) for card in left]

    def initial(self, rng: Random | None) -> Hand:
        return self.deal(None, rng)

    def to_move(self, state: Hand) -> int | None:
        return None if state.line[-1:] == ("fold",) or _settled(state.second) else len(state.line) % 2

    def observe(self, state: Hand, seat: int) -> str:
        board = f"\nBoard: {state.board}" if state.board else ""
        said = " / ".join(", ".join(line) for line in (state.first, state.second) if line)
        return f"Your card: {state.cards[seat]}{board}\nSo far: {said or 'nothing'}"

    def legal(self, state: Hand) -> list[str]:
        raises = ["raise"] if state.line.count("raise") < 2 else []
        return ["call", "fold", *raises] if state.line[-1:] == ("raise",) else ["check", *raises]

    def step(self, state: Hand, action: str, rng: Random | None) -> Hand:
        line = (*state.line, action)
        return self.deal(state._replace(second=line) if state.board else state._replace(first=line), rng)

    def returns(self, state: Hand) -> list[float]:
        stakes = [1.0, 1.0]
        for size, line in ((2.0, state.first), (4.0, state.second)):
            for ply, word in enumerate(line):
                if word in ("call", "raise"):
                    stakes[ply % 2] = stakes[1 - ply % 2] + (size if word == "raise" else 0.0)
        strengths = [(card[0] == state.board[:1], "JQK".index(card[0])) for card in state.cards]
        if state.line[-1] == "fold":
            winner = len(state.line) % 2
        elif strengths[0] == strengths[1]:
            return [0.0, 0.0]
        else:
            winner = strengths.index(max(strengths))
        stake = min(stakes)
        return [stake, -stake] if winner == 0 else [-stake, stake]

    def infostate_key(self, state: Hand, seat: int) -> str:
        return f"{state.cards[seat]} {' '.join(state.first)} {state.board} {' '.join(state.second)}".rstrip()


def _settled(line: tuple[str, ...]) -> bool:
    return line[-1:] == ("call",) or line == ("check", "check")
