from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from selfplay.store.reader import Reader
from selfplay.store.writer import Writer
from selfplay.views import replay, runs, tasks
from selfplay.views.text import console
from tests.store import made

STEERING = set("\x1b\x07\x9b\x00\r\u202e")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with Reader(made.run(tmp_path_factory.mktemp("runs"), steps=4).path) as reader:
        yield reader


def printed(renderable: Any) -> str:
    out = io.StringIO()
    console(out).print(renderable)
    return out.getvalue()


def test_a_page_of_tasks_says_which_part_it_is_and_how_often_each_was_solved(reader: Reader) -> None:
    page = tasks.page(reader, limit=3, offset=2, order="hardest")
    assert (page["total"], len(page["tasks"])) == (8, 3)
    lines = printed(tasks.render_page(page)).splitlines()
    assert lines[0].rstrip() == "3 to 5 of 8 tasks, hardest first"
    assert [line.split()[4] for line in lines[2:]] == ["0.250"] * 3
    assert "No such tasks." in printed(tasks.render_page(tasks.page(reader, offset=99)))


def test_refused_proposals_are_listed_with_the_reason_and_hostile_words_as_text(reader: Reader) -> None:
    page = tasks.refused(reader, "determinism")
    text = printed(tasks.render_refused(page))
    assert page["total"] == 4 and text.startswith("1 to 4 of 4 refused proposals")
    assert text.count("\\x1b[31mred\\x1b[0m [bold red]loud[/] \\x07bell") == 4
    assert not set(text) & STEERING
    assert tasks.refused(reader, "any")["total"] == 24
    assert "the gates refused: parse 4, safety 4" in printed(tasks.render_refused(tasks.refused(reader, "nosuch")))


def test_a_task_is_shown_with_text_truth_lineage_and_every_attempt(reader: Reader) -> None:
    text = printed(tasks.render_one(tasks.one(reader, "002000")))
    for fact in (
        "def f(n):\n      return n * 2 + 0",
        "truth: 0",
        "solved 2 of 8",
        "step 2: 0 of 4  step 3: 2 of 4",
        "made from: 001000c0ffee",
        "led to: 003000c0ffee, 003006c0ffee",
    ):
        assert fact in text
    assert sum(line.split()[1:2] in (["correct"], ["wrong"]) for line in text.splitlines()) == 8


def test_a_hostile_task_is_shown_as_text_in_the_list_and_in_full(tmp_path: Path) -> None:
    hostile = dataclasses.replace(made.task(1, 0), body={"program": made.HOSTILE}, gold=made.HOSTILE)
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(dataclasses.replace(made.record(1), proposals=(), tasks=(hostile,)))
    with Reader(tmp_path) as reader:
        for text in (
            printed(tasks.render_page(tasks.page(reader))),
            printed(tasks.render_one(tasks.one(reader, hostile.id))),
        ):
            assert not set(text) & STEERING
            assert "\\x1b[31mred\\x1b[0m [bold red]loud[/]" in text


def test_a_game_is_replayed_turn_by_turn_with_what_each_seat_saw_wrote_and_played(reader: Reader) -> None:
    lines = printed(replay.render_episode(replay.episode(reader, 1))).splitlines()
    assert lines == [
        "episode 1: kuhn_poker in step 1, seed 9223372036854775808; seat 0 policy, seat 1 random",
        "",
        "ply 1, seat 0 (policy) sees",
        "    │ You hold the king.",
        "  legal: check, bet",
        "  writes (5 tokens, stop, policy version 0, reward 1, advantage +0.750)",
        "    │ [bet]",
        "  plays bet",
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


def test_games_are_listed_newest_first(reader: Reader) -> None:
    lines = printed(replay.render_page(replay.page(reader, limit=2))).splitlines()
    assert [line.split()[:3] for line in lines] == [
        ["episode", "step", "game"], ["8", "4", "kuhn_poker"], ["7", "4", "kuhn_poker"],
    ]  # fmt: skip


def test_a_run_that_cannot_be_read_is_listed_and_hides_no_other(tmp_path: Path) -> None:
    made.run(tmp_path)
    (tmp_path / "broken-001").mkdir()
    (tmp_path / "broken-001" / "run.db").write_bytes(b"junk" * 1000)
    found = {run["run"]: run for run in runs.runs(tmp_path)["runs"]}
    assert found["made-001"]["state"] == "finished" and found["made-001"]["tasks"] == 6
    assert (
        found["broken-001"]["state"] == "unreadable" and "not a readable run database" in found["broken-001"]["problem"]
    )
    assert "made-001" in printed(runs.render(runs.runs(tmp_path)))
