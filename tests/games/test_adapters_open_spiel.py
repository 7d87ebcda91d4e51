"""Games of OpenSpiel. Skipped where it is not installed."""

from __future__ import annotations

import pickle
import re
from random import Random

import pytest

import games
from games.adapters import open_spiel
from games.check import check
from games.exploitability import expected_value, exploitability, information_states, uniform
from games.opponents import Minimax
from games.playout import play
from selfplay.errors import UserError

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")

KINDS = (  # open, hidden, dice, simultaneous, general sum, imperfect recall, colours and stars in its words
    "tic_tac_toe",
    "breakthrough(rows=5,columns=4)",
    "connect_four",
    "dots_and_boxes",
    "hex(board_size=3)",
    "nim",
    "clobber(rows=3,columns=4)",
    "mancala",
    "twixt(board_size=5)",
    "kuhn_poker",
    "leduc_poker",
    "liars_dice",
    "dark_hex",
    "phantom_ttt_ir",
    "latent_ttt",
    "tiny_bridge_2p",
    "pig(winscore=12)",
    "maedn(players=2)",
    "matrix_rps",
    "blotto(coins=5)",
    "goofspiel(num_cards=4)",
    "oshi_zumo(coins=6)",
    "markov_soccer(horizon=20)",
    "matrix_pd",
    "sheriff",
    "bargaining",
    "lewis_signaling",
    "first_sealed_auction",
    "crazy_eights(players=2)",
)


def found(text: str) -> games.Game:
    return games.find(f"open_spiel:{text}")


@pytest.mark.parametrize("text", KINDS)
def test_games_of_every_kind_keep_the_laws(text):
    assert check(found(text), playouts=4) == []


@pytest.mark.parametrize("text", ["kuhn_poker", "goofspiel(num_cards=4)", "backgammon", "chess", "banqi", "snake"])
def test_a_game_is_played_as_open_spiel_plays_it(text):
    game, theirs = found(text), pyspiel.load_game(text)
    for seed in range(3):
        played = play(game, seed)
        assert played.finished
        end = played.moments[-1]
        state, moves = theirs.new_initial_state(), [int(move) for move in end.state.moves.split()]
        seats, legal = [], []
        while moves:
            if state.is_chance_node():
                state.apply_action(moves.pop(0))
            elif state.is_simultaneous_node():
                seats += [0, 1]
                legal += [len(state.legal_actions(0)), len(state.legal_actions(1))]
                state.apply_actions([moves.pop(0), moves.pop(0)])
            else:
                seats.append(state.current_player())
                legal.append(len(state.legal_actions()))
                state.apply_action(moves.pop(0))
        assert state.is_terminal() and list(end.returns) == state.returns()
        assert [moment.seat for moment in played.moments[:-1]] == seats
        assert [len(moment.legal) for moment in played.moments[:-1]] == legal


@pytest.mark.parametrize(
    "text", ["kuhn_poker", "leduc_poker", "matrix_rps", "goofspiel(num_cards=3)", "coordinated_mp"]
)
def test_exact_measures_agree_with_open_spiel(text):
    policies = pytest.importorskip("open_spiel.python.policy")
    from open_spiel.python.algorithms import expected_game_score
    from open_spiel.python.algorithms import exploitability as measure

    game, theirs = found(text), pyspiel.load_game_as_turn_based(text)
    theirs_uniform = policies.UniformRandomPolicy(theirs)
    value = expected_game_score.policy_value(theirs.new_initial_state(), [theirs_uniform] * 2)[0]
    assert exploitability(game, uniform(game)) == pytest.approx(measure.exploitability(theirs, theirs_uniform))
    assert expected_value(game, uniform(game)) == pytest.approx(value)


def test_leduc_has_its_information_states_and_its_deals():
    leduc = found("leduc_poker")
    assert len(information_states(leduc)) == 936
    deals = leduc.chance(None)
    assert len(deals) == 30 and sum(odds for odds, _ in deals) == pytest.approx(1)
    assert all(leduc.to_move(state) == 0 for _, state in deals)


