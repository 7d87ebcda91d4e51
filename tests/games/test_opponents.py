from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from games import Game, find
from games import opponents as players
from games.opponents import Minimax, RandomOpponent, minimax
from selfplay.errors import PluginNotFound, UserError

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


class Nim(Game):
    """Take one to three stones; who takes the last one wins. A multiple of four is lost for the seat to move."""

    name = "nim"
    roles = ("first", "second")
    max_plies = 30
    stones = 13

    def initial(self, rng):
        return self.stones, 0

    def to_move(self, state):
        return state[1] if state[0] else None

    def observe(self, state, seat):
        return str(state[0])

    def legal(self, state):
        return [str(number) for number in (1, 2, 3) if number <= state[0]]

    def step(self, state, action, rng):
        return state[0] - int(action), 1 - state[1]

    def returns(self, state):
        return [-1.0, 1.0] if state[1] == 0 else [1.0, -1.0]


def test_minimax_knows_the_theory_of_nim():
    game, perfect = Nim(), Minimax()
    for stones in range(1, 25):
        for seat in (0, 1):
            wins = stones % 4 != 0
            assert perfect.value(game, (stones, seat)) == (1 if wins == (seat == 0) else -1)
            chosen = {perfect.act(game, (stones, seat), Random(seed)) for seed in range(40)}
            assert chosen == ({str(stones % 4)} if wins else {"1", "2", "3"})


def test_minimax_agrees_with_plain_recursion_on_every_state_of_tic_tac_toe():
    def worth(state: str) -> float:
        if state not in known:
            seat = GAME.to_move(state)
            after = [] if seat is None else [worth(GAME.step(state, action, None)) for action in GAME.legal(state)]
            known[state] = GAME.returns(state)[0] if seat is None else (min if seat else max)(after)
        return known[state]

    known: dict[str, float] = {}
    worth(GAME.initial(None))
    assert len(known) == 5478
    assert {state: Minimax().value(GAME, state) for state in known} == known


class Die(Nim):
    """Before each move of the second seat a coin takes a stone or none."""

    name = "die"

    def chance(self, state):
        if state is None or len(state) == 2:
            return None
        return [(0.5, state[:2]), (0.5, (max(state[0] - 1, 1), state[1]))]

    def step(self, state, action, rng):
        left, seat = super().step(state, action, None)
        return self.deal((left, seat, "coin") if left and seat == 1 else (left, seat), rng)


def test_minimax_weighs_listed_chance_by_its_odds():
    game, perfect = Die(), Minimax()
    game.stones = 5
    # Leave 4: the coin leaves 4 (won) or 3 (lost), so 0. Leave 3 or 2: the second seat takes all, whatever the coin.
    assert perfect.value(game, (5, 0)) == 0
    assert {perfect.act(game, (5, 0), Random(seed)) for seed in range(20)} == {"1"}


class Endless(Nim):
    name = "endless"

    def step(self, state, action, rng):
        return state[0], 1 - state[1]


class Unlisted(Nim):
    name = "unlisted"

    def step(self, state, action, rng):
        return super().step((state[0], state[1]), str(1 + rng.randrange(1)), rng)


class Speech(Nim):
    """Free text, with a player of its own."""

    name = "speech"

    class Speaker:
        name = "speaker"

        def act(self, game, state, rng):
            return "1"

    def legal(self, state):
        return None

    def opponents(self):
        return (self.Speaker(),)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (find("kuhn_poker"), "perfect information"),
        (Endless(), "`endless` can come back to an earlier state"),
        (Unlisted(), "`unlisted`.*list its chance"),
        (Speech(), "free text"),
    ],
)
def test_minimax_is_not_found_for_a_game_it_cannot_play(game, words):
    with pytest.raises(UserError, match=words):
        players.find("minimax", game)


def test_minimax_is_not_found_for_a_game_too_large_to_be_valued(monkeypatch):
    small, large = Nim(), Nim()
    small.stones, large.stones = 30, 60
    monkeypatch.setattr(minimax, "LIMIT", 100)
    assert players.find("minimax", small).name == "minimax"
    for _ in range(2):
        with pytest.raises(UserError, match="more than 100 states"):
            players.find("minimax", large)


def test_built_in_players_are_found_by_name():
    assert players.find("random", GAME).name == players.find("uniform", GAME).name == "random"
    assert players.find("minimax", GAME).act(GAME, "XX3OO6789", Random(0)) == "3"
    assert players.find("cfr", GAME).name == "cfr"


def test_a_game_s_own_player_is_found_by_name_and_in_no_other_game():
    assert players.find("speaker", Speech()).act(Speech(), (3, 0), Random(0)) == "1"
    with pytest.raises(PluginNotFound, match="there are: cfr, minimax, random"):
        players.find("speaker", GAME)
    with pytest.raises(PluginNotFound, match="did you mean `speaker`"):
        players.find("speeker", Speech())
    with pytest.raises(UserError, match="free text: use one of its own opponents"):
        players.find("random", Speech())


def test_a_player_is_found_in_a_file_of_one_s_own(tmp_path):
    file = tmp_path / "first.py"
    file.write_text(
        "class First:\n    name = 'first'\n\n    def act(self, game, state, rng):\n"
        "        return game.legal(state)[0]\n\n\nclass Nobody:\n    name = 'nobody'\n"
    )
    assert players.find(f"{file}:First", GAME).act(GAME, "X23456789", Random(0)) == "2"
    with pytest.raises(UserError, match="no opponent"):
        players.find(f"{file}:Nobody", GAME)
