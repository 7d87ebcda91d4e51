from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from games import Game, find
from games.exploitability import expected_value, exploitability, information_states, uniform
from games.opponents import find as opponent
from games.opponents.cfr import CfrOpponent, solve
from selfplay.errors import UserError

KUHN = find("kuhn_poker")


def test_kuhn_poker_is_solved_to_its_value_of_minus_an_eighteenth():
    table = solve(KUHN, 400)
    assert exploitability(KUHN, table) < 0.001
    assert expected_value(KUHN, table) == pytest.approx(-1 / 18, abs=1e-3)


def test_the_table_of_kuhn_poker_is_one_of_kuhn_s_equilibria():
    table = solve(KUHN, 4000)
    bluff = table["J"]["bet"]
    assert 0 <= bluff <= 1 / 3 + 0.01
    assert table["K"]["bet"] == pytest.approx(3 * bluff, abs=0.02)
    assert table["Q check bet"]["call"] == pytest.approx(bluff + 1 / 3, abs=0.02)
    assert table["Q bet"]["call"] == pytest.approx(1 / 3, abs=0.02)
    assert table["J check"]["bet"] == pytest.approx(1 / 3, abs=0.02)
    assert table["K bet"]["call"] == pytest.approx(1, abs=0.01) and table["J bet"]["call"] < 0.01


def test_leduc_poker_is_solved_to_its_known_value():
    game = find("leduc_poker")
    assert len(information_states(game)) == 936
    assert exploitability(game, uniform(game)) == pytest.approx(2.3736, abs=1e-4), "as in OpenSpiel"
    table = solve(game, 200)
    assert exploitability(game, table) < 0.01
    assert expected_value(game, table) == pytest.approx(-0.0856, abs=1e-3)
    assert exploitability(game, solve(game, 20)) > 2 * exploitability(game, table)


def test_a_game_whose_histories_meet_again_is_solved_on_its_graph():
    game = find("tic_tac_toe")
    table = solve(game, 100)
    assert exploitability(game, table) < 0.01
    assert expected_value(game, table) == pytest.approx(0, abs=0.01)


class Pennies(Game):
    """Matching pennies at unequal stakes: heads against heads pays the first seat 3. Both play heads in 2 of 5."""

    name = "pennies"
    roles = ("even", "odd")
    perfect_information = False
    utility_range = (-3.0, 3.0)
    max_plies = 2
    stake = 3.0

    def initial(self, rng):
        return ()

    def to_move(self, state):
        return len(state) if len(state) < 2 else None

    def observe(self, state, seat):
        return "Heads or tails?"

    def legal(self, state):
        return ["heads", "tails"]

    def step(self, state, action, rng):
        return (*state, action)

    def returns(self, state):
        if state[0] != state[1]:
            return [-1.5, 1.5] if self.stake == 3 else [-1.0, 1.0]
        return [self.stake, -self.stake] if state[0] == "heads" else [1.0, -1.0]

    def infostate_key(self, state, seat):
        return self.roles[seat]


def test_a_simultaneous_game_is_mixed_as_its_stakes_ask():
    table = solve(Pennies(), 2000)
    assert table["even"]["heads"] == pytest.approx(2.5 / 7, abs=0.01)
    assert table["odd"]["heads"] == pytest.approx(2.5 / 7, abs=0.01)


def test_two_games_of_one_name_have_a_table_each():
    even = Pennies()
    even.stake = 1.0
    assert solve(even, 2000)["odd"]["heads"] == pytest.approx(1 / 2, abs=0.01)
    assert solve(Pennies(), 2000)["odd"]["heads"] == pytest.approx(2.5 / 7, abs=0.01)


def test_a_table_is_the_same_whenever_it_is_made_and_names_every_legal_action():
    table = solve(find("kuhn_poker"), 50)
    assert table == solve(find("kuhn_poker"), 50)
    for info in information_states(KUHN):
        assert tuple(table[info.key]) == info.legal
        assert sum(table[info.key].values()) == pytest.approx(1)


def test_the_opponent_draws_its_table_s_row_and_does_not_look_at_the_other_card():
    player, rng = CfrOpponent(), Random(0)
    queen = [state for _, state in KUHN.chance(None) if state.cards[1] == "Q"]
    facing = [KUHN.step(state, "bet", None) for state in queen]
    assert len(facing) == 2
    counts = Counter(player.act(KUHN, facing[0], rng) for _ in range(6000))
    assert counts["call"] / 6000 == pytest.approx(solve(KUHN)["Q bet"]["call"], abs=0.02)
    for seed in range(50):
        assert player.act(KUHN, facing[0], Random(seed)) == player.act(KUHN, facing[1], Random(seed))


def test_what_cannot_be_solved_exactly_is_refused_by_name():
    keyless, shared = Pennies(), Pennies()
    keyless.infostate_key = lambda state, seat: None
    shared.zero_sum = False
    with pytest.raises(UserError, match="`pennies` cannot be measured exactly: it lacks an `infostate_key`"):
        opponent("cfr", keyless)
    with pytest.raises(UserError, match="cfr plays two-seat zero-sum games, and `pennies` is none"):
        opponent("cfr", shared)
