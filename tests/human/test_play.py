"""Whole games by piped input: the real verb, real opponents, and what is printed."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import games
from selfplay.cli import main
from selfplay.human.person import read
from tests.store import made

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SELFPLAY_RUNS", str(tmp_path))


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Calls the verb with these lines as its input: status, stdout, stderr."""

    def call(lines: str, *argv: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        status = main(["play", *argv])
        return (status, *capsys.readouterr())

    return call


def test_a_game_of_perfect_information_is_played_to_its_end_against_minimax(typed: Any) -> None:
    status, out, err = typed("5\n9\n2\n4\n7\n", "tic_tac_toe", "--against", "minimax", "--seed", "3")
    assert (status, err) == (0, "")
    for words in (
        "tic_tac_toe: X (you), O (minimax); seed 3",
        "Moves: 1, 2, 3, 4, 5, 6, 7, 8, 9",
        "minimax plays 3.",
        "The moves: X 5, O 3, X 9, O 1, X 2",
        "O X O\nX X O\nX O X",
        "A draw: X (you) 0, O (minimax) 0",
        "The same game again: selfplay play tic_tac_toe --seat 0 --seed 3 --against minimax",
    ):
        assert words in out, words


def test_a_lost_game_says_so_for_both_seats(typed: Any) -> None:
    _, out, _ = typed("1\n2\n4\n9\n", "tic_tac_toe", "--against", "minimax", "--seat", "1", "--seed", "0")
    assert "tic_tac_toe: X (minimax), O (you)" in out
    assert "You lost: X (minimax) 1, O (you) -1" in out


def test_a_card_game_shows_the_other_card_at_the_end_alone(typed: Any) -> None:
    status, out, _ = typed("bet\n", "kuhn_poker", "--against", "cfr", "--seed", "3")
    assert status == 0
    before, after = out.split("The moves: ")
    assert before.count("Your card") == 1 and after.count("Your card") == 2
    assert "cfr plays" not in out and after.startswith("first bet, second call")
    assert "You lost: first (you) -2, second (cfr) 2" in after


def test_a_simultaneous_move_is_not_told_before_both_are_made(typed: Any) -> None:
    _, out, _ = typed("rock\n2\nscissors\n", "rock_paper_scissors", "--seat", "1", "--seed", "5")
    assert "plays" not in out
    shown = [line for line in out.split("The moves: ")[0].splitlines() if line.startswith("You-other: ")]
    assert shown[0] == "You-other: nothing yet"
    assert [len(line.split()) - 1 for line in shown[1:]] == [1, 2], "finished rounds alone"
    assert "second (you)" in out


def test_the_same_seed_deals_the_same_game_again(typed: Any) -> None:
    call = ("leduc_poker", "--against", "cfr", "--json", "--seed")
    first, again = (json.loads(typed("call\ncheck\n" * 9, *call, "7")[1]) for _ in range(2))
    assert first == again and first["end"] == "finished" and sum(first["returns"]) == 0
    dealt = {typed("q\n", *call, str(seed))[2].split("Your card")[1].split("\n")[0] for seed in range(8)}
    assert len(dealt) > 1, "another seed may deal another card"


def test_as_json_one_object_is_on_stdout_and_the_talk_on_stderr(typed: Any) -> None:
    status, out, err = typed("1\n1\n1\n", "matching_pennies", "--json", "--seed", "1")
    found = json.loads(out)
    assert status == 0 and out.count("\n") == 1 and "Your move: 1" in err
    assert found["seats"] == ["you", "random"] and found["seat"] == 0 and found["offender"] is None
    assert [move["seat"] for move in found["moves"]] == [0, 1] * 3


def test_what_is_no_move_is_asked_again_with_one_sentence(typed: Any) -> None:
    status, out, _ = typed(
        "0\n3\n99999999999\n\n\x1b[2J\n²\nfold\n BET!\n", "kuhn_poker", "--against", "cfr", "--seed", "3"
    )
    assert status == 0 and "first bet" in out
    assert out.count("names no legal move: try again, or leave with q.") == 6
    assert out.count("Nothing was typed") == 1
    assert "\x1b" not in out and "'\\x1b[2J' names no legal move" in out


def test_a_number_names_a_move_only_where_no_move_holds_digits() -> None:
    kuhn, board = games.find("kuhn_poker"), games.find("tic_tac_toe")
    state = kuhn.initial(Random(0))
    assert [read(words, kuhn, state) for words in ("1", " 2) ", "2.", "bet", "3", "0")] == [
        "check", "bet", "bet", "bet", None, None,
    ]  # fmt: skip
    after = board.step(board.initial(None), "1", None)
    assert read("1", board, after) is None and read("2", board, after) == "2"


@pytest.mark.parametrize("words", ["q\n", " QUIT \n", ""])
def test_one_may_leave_at_any_time(typed: Any, words: str) -> None:
    status, out, err = typed("bad\n" + words, "kuhn_poker", "--seed", "3")
    assert (status, err) == (0, "")
    assert out.rstrip().splitlines()[-2:] == [
        "You left; nothing is counted.", "The same game again: selfplay play kuhn_poker --seat 0 --seed 3",
    ]  # fmt: skip


WILD = """
from random import Random
from games import Game

WORDS = {words!r}


class Shouter:
    name = "shouter"

    def act(self, game, state, rng):
        return WORDS


class Shouting(Game):
    name = "shouting"
    roles = ("loud", "quiet")
    max_plies = 2
    perfect_information = False

    def initial(self, rng):
        return ()

    def to_move(self, state):
        return len(state) if len(state) < 2 else None

    def observe(self, state, seat):
        return f"Said: {{state}} {{''.join(state)}}"

    def legal(self, state):
        return None

    def step(self, state, action, rng):
        return (*state, action)

    def returns(self, state):
        return [1.0, -1.0]

    def opponents(self):
        return (Shouter(),)
"""


def test_a_hostile_opponent_s_words_are_shown_as_text(typed: Any, tmp_path: Path) -> None:
    file = tmp_path / "shouting.py"
    file.write_text(WILD.format(words=made.HOSTILE))
    status, out, _ = typed("hello\n", f"{file}:Shouting", "--seat", "1")
    assert status == 0 and "loud (shouter)" in out and "The moves: loud \\x1b[31mred" in out
    assert not set(out) & set("\x1b\x07\x9b\x00\r\u202e") and "\\u202ereversed" in out
    assert "You lost: loud (shouter) 1, quiet (you) -1" in out
    assert "You left" in typed("q\n", f"{file}:Shouting", "--seat", "1")[1], "q leaves where any word is a move"


@pytest.mark.parametrize(
    ("argv", "status", "words"),
    [
        (["kuhn_pokr"], 2, "did you mean `kuhn_poker`?"),
        (["kuhn_poker", "--seat", "2"], 2, "has no seat 2; it has 0 (first), 1 (second)."),
        (["kuhn_poker", "--against", "minimax"], 1, "perfect information"),
        (["kuhn_poker", "--against", "randm"], 2, "did you mean random?"),
        (["kuhn_poker", "--against", "made-1"], 2, "did you mean made-001?"),
        (["kuhn_poker", "--against", "made-001"], 1, "has no checkpoint yet"),
        (["kuhn_poker", "made-001"], 2, "--against made-001"),
        (["kuhn_poker", "--family", "math"], 2, "--family is for"),
        (["tasks", "--against", "cfr"], 2, "solved alone"),
        (["tasks", "nosuch"], 2, "There is no run 'nosuch'"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_one_sentence(typed: Any, tmp_path: Path, argv: list[str], status: int, words: str) -> None:
    made.run(tmp_path)
    found, out, err = typed("", *argv)
    assert found == status and out == "" and words in err and err.count("\n") == 1


def test_nothing_heavy_is_loaded_where_no_model_plays() -> None:
    code = (
        "import sys; from selfplay.cli import main; main(['play', 'tic_tac_toe', '--seed', '1']); "
        "heavy = {'torch', 'transformers', 'trl', 'vllm'} & set(sys.modules); assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], input="5\nq\n", capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0 and "You left" in done.stdout, done.stderr


def test_an_interruption_ends_the_game_at_once() -> None:
    code = """
import signal, sys
from selfplay.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start with SIGINT ignored
sys.exit(main(["play", "kuhn_poker", "--seed", "3"]))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    while not process.stdout.readline().startswith(b"Moves: "):
        pass
    assert process.stdout.read(len("Your move: ")) == b"Your move: "
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130 and process.communicate()[1] == b"selfplay play: interrupted.\n"


def test_bytes_that_are_no_text_are_no_move_and_no_crash() -> None:
    command = [sys.executable, "-m", "selfplay.cli", "play", "kuhn_poker", "--seed", "3"]
    done = subprocess.run(command, input=b"\xff\xfe\nbet\n", capture_output=True, cwd=ROOT)
    assert done.returncode == 0 and b"names no legal move" in done.stdout and done.stderr == b""
