from __future__ import annotations

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


def test_a_label_names_a_line_of_the_list() -> None:
    (info,) = [info for info in information_states(KUHN) if info.key == "Q bet"]
    prompt = LABEL.prompt(KUHN, 1, info.observation, info.legal)
    assert prompt == "Your card: Q\nSo far: bet\na) call\nb) fold\nMove:"
    read = [LABEL.read(words, KUHN, info.state, info.legal) for words in ("a", " b\n", "c", "", "ab", "call", "A")]
    assert read == ["call", "fold", None, None, None, None, None]


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
