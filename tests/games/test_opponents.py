from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from games import find
from games.opponents import Minimax, RandomOpponent
from selfplay.errors import UserError

GAME = find("tic_tac_toe")


def play(players, rng: Random) -> list[float]:
    state = GAME.initial(rng)
    while (seat := GAME.to_move(state)) is not None:
        action = players[seat].act(GAME, state, rng)
        assert action in GAME.legal(state)
        state = GAME.step(state, action, rng)
    return GAME.returns(state)


def test_tic_tac_toe_is_a_draw_between_perfect_players_in_every_line_they_choose():
    perfect, rng = Minimax(), Random(0)
    assert perfect.value(GAME, GAME.initial(rng)) == 0
    assert {tuple(play((perfect, perfect), rng)) for _ in range(100)} == {(0, 0)}


def test_a_perfect_player_never_loses_to_a_random_one_and_mostly_wins():
    perfect, rng = Minimax(), Random(0)
    first = Counter(play((perfect, RandomOpponent()), rng)[0] for _ in range(150))
    second = Counter(play((RandomOpponent(), perfect), rng)[1] for _ in range(150))
    assert first[-1] == second[-1] == 0
    assert first[1] > 130 and second[1] > 100


def test_minimax_takes_a_win_and_stops_a_loss():
    perfect = Minimax()
    assert {perfect.act(GAME, "XX3OO6789", Random(seed)) for seed in range(20)} == {"3"}
    assert {perfect.act(GAME, "XX34O6789", Random(seed)) for seed in range(20)} == {"3"}


def test_minimax_chooses_among_equally_good_moves():
    perfect = Minimax()
    chosen = {perfect.act(GAME, GAME.initial(None), Random(seed)) for seed in range(60)}
    assert chosen == set("123456789")


def test_minimax_refuses_a_game_of_hidden_cards():
    kuhn = find("kuhn_poker")
    with pytest.raises(UserError, match="perfect information"):
        Minimax().act(kuhn, kuhn.initial(Random(0)), Random(0))


def test_a_random_player_is_uniform_and_draws_from_the_source_it_is_given():
    state, player = GAME.initial(None), RandomOpponent()
    counts = Counter(player.act(GAME, state, rng) for rng in [Random(1)] for _ in range(9000))
    assert set(counts) == set("123456789") and all(850 < count < 1150 for count in counts.values())
    assert player.act(GAME, state, Random(5)) == player.act(GAME, state, Random(5))
