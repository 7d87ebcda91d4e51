from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest

from games import find
from games.kuhn_poker import Hand

KUHN = find("kuhn_poker")

# (cards of first and second, line of play, returns): by hand, from the rules. Ante 1, bet 1.
GOLDEN = [
    ("KJ", ["check", "check"], [1, -1]),
    ("JQ", ["check", "check"], [-1, 1]),
    ("JK", ["bet", "fold"], [1, -1]),
    ("JK", ["bet", "call"], [-2, 2]),
    ("QJ", ["bet", "call"], [2, -2]),
    ("KQ", ["check", "bet", "fold"], [-1, 1]),
    ("KQ", ["check", "bet", "call"], [2, -2]),
    ("QK", ["check", "bet", "call"], [-2, 2]),
]


@pytest.mark.parametrize(("cards", "line", "returns"), GOLDEN)
def test_a_hand_played_by_the_rules_pays_what_the_rules_say(cards, line, returns):
    state = Hand((cards[0], cards[1]))
    for ply, action in enumerate(line):
        assert KUHN.to_move(state) == ply % 2
        assert action in KUHN.legal(state)
        state = KUHN.step(state, action, None)
    assert KUHN.to_move(state) is None
    assert KUHN.returns(state) == returns


def test_a_player_may_call_or_fold_when_bet_into_and_check_or_bet_otherwise():
    hand = Hand(("K", "J"))
    assert KUHN.legal(hand) == ["check", "bet"]
    assert KUHN.legal(KUHN.step(hand, "check", None)) == ["check", "bet"]
    assert KUHN.legal(KUHN.step(hand, "bet", None)) == ["call", "fold"]
    checked_and_bet = KUHN.step(KUHN.step(hand, "check", None), "bet", None)
    assert KUHN.legal(checked_and_bet) == ["call", "fold"]


def test_the_six_deals_are_equally_likely_and_all_are_dealt():
    deals = KUHN.chance(None)
    assert {state.cards for _, state in deals} == set(permutations("JQK", 2))
    assert all(odds == 1 / 6 for odds, _ in deals)
    rng = Random(0)
    dealt = [KUHN.initial(rng) for _ in range(6000)]
    assert all(900 < dealt.count(state) < 1100 for _, state in deals)


def test_no_player_sees_the_other_card():
    for history in [(), ("check",), ("bet",), ("check", "bet")]:
        seat = len(history) % 2
        for own in "JQK":
            others = [card for card in "JQK" if card != own]
            hands = [Hand((own, other) if seat == 0 else (other, own), history) for other in others]
            assert len({KUHN.observe(hand, seat) for hand in hands}) == 1
            assert len({KUHN.infostate_key(hand, seat) for hand in hands}) == 1


def test_what_a_player_sees_is_short_and_tells_the_twelve_situations_apart():
    seen = set()
    for cards, history in product(permutations("JQK", 2), [(), ("check",), ("bet",), ("check", "bet")]):
        seen.add(KUHN.observe(Hand(cards, history), len(history) % 2))
    assert len(seen) == 12
    assert max(map(len, seen)) <= 60
    assert KUHN.observe(Hand(("Q", "K"), ("check", "bet")), 0) == "Your card: Q\nSo far: check, bet"


def test_a_spectator_sees_both_cards():
    shown = KUHN.render(Hand(("Q", "K"), ("check",)))
    assert "[first] Your card: Q" in shown and "[second] Your card: K" in shown
