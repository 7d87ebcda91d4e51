"""Games of TextArena. Skipped where it is not installed."""

from __future__ import annotations

import pickle
import random
from random import Random

import pytest

import games
from games.adapters import textarena as adapter
from games.check import check
from selfplay.errors import UserError

textarena = pytest.importorskip("textarena", reason="TextArena is not installed: pip install textarena")

IDS = (  # boards, cards, dice, bids, simultaneous rounds, more seats cut down to two, words of one's own
    "TicTacToe-v0",
    "WildTicTacToe-v0",
    "ConnectFour-v0",
    "Nim-v0",
    "Othello-v0-tiny",
    "SimpleTak-v0",
    "KuhnPoker-v0",
    "LiarsDice-v0-small",
    "Poker-v0-small",
    "IndianPoker-v0-short",
    "PigDice-v0-short",
    "IteratedRockPaperScissors-v0",
    "IteratedMatchingPennies-v0",
    "Snake-v0",
    "SimpleNegotiation-v0-short",
)


def found(id: str) -> games.Game:
    return games.find(f"textarena:{id}")


def playthrough(game, seed: int):
    """The states from first to last, and the actions between them."""
    rng, states, actions = Random(seed), [game.initial(Random(seed))], []
    player = game.opponents()[0]
    while game.to_move(states[-1]) is not None:
        actions.append(player.act(game, states[-1], rng))
        states.append(game.step(states[-1], actions[-1], rng))
    return states, actions


@pytest.mark.parametrize("id", IDS)
def test_games_of_every_kind_keep_the_laws(id):
    assert check(found(id), playouts=2) == []


@pytest.mark.parametrize("id", ["TicTacToe-v0", "KuhnPoker-v0", "PigDice-v0-short", "Snake-v0", "Othello-v0-tiny"])
def test_a_game_is_played_as_textarena_plays_it(id):
    game = found(id)
    states, actions = playthrough(game, 1)
    random.seed(states[0].seed)
    env = textarena.make(id)
    env.reset(num_players=2, seed=states[0].seed)
    for state, action in zip(states, actions, strict=False):
        seat, told = env.get_observation()
        assert seat == game.to_move(state)
        assert told.rstrip().endswith(game.observe(state, seat).rstrip()[-40:])
        done, _ = env.step(action)
    assert done
    rewards, _ = env.close()
    assert game.returns(states[-1]) == [rewards[0], rewards[1]]


def test_what_a_seat_sees_is_its_prompt_all_messages_and_the_last_board():
    game = found("TicTacToe-v0")
    state = game.initial(Random(0))
    for action in ("[4]", "[0]"):
        state = game.step(state, action, None)
    shown = game.observe(state, 0)
    assert shown.startswith("You are Player 0 in Tic Tac Toe.")
    assert shown.count("Current Board:") == 1 and "| O |" in shown
    assert "Player 1: [0]" in shown and "Player 1 placed their symbol (X) in cell 0." in shown
    assert "You are Player 1" in game.observe(state, 1)


def test_cards_are_seen_by_their_owner_alone():
    game = found("KuhnPoker-v0-short")
    cards = {}
    for seed in range(8):
        state = game.initial(Random(seed))
        own = [game.observe(state, seat).split("Your card is: ")[1][1] for seat in (0, 1)]
        assert own[0] != own[1]
        cards[tuple(own)] = state
        for seat in (0, 1):
            assert f"'{own[1 - seat]}'" not in game.observe(state, seat)
    assert len(cards) > 2


def test_the_global_random_source_is_neither_seeded_nor_drawn_from():
    random.seed(5)
    before = random.getstate()
    game = found("KuhnPoker-v0")
    playthrough(game, 3)
    assert random.getstate() == before


def test_a_state_keeps_its_meaning_whatever_is_played_after_it_and_wherever_it_is_opened(monkeypatch):
    game = found("PigDice-v0-short")
    states, _ = playthrough(game, 2)
    expected = [(game.to_move(state), game.observe(state, 0)) for state in states]
    playthrough(game, 4)
    monkeypatch.setattr(adapter, "KEPT", 1)
    for other in (game, found("PigDice-v0-short"), pickle.loads(pickle.dumps(game))):
        for state, said in zip(states, expected, strict=True):
            assert (other.to_move(state), other.observe(state, 0)) == said
    assert states[0] == states[1]._replace(actions=())


