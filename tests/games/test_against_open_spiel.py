"""Rules compared with OpenSpiel's, move by move, on random playouts. Skipped where OpenSpiel is not installed."""

from __future__ import annotations

from random import Random

import pytest

from games import find
from games.exploitability import expected_value, exploitability, information_states
from games.kuhn_poker import Hand

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")

PLAYOUTS = 5000


def test_tic_tac_toe_agrees_with_open_spiel_at_every_move():
    ours, theirs, rng = find("tic_tac_toe"), pyspiel.load_game("tic_tac_toe"), Random(0)
    for _ in range(PLAYOUTS):
        state, other = ours.initial(rng), theirs.new_initial_state()
        while (seat := ours.to_move(state)) is not None:
            assert not other.is_terminal() and other.current_player() == seat
            assert [int(cell) - 1 for cell in ours.legal(state)] == other.legal_actions()
            action = rng.choice(ours.legal(state))
            state = ours.step(state, action, rng)
            other.apply_action(int(action) - 1)
        assert other.is_terminal() and other.returns() == ours.returns(state)


def test_kuhn_poker_agrees_with_open_spiel_at_every_move():
    ours, theirs, rng = find("kuhn_poker"), pyspiel.load_game("kuhn_poker"), Random(0)
    passes = {"check": 0, "fold": 0, "bet": 1, "call": 1}
    keys = {}
    for _ in range(PLAYOUTS):
        state, other = ours.initial(rng), theirs.new_initial_state()
        for card in state.cards:
            assert other.is_chance_node()
            other.apply_action("JQK".index(card))
        while (seat := ours.to_move(state)) is not None:
            assert not other.is_terminal() and other.current_player() == seat
            assert sorted(passes[action] for action in ours.legal(state)) == other.legal_actions()
            key = other.information_state_string(seat)
            assert keys.setdefault(key, ours.infostate_key(state, seat)) == ours.infostate_key(state, seat)
            action = rng.choice(ours.legal(state))
            state = ours.step(state, action, rng)
            other.apply_action(passes[action])
        assert other.is_terminal() and other.returns() == ours.returns(state)
    assert len(keys) == len(set(keys.values())) == 12


def test_the_exploitability_of_random_kuhn_policies_agrees_with_open_spiel():
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import expected_game_score
    from open_spiel.python.algorithms import exploitability as measure

    ours, theirs, rng = find("kuhn_poker"), pyspiel.load_game("kuhn_poker"), Random(0)
    for _ in range(20):
        policy, table = {}, policies.TabularPolicy(theirs)
        for info in information_states(ours):
            p = rng.random()
            policy[info.key] = dict(zip(info.legal, (p, 1 - p), strict=True))
            aggressive = policy[info.key].get("bet", policy[info.key].get("call"))
            hand: Hand = info.state
            signs = "".join("p" if action in ("check", "fold") else "b" for action in hand.history)
            row = table.policy_for_key(f"{'JQK'.index(hand.cards[info.seat])}{signs}")
            row[:] = [1 - aggressive, aggressive]
        assert exploitability(ours, policy) == pytest.approx(measure.exploitability(theirs, table), abs=1e-9)
        value = expected_game_score.policy_value(theirs.new_initial_state(), [table, table])[0]
        assert expected_value(ours, policy) == pytest.approx(value, abs=1e-9)
