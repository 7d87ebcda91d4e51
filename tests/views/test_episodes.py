from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from selfplay.records import End
from selfplay.store.reader import Reader
from selfplay.store.writer import Writer
from selfplay.views import episodes
from tests.store import made
from tests.views.shown import printed


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with Reader(made.run(tmp_path_factory.mktemp("runs"), steps=4).path) as reader:
        yield reader


def test_games_are_listed_newest_first_with_the_total(reader: Reader) -> None:
    lines = printed(episodes.render_page(episodes.page(reader, limit=2))).splitlines()
    assert lines[0].rstrip() == "1 to 2 of 8 games, newest first (page 1 of 4)"
    assert [line.split()[:3] for line in lines[1:]] == [
        ["episode", "step", "game"], ["8", "4", "kuhn_poker"], ["7", "4", "kuhn_poker"],
    ]  # fmt: skip


def test_the_total_is_that_of_the_filter(reader: Reader) -> None:
    assert episodes.page(reader, limit=1, step=(2, 3))["total"] == 4
    assert episodes.page(reader, limit=1, end="invalid")["total"] == 4
    assert episodes.page(reader, limit=1, won=0)["total"] == 4
    assert episodes.page(reader, limit=1, won=1, end="invalid", step=1, game="kuhn_poker")["total"] == 1
    assert episodes.page(reader, limit=1, won=5)["total"] == 0


def test_a_draw_is_won_by_nobody_and_a_seat_wins_by_more_than_every_other(tmp_path: Path) -> None:
    base = made.episode(1, 0)
    returns = [(0.0, 0.0), (1.0, -1.0), (2.0, 2.0, 1.0), (-1.0, -2.0, -3.0), (-1.0, -0.5)]
    games = [dataclasses.replace(base, index=i, returns=values, end=End.FINISHED) for i, values in enumerate(returns)]
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(dataclasses.replace(made.record(1), episodes=tuple(games)))
    with Reader(tmp_path) as reader:
        won = {seat: [e["idx"] for e in episodes.page(reader, won=seat)["episodes"]] for seat in range(3)}
    assert won == {0: [3, 1], 1: [4], 2: []}


def test_where_no_game_matches_the_page_says_what_there_is(reader: Reader) -> None:
    text = printed(episodes.render_page(episodes.page(reader, game="chess", step=(2, 3))))
    assert text.strip() == (
        "No such games (chess, step 2 to 3); the run has others: of kuhn_poker, ended finished, invalid."
    )


def test_a_run_without_games_says_so(tmp_path: Path) -> None:
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(dataclasses.replace(made.record(1), episodes=()))
    with Reader(tmp_path) as reader:
        assert "No game was played in this run." in printed(episodes.render_page(episodes.page(reader)))
