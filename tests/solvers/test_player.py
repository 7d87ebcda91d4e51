from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import games
from games import Game
from games.exploitability import information_states
from solvers.player import Player

KUHN, TOE = games.find("kuhn_poker"), games.find("tic_tac_toe")
LABEL, TEXT, CHAT = Player(answer="label", show_rules=False), Player(), Player(style="chat")


@pytest.mark.parametrize("game", [KUHN, TOE], ids=lambda game: game.name)
@pytest.mark.parametrize("player", [LABEL, TEXT], ids=["label", "text"])
def test_the_plainest_words_of_a_move_are_read_as_that_move(player: Player, game: Game) -> None:
    for info in information_states(game):
        for action in info.legal:
            assert player.read(player.write(action, info.legal), game, info.state, info.legal) == action


def test_a_label_is_the_first_letter_of_a_move() -> None:
    (info,) = [info for info in information_states(KUHN) if info.key == "Q bet"]
    prompt = LABEL.prompt(KUHN, 1, info.observation, info.legal)
    assert prompt == "Your card: Q\nSo far: bet\nLegal moves: call, fold\nMove:"
    read = [LABEL.read(words, KUHN, info.state, info.legal) for words in ("c", " f\n", "b", "", "cf", "call", "C")]
    assert read == ["call", "fold", None, None, None, None, None]


def test_moves_that_begin_alike_are_labelled_by_their_line() -> None:
    state, legal = KUHN.initial(Random(0)), ("bid 1", "bid 2", "liar")
    prompt = LABEL.prompt(KUHN, 0, "Your dice: 3", legal)
    assert prompt == "Your dice: 3\na) bid 1\nb) bid 2\nc) liar\nMove:"
    read = [LABEL.read(words, KUHN, state, legal) for words in ("a", " c\n", "d", "l", "")]
    assert read == ["bid 1", "liar", None, None, None]


def test_moves_of_one_character_are_their_own_labels() -> None:
    state = TOE.initial(Random(0))
    legal = tuple(TOE.legal(state) or ())
    prompt = LABEL.prompt(TOE, 0, TOE.observe(state, 0), legal)
    assert isinstance(prompt, str) and "Legal moves: 1, 2, 3" in prompt and "a)" not in prompt
    read = [LABEL.read(words, TOE, state, legal) for words in ("5", " 5\n", "a", "55", "0")]
    assert read == ["5", "5", None, None, None]


def test_with_history_a_seat_sees_again_what_it_saw_and_did() -> None:
    past = [("You see nothing.", "check")]
    for player, expected in ((replace(TEXT, observation="history"), True), (TEXT, False)):
        prompt = player.prompt(KUHN, 0, "Now a bet.", ("call", "fold"), past)
        assert isinstance(prompt, str) and ("You see nothing.\nMove: check\n\nNow a bet." in prompt) == expected
    messages = replace(CHAT, observation="history").prompt(KUHN, 0, "Now a bet.", ("call", "fold"), past)
    assert [m["role"] for m in messages] == ["user", "assistant", "user"]  # type: ignore[index]
    first, own, now = (m["content"] for m in messages)  # type: ignore[index]
    assert KUHN.rules in first and "You see nothing." in first and own == "\\boxed{check}"
    assert "Now a bet." in now and "call, fold" in now and KUHN.rules not in now


@pytest.mark.parametrize(("game", "expected"), [(KUHN, "Q bet:"), (TOE, "12X456789O:")], ids=["kuhn", "toe"])
def test_an_information_state_s_name_and_a_colon_can_be_all_that_is_shown(game: Game, expected: str) -> None:
    terse = replace(LABEL, observation="infostate", show_legal=False)
    (info,) = [info for info in information_states(game) if f"{info.key}:" == expected]
    shown = terse.shown(game, info.state, info.seat, info.observation)
    assert terse.prompt(game, info.seat, shown, info.legal) == expected
    assert LABEL.shown(game, info.state, info.seat, info.observation) == info.observation
    told = replace(TEXT, observation="infostate").prompt(game, info.seat, info.key, info.legal)
    assert isinstance(told, str) and game.rules in told and told.endswith(f"{', '.join(info.legal)}:")


def test_a_move_in_words_is_read_by_the_game() -> None:
    (info,) = [info for info in information_states(KUHN) if info.key == "Q bet"]
    read = [TEXT.read(words, KUHN, info.state, info.legal) for words in (" call\n", " Fold.", " check\n", "", "xyz")]
    assert read == ["call", "fold", None, None, None]


def test_a_chat_move_is_what_the_last_box_holds() -> None:
    (info,) = [info for info in information_states(KUHN) if info.key == "Q bet"]
    words = ("I call.", "I think \\boxed{fold}, no, \\boxed{call}", "\\boxed{raise}")
    assert [CHAT.read(text, KUHN, info.state, info.legal) for text in words] == [None, "call", None]


def test_a_prompt_says_what_it_is_told_to_say() -> None:
    (info,) = [info for info in information_states(KUHN) if info.key == "Q bet"]
    for rules in (True, False):
        for listed in (True, False):
            player = Player(show_rules=rules, show_legal=listed)
            prompt = player.prompt(KUHN, 1, info.observation, info.legal)
            assert isinstance(prompt, str) and prompt.endswith("\nMove:") and info.observation in prompt
            assert (KUHN.rules in prompt) == rules and ("Legal moves: call, fold" in prompt) == listed


def test_a_chat_prompt_names_the_seat() -> None:
    (message,) = CHAT.prompt(TOE, 1, "the board", ("a1", "b2"))
    assert message["role"] == "user"
    for part in (TOE.rules, f"You play {TOE.roles[1]}.", "the board", "a1, b2", "\\boxed{}"):
        assert part in message["content"]


def test_words_and_labels_stop_at_the_end_of_the_line_and_chat_at_its_own_end() -> None:
    assert (TEXT.stop, LABEL.stop, CHAT.stop) == (("\n",), ("\n",), ())


def test_a_game_of_free_text_has_no_list_and_is_answered_in_words() -> None:
    assert LABEL.prompt(KUHN, 0, "Say something.", None) == "Say something.\nMove:"
    assert LABEL.write("hello", None) == " hello\n"
