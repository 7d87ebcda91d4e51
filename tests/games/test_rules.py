"""Lines of play and what they pay, by hand, from the rules. A word is an action; a mapping is what chance brings, by
the fields of the state after it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from games import State, find
from games.exploitability import expected_value, exploitability, information_states, uniform
from games.leduc_poker import LeducPoker

KQ, JJ, JK, QJ = ({"cards": cards} for cards in (("Ks", "Qs"), ("Js", "Jh"), ("Js", "Kh"), ("Qs", "Jh")))
FRUIT = {"apples": 1, "values": ((3, 1), (2, 2))}  # the first likes apples, the second either


def play(name: str, *line: str | Mapping[str, object]) -> State:
    game = find(name)
    state = None if game.chance(None) else game.initial(None)
    for word in line:
        if isinstance(word, str):
            assert game.chance(state) is None and word in game.legal(state)
            state = game.step(state, word, None)
        else:
            outcomes = [after for _, after in game.chance(state)]
            (state,) = (after for after in outcomes if all(getattr(after, key) == word[key] for key in word))
    return state


LINES = [
    ("leduc_poker", [KQ, "raise", "fold"], 1),  # the ante
    ("leduc_poker", [KQ, "check", "raise", "fold"], -1),
    ("leduc_poker", [KQ, "raise", "raise", "fold"], -3),  # ante and raise of 2
    ("leduc_poker", [KQ, "check", "check", {"board": "Js"}, "check", "check"], 1),  # the higher card
    ("leduc_poker", [JK, "check", "check", {"board": "Qs"}, "check", "check"], -1),
    ("leduc_poker", [JK, "check", "check", {"board": "Jh"}, "check", "check"], 1),  # a pair
    ("leduc_poker", [JJ, "check", "raise", "call", {"board": "Ks"}, "check", "check"], 0),  # a split pot
    ("leduc_poker", [KQ, "raise", "call", {"board": "Kh"}, "raise", "fold"], 3),
    ("leduc_poker", [KQ, "check", "check", {"board": "Jh"}, "check", "raise", "raise", "fold"], 5),
    (
        "leduc_poker",  # all that can be put in: 1 + 2 + 2 + 4 + 4
        [KQ, "raise", "raise", "call", {"board": "Qh"}, "check", "raise", "raise", "call"],
        -13,
    ),
    ("liars_dice", [{"dice": (2, 6)}, "2x2", "liar"], 1),  # the 6 counts as a 2: true
    ("liars_dice", [{"dice": (2, 3)}, "2x2", "liar"], -1),
    ("liars_dice", [{"dice": (3, 6)}, "1x3", "2x6", "liar"], 1),  # one 6 only
    ("liars_dice", [{"dice": (6, 6)}, "1x1", "2x6", "liar"], -1),
    ("liars_dice", [{"dice": (5, 4)}, "1x4", "1x5", "liar"], -1),  # the second bid a 5, and there is one
    ("nim", ["A1", "B3", "C5", "D7"], 1),  # the second took the last stone
    ("nim", ["A1", "B3", "C5", "D6", "D1"], -1),
    ("connect_four", list("1212121"), 1),  # a column
    ("connect_four", list("71727364"), -1),  # O: the bottom row
    ("connect_four", list("12234334474"), 1),  # a diagonal that rises to the right: 1, 2, 3, 4
    ("connect_four", list("76654554414"), 1),  # and one that rises to the left
    ("hex", ["a1", "b1", "a2", "b2", "a3", "b3", "a4"], 1),  # X from top to bottom
    ("hex", ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2"], -1),  # O from left to right; X has the whole top row
    ("hex", ["b1", "d1", "a2", "d2", "a3", "d3", "a4"], 1),  # b1 touches a2
    ("pig", ["roll", {"pot": 6}, "roll", {"pot": 12}, "stop"], 1),
    ("pig", ["roll", {"seat": 1}, "roll", {"pot": 5}, "roll", {"pot": 10}, "stop"], -1),  # the first rolled a 1
    ("pig", ["stop"] * 30, 0),  # nobody got there
    ("pig", ["stop"] * 29 + ["roll"], 0),  # the last roll comes too late
    ("rock_paper_scissors", ["rock", "scissors", "paper", "paper", "scissors", "rock"], 0),
    ("rock_paper_scissors", ["rock", "scissors", "paper", "rock", "scissors", "paper"], 3),
    ("rock_paper_scissors", ["scissors", "rock"] * 3, -3),
    ("matching_pennies", ["heads", "heads", "tails", "heads", "tails", "tails"], 1),
    ("first_price_auction", [{"values": (5, 9)}, "2", "3", {"winner": 1}], -6),  # 9 - 3
    ("first_price_auction", [{"values": (5, 9)}, "4", "4", {"winner": 0}], 1),
    ("first_price_auction", [{"values": (5, 9)}, "4", "4", {"winner": 1}], -5),
    (
        "goofspiel",  # 4 to the first; 1 and 2 to the second; the last prize, 3, to the first's 4 against 2
        [{"prizes": (4,)}, "3", "1", {"prizes": (4, 1)}, "1", "4", {"prizes": (4, 1, 2)}, "2", "3"],
        1,
    ),
    (
        "goofspiel",  # ties only
        [{"prizes": (2,)}, "1", "1", {"prizes": (2, 1)}, "4", "4", {"prizes": (2, 1, 4)}, "3", "3"],
        0,
    ),
    ("negotiation", [FRUIT, "apple", "no", "pear", "no"], 0),  # each pays the toll once
    ("negotiation", [FRUIT, "apple", "yes", "apple", "no"], 1),  # 2 for the first, 0 for the second; less the toll
    ("negotiation", [FRUIT, "apple", "yes", "pear", "yes"], 4),  # two apples for two pears
    ("negotiation", [FRUIT, "pear", "no", "apple", "yes"], -1),  # an apple for a pear, less the other's toll
]


@pytest.mark.parametrize(("name", "line", "pays"), LINES)
def test_a_line_of_play_pays_what_the_rules_say(name, line, pays):
    game, state = find(name), play(name, *line)
    assert game.chance(state) is None and game.to_move(state) is None
    assert game.returns(state) == [pays, -pays]


def test_in_leduc_poker_two_raises_a_round_are_allowed_and_folding_needs_a_raise():
    game = find("leduc_poker")
    assert game.legal(play("leduc_poker", KQ)) == ["check", "raise"]
    assert game.legal(play("leduc_poker", KQ, "raise")) == ["call", "fold", "raise"]
    assert game.legal(play("leduc_poker", KQ, "raise", "raise")) == ["call", "fold"]
    assert game.legal(play("leduc_poker", KQ, "raise", "call", {"board": "Js"})) == ["check", "raise"]
    assert game.to_move(play("leduc_poker", QJ, "check", "raise", "call", {"board": "Js"})) == 0


def test_the_board_card_of_leduc_poker_is_one_of_the_four_that_are_left():
    game = find("leduc_poker")
    outcomes = game.chance(play("leduc_poker", JJ, "check", "check"))
    assert [after.board for _, after in outcomes] == ["Qs", "Qh", "Ks", "Kh"]
    assert [odds for odds, _ in outcomes] == [1 / 4] * 4


class Suitless(LeducPoker):
    name = "suitless"
    deck = ("J", "J", "Q", "Q", "K", "K")


def test_leduc_poker_without_suits_is_the_same_game_with_288_information_states():
    whole, game = find("leduc_poker"), Suitless()
    assert len(information_states(game)) == 288
    assert exploitability(game, uniform(game)) == pytest.approx(exploitability(whole, uniform(whole)))
    assert expected_value(game, uniform(game)) == pytest.approx(expected_value(whole, uniform(whole)))


def test_a_bid_in_liars_dice_must_be_higher_and_the_first_word_is_a_bid():
    game = find("liars_dice")
    first = game.legal(play("liars_dice", {"dice": (1, 1)}))
    assert len(first) == 12 and "liar" not in first
    later = game.legal(play("liars_dice", {"dice": (1, 1)}, "1x5"))
    assert later == ["1x6", "2x1", "2x2", "2x3", "2x4", "2x5", "2x6", "liar"]
    assert game.legal(play("liars_dice", {"dice": (1, 1)}, "2x6")) == ["liar"]


def test_a_full_column_takes_no_disc_and_a_full_board_without_four_is_a_draw():
    game = find("connect_four")
    assert game.legal(play("connect_four", *"111111")) == list("234567")
    full = "\n".join(["XXOOXXO", "OOXXOOX"] * 3)
    assert game.to_move(full) is None and game.returns(full) == [0, 0]


def test_cells_of_hex_that_meet_at_a_corner_only_do_not_touch():
    game = find("hex")
    assert game.to_move(play("hex", *["a1", "b1", "b2", "c2", "c3", "d3", "d4"])) == 1


def test_in_pig_a_seat_that_has_enough_must_stop():
    game = find("pig")
    assert game.legal(play("pig", "roll", {"pot": 6})) == ["roll", "stop"]
    assert game.legal(play("pig", "roll", {"pot": 6}, "roll", {"pot": 10})) == ["stop"]
    assert [after.pot for _, after in game.chance(play("pig", "roll"))] == [0, 2, 3, 4, 5, 6]


def test_a_bid_leaves_something_to_gain():
    game = find("first_price_auction")
    assert game.legal(play("first_price_auction", {"values": (3, 9)})) == ["0", "1", "2"]
    assert len(game.legal(play("first_price_auction", {"values": (3, 9)}, "0"))) == 9


def test_who_has_only_apples_cannot_ask_for_one_more():
    game = find("negotiation")
    assert game.legal(play("negotiation", FRUIT)) == ["apple", "pear"]
    assert game.legal(play("negotiation", FRUIT, "pear", "yes")) == ["pear"]  # the second now has all apples