def test_words_are_legal_where_the_environment_takes_them():
    game = found("TicTacToe-v0")
    state = game.initial(Random(0))
    assert game.legal(state) is None
    assert game.parse(" [4]\n", state) == "[4]" and game.parse("4", state) == "4"
    for garbage in ("", " ", "no such move", "[9]", "[]", "💥", "\x00", "[4]" * 400):
        assert game.parse(garbage, state) is None
    after = game.step(state, "[4]", None)
    assert game.parse("[4]", after) is None and game.parse("[4]", state) == "[4]"
    assert game.to_move(state) == 0 and game.to_move(after) == 1


@pytest.mark.parametrize("id", IDS)
def test_garbage_raises_nothing_and_steps_with_it_end_the_game_at_the_cost_of_who_said_it(id):
    game, rng = found(id), Random(0)
    signs = "0123456789 abcdefg[]{}()<>.,:\n\x00💥-+check bet"
    state = game.initial(rng)
    for _ in range(50):
        text = "".join(rng.choices(signs, k=rng.randrange(12)))
        assert game.parse(text, state) in (None, text.strip())
    seat, plies, refused = game.to_move(state), 0, game.parse("\x00 no", state) is None
    while game.to_move(state) is not None:
        state, plies = game.step(state, "\x00 no", rng), plies + 1
    assert sum(game.returns(state)) == 0
    if refused:
        assert plies == adapter.PATIENCE and game.returns(state)[seat] == -1
    else:  # talk is free in one, and in the other such words are a move that kills
        assert id.startswith(("SimpleNegotiation", "Snake")) and plies <= game.max_plies


def test_a_refusal_is_forgotten_after_a_legal_action():
    game = found("TicTacToe-v0")
    state = game.initial(Random(0))
    for action in ("no", "no", "[4]", "no", "no", "[0]", "no", "no"):
        state = game.step(state, action, None)
    assert game.to_move(state) == 0 and "no" not in game.observe(state, 0).split("cell 4")[1].split()


class Wild(textarena.Env):
    """Prints, raises, and keeps the letters it was sent. It stands for what TextArena's environments do in places."""

    def reset(self, num_players, seed=None):
        print("a line on stdout")
        self.state = textarena.TwoPlayerState(num_players=num_players, seed=seed)
        self.state.reset(game_state={}, player_prompt_function=lambda player_id, game_state: "Say [a] or [boom].")
        self.said = []

    def step(self, action):
        print("another line on stdout")
        self.said.append(action)
        if "boom" in action:
            raise ZeroDivisionError("boom")
        if len(self.said) == 3:
            self.state.set_winner(player_id=random.randrange(2), reason="drawn by lot")
        return self.state.step()


def test_an_environment_that_raises_has_refused_and_one_that_prints_is_not_heard(capsys):
    textarena.envs.registration.ENV_REGISTRY.pop("Wild-v0", None)
    textarena.register(id="Wild-v0", entry_point=Wild)
    try:
        game = found("Wild-v0")
        state = game.initial(Random(0))
        assert game.parse("[boom]", state) is None and game.parse("[a]", state) == "[a]"
        assert check(game, playouts=20) == []
        state = game.step(game.step(state, "[boom]", None), "[a]", None)
        assert game.to_move(state) == 1
        winners = {tuple(game.returns(playthrough(game, seed)[0][-1])) for seed in range(10)}
        assert winners == {(1.0, -1.0), (-1.0, 1.0)}
    finally:
        del textarena.envs.registration.ENV_REGISTRY["Wild-v0"]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("TicTacTo-v0", "did you mean `textarena:TicTacToe-v0`"),
        ("zzzzzzzzzz", "has no game `zzzzzzzzzz`."),
        ("2048-v0", "does not start for two players: AssertionError"),
        ("SecretMafia-v0", "does not start for two players"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(id, words):
    with pytest.raises(UserError, match=words) as raised:
        found(id)
    assert "\n" not in str(raised.value)
