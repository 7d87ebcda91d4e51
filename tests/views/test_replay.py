from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import games
from selfplay.bench.synthetic import steps
from selfplay.errors import UserError
from selfplay.records import Completion, Episode, Stop
from selfplay.store.reader import Reader
from selfplay.store.writer import Writer
from selfplay.views import replay
from tests.store import made
from tests.views.shown import STEERING, printed


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with Reader(made.run(tmp_path_factory.mktemp("runs"), steps=4).path) as reader:
        yield reader


@pytest.fixture
def played(tmp_path: Path) -> Iterator[tuple[Reader, tuple[Episode, ...]]]:
    """A step of games that keep their rules, forfeits among them."""
    record = steps.record(Random(0), 1, 400, [steps.task(Random(1), 1)])
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(record)
    with Reader(tmp_path) as reader:
        yield reader, record.episodes


def test_a_game_is_replayed_turn_by_turn_with_what_each_seat_saw_wrote_and_played(reader: Reader) -> None:
    lines = [line.rstrip() for line in printed(replay.render_episode(replay.episode(reader, 1))).splitlines()]
    assert lines[:1] + lines[2:17] == [
        "episode 1: kuhn_poker in step 1, seed 9223372036854775808; seat 0 policy, seat 1 random",
        "",
        "ply 1, seat 0 (policy) sees",
        "    │ You hold the king.",
        "  legal: check, bet",
        "  writes (5 tokens, p 0.082, stop, policy version 0, reward 1, advantage +0.750)",
        "    │ [bet]",
        "  plays bet",
        "  in this step the policy answered this prompt: bet 1× (p ≥ 0.082), no legal move 1× (p ≥ 5.2e-22)",
        "",
        "ply 2, seat 1 (random) sees",
        "    │ You hold the queen. They bet.",
        "  legal: fold, call",
        "  plays fold",
        "",
        "finished: seat 0 1, seat 1 -1",
    ]


def test_a_forfeit_is_replayed_with_the_words_that_named_no_move(reader: Reader) -> None:
    text = printed(replay.render_episode(replay.episode(reader)))
    assert text.startswith("episode 8: ") and "plays no legal move" in text
    assert "invalid by seat 0: seat 0 -2, seat 1 2" in text
    assert "[bold red]loud[/] \\x07bell" in text and not set(text) & STEERING


def test_the_board_is_drawn_before_each_ply_and_at_the_end(played: tuple[Reader, tuple[Episode, ...]]) -> None:
    reader, episodes = played
    tic_tac_toe = games.find("tic_tac_toe")
    for id, episode in enumerate(episodes, 1):
        found = replay.episode(reader, id)
        assert found["board_problem"] is None and len(found["boards"]) == len(episode.plies) + 1
        if episode.game == "tic_tac_toe":
            state = "123456789"
            for ply, board in zip(episode.plies, found["boards"], strict=False):
                assert board == tic_tac_toe.render(state)
                state = state if ply.action is None else tic_tac_toe.step(state, ply.action, None)
            assert found["boards"][-1] == tic_tac_toe.render(state)
            assert printed(replay.render_episode(found)).count("X") > 0
        else:
            assert all("[first] Your card: " in board for board in found["boards"])


def test_hidden_cards_are_shown_to_the_spectator_beside_what_the_seat_sees(
    played: tuple[Reader, tuple[Episode, ...]],
) -> None:
    reader, episodes = played
    id = next(i for i, episode in enumerate(episodes, 1) if episode.game == "kuhn_poker")
    text = printed(replay.render_episode(replay.episode(reader, id)))
    assert "ply 1, a spectator sees" in text and "│ [second] Your card: " in text and "at the end" in text


def test_a_game_that_the_rules_would_not_have_shown_so_is_replayed_without_a_board(reader: Reader) -> None:
    found = replay.episode(reader, 1)
    assert found["boards"] == [None, None, None]
    assert "the rules of kuhn_poker now show something else there" in printed(replay.render_episode(found))