def test_a_deal_with_too_many_outcomes_is_spoken_word_by_word():
    rummy = found("gin_rummy")
    assert len(rummy.chance(None)) == 52
    assert all(len(rummy.chance(state)) == 51 for _, state in rummy.chance(None))
    assert rummy.to_move(rummy.initial(Random(0))) in (0, 1)


def test_the_later_seat_is_not_shown_what_the_earlier_one_chose_at_the_same_time():
    for text in ("matrix_rps", "goofspiel(num_cards=4)", "oshi_zumo(coins=6)"):
        game = found(text)
        start = game.initial(Random(0))
        after = [game.step(start, action, None) for action in game.legal(start)]
        assert len(after) > 2 and {game.to_move(state) for state in after} == {1}
        assert len({game.observe(state, 1) for state in after}) == 1
        assert len({game.infostate_key(state, 1) for state in after}) == 1
        assert game.infostate_key(start, 0) != game.infostate_key(after[0], 1)


def test_words_are_short_and_plain():
    for text in ("twixt", "backgammon", "havannah", "leduc_poker", "universal_poker"):
        game = found(text)
        state = game.initial(Random(0))
        seat = game.to_move(state)
        shown = game.observe(state, seat)
        assert shown.startswith(f"You are player {seat}.\n")
        assert "\x1b" not in shown and "\n\n" not in shown and not re.search(r"[ \n]$", shown, re.MULTILINE)
        assert not any("\n" in action or "\x1b" in action or "*" in action for action in game.legal(state))


def test_a_capture_is_an_x_and_an_action_has_no_number_of_open_spiel_in_front():
    actions = {action for moment in play(found("backgammon"), 0).moments for action in moment.legal or ()}
    assert any(action.endswith("x") for action in actions)
    assert not [action for action in actions if "*" in action or re.match(r"\d+ - ", action)]


def test_a_game_survives_pickling_and_a_state_that_is_no_longer_kept_is_replayed(monkeypatch):
    game = found("chess")
    monkeypatch.setattr(open_spiel, "KEPT", 1)
    forgetful, copy = found("chess"), pickle.loads(pickle.dumps(game))
    assert copy.name == "open_spiel:chess"
    for seed in range(2):
        expected = play(game, seed).moments
        assert play(forgetful, seed).moments == expected and play(copy, seed).moments == expected
        middle = expected[len(expected) // 2]
        for other in (game, forgetful, copy, found("chess")):
            assert tuple(other.legal(middle.state)) == middle.legal


def test_an_action_that_is_not_legal_is_refused():
    game = found("tic_tac_toe")
    state = game.step(game.initial(None), "x(0,0)", None)
    assert game.parse("x(1,1)", state) is None and game.parse("o(0,0)", state) is None
    assert game.parse("O(1,1).", state) == "o(1,1)"
    with pytest.raises(KeyError):
        game.step(state, "o(0,0)", None)


def test_a_perfect_player_can_play_a_game_of_open_spiel():
    nim = found("nim(pile_sizes=1;2;3,is_misere=False)")
    assert Minimax().value(nim, nim.initial(None)) == -1  # 1 xor 2 xor 3 is 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("leduk_poker", "did you mean `open_spiel:leduc_poker`"),
        ("zzzzzz", "has no game `zzzzzz`."),
        ("leduc_poker(foo=1)", "Unknown parameter 'foo'"),
        ("leduc_poker(", "Missing closing bracket"),
        ("crazy_eights", r"write `open_spiel:crazy_eights\(players=2\)`"),
        ("bridge", "not for two players"),
        ("cribbage", "pays rewards before its end"),
        ("negotiation", "draws its chance inside"),
        ("mfg_garnet", "not for two players"),
        ("efg_game", "needs parameters"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(text, words):
    with pytest.raises(UserError, match=words) as raised:
        found(text)
    assert "\n" not in str(raised.value)