def test_a_game_from_a_file_is_drawn_only_by_the_file_that_one_names(tmp_path: Path) -> None:
    source = Path(games.__file__).with_name("tic_tac_toe.py").read_text().replace('"tic_tac_toe"', '"my_game"')
    file = tmp_path / "mine.py"
    file.write_text(source)
    record = steps.record(Random(0), 1, 400, [steps.task(Random(1), 1)])
    mine = tuple(dataclasses.replace(e, game="my_game") for e in record.episodes if e.game == "tic_tac_toe")
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(dataclasses.replace(record, episodes=mine))
    named = f"{file}:TicTacToe"
    with Reader(tmp_path) as reader:
        without = replay.episode(reader, 1, names=[named])
        assert "`--rules path/to/file.py:Class` says where it is" in without["board_problem"]
        assert replay.episode(reader, 1, rules=named)["boards"][0].startswith("You are X")
        other = replay.episode(reader, 1, rules="kuhn_poker")
    assert other["board_problem"] == "no board: `kuhn_poker` is the game kuhn_poker, and my_game was played"


def test_a_game_whose_stored_moves_the_rules_refuse_is_replayed_without_the_rest_of_the_board(
    played: tuple[Reader, tuple[Episode, ...]], tmp_path: Path
) -> None:
    _, episodes = played
    game = next(e for e in episodes if e.game == "tic_tac_toe" and len(e.plies) > 3)
    plies = list(game.plies)
    plies[1] = dataclasses.replace(plies[1], action=plies[0].action)
    (tmp_path / "other").mkdir()
    with Writer(tmp_path / "other" / "run.db") as writer:
        writer.commit(
            dataclasses.replace(made.record(1), episodes=(dataclasses.replace(game, index=0, plies=tuple(plies)),))
        )
    with Reader(tmp_path / "other") as reader:
        found = replay.episode(reader, 1)
    assert found["boards"][2] is None and "from ply 3 on" in found["board_problem"]


def test_the_probability_of_moves_comes_from_what_the_policy_answered_to_the_same_prompt(tmp_path: Path) -> None:
    base = made.episode(1, 0)
    said = [("[bet]", "bet", -0.5), ("[bet]", "bet", -0.5), ("[check]", "check", -1.5), ("hm", None, -2.0)]
    made_games = []
    for index, (text, action, logprob) in enumerate(said):
        turn = dataclasses.replace(
            base.plies[0].turn, completion=Completion((index // 2 * index,), (logprob,), text, Stop.STOP, 0)
        )
        ply = dataclasses.replace(base.plies[0], action=action, turn=turn)
        made_games.append(dataclasses.replace(base, index=index, plies=(ply, base.plies[1])))
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(dataclasses.replace(made.record(1), episodes=tuple(made_games), samples={}))
    with Reader(tmp_path) as reader:
        moves = reader.said_here(1, 0)
        assert reader.said_here(1, 1) == []
        ply = replay.episode(reader, 1)["plies"][0]
    assert [(move["action"], move["times"]) for move in moves] == [("bet", 2), ("check", 1), (None, 1)]
    assert [move["probability"] for move in moves] == pytest.approx([math.exp(-0.5), math.exp(-1.5), math.exp(-2.0)])
    assert ply["probability"] == pytest.approx(math.exp(-0.5))


def test_a_run_without_games_has_none_to_replay(tmp_path: Path) -> None:
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(dataclasses.replace(made.record(1), episodes=()))
    with Reader(tmp_path) as reader:
        with pytest.raises(UserError, match="No game was played in this run, so there is none to replay."):
            replay.episode(reader)
        with pytest.raises(UserError, match="Episode 3 is not in this run; no game was played in it."):
            replay.episode(reader, 3)


def test_rules_that_fail_on_what_was_stored_leave_the_words_and_say_so(tmp_path: Path) -> None:
    source = Path(games.__file__).with_name("tic_tac_toe.py").read_text()
    broken = source.replace("return state.replace(", "raise LookupError(action)\n        return state.replace(")
    file = tmp_path / "mine.py"
    file.write_text(broken)
    record = steps.record(Random(0), 1, 400, [steps.task(Random(1), 1)])
    whole = tuple(e for e in record.episodes if e.game == "tic_tac_toe" and e.offender is None)
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(dataclasses.replace(record, episodes=whole))
    with Reader(tmp_path) as reader:
        found = replay.episode(reader, 1, rules=f"{file}:TicTacToe")
    assert found["boards"][0] and found["boards"][1:] == [None] * len(whole[0].plies)
    action = whole[0].plies[0].action
    assert found["board_problem"] == f"no board from ply 2 on: the rules of tic_tac_toe failed (LookupError: {action})"
    assert f"plays {action}" in printed(replay.render_episode(found))
