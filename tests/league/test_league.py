from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

import games
from selfplay.config import LeagueConfig
from selfplay.errors import UserError
from selfplay.league import League
from selfplay.records import End, Episode
from selfplay.training import checkpoint

EMPTY = b"\x02\x00\x00\x00\x00\x00\x00\x00{}"
"""A safetensors file of nothing."""
KUHN = {"kuhn_poker": games.find("kuhn_poker")}


class Saving:
    """What a league needs of a trainer: it writes its policy into a folder."""

    def save_policy(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "model.safetensors").write_bytes(EMPTY)


class Sampler:
    """What a league needs of an engine: it remembers what it was given."""

    def __init__(self, folder: Path) -> None:
        self.held = folder.name

    def publish(self, weights: object) -> None:
        self.held = str(weights)

    def forget(self) -> None:
        pass

    def close(self) -> None:
        self.held = "closed"


def league(tmp_path: Path, **settings: Any) -> League:
    return League(LeagueConfig.model_validate({"share": 0.5, "every": 2} | settings), tmp_path, Sampler)  # type: ignore[arg-type]


def kept(tmp_path: Path, steps: int = 10, **settings: Any) -> League:
    made = league(tmp_path, **settings)
    for step in range(1, steps + 1):
        made.keep(step, Saving())  # type: ignore[arg-type]
    return made


def episode(rival: str, seat: int, returns: tuple[float, float]) -> Episode:
    seats = ["policy", "policy"]
    seats[seat] = rival
    return Episode(0, "kuhn_poker", 0, tuple(seats), (), returns, End.FINISHED)


def test_snapshots_are_taken_when_due_and_none_where_nobody_plays_them(tmp_path: Path) -> None:
    assert kept(tmp_path / "a").names == [checkpoint.name(step) for step in (2, 4, 6, 8, 10)]
    idle = kept(tmp_path / "b", share=0.0)
    assert idle.names == [] and idle.rival(Random(0)) is None and not (tmp_path / "b").exists()


def test_there_is_no_rival_before_the_first_snapshot(tmp_path: Path) -> None:
    assert league(tmp_path).rival(Random(0)) is None


def test_when_there_are_too_many_the_oldest_and_the_newest_stay_and_the_rest_are_spread(tmp_path: Path) -> None:
    made = kept(tmp_path, 200, most=6)
    steps = [int(name[5:]) for name in made.names]
    assert len(steps) == 6 and steps[0] == 2 and steps[-1] == 200
    assert max(b - a for a, b in zip(steps, steps[1:], strict=False)) <= 100
    assert sorted(path.name for path in tmp_path.iterdir()) == made.names


def test_scores_are_the_policy_s_own_from_either_seat_and_move_slowly(tmp_path: Path) -> None:
    made, name = kept(tmp_path), checkpoint.name(4)
    won = [episode(name, 1, (2.0, -2.0)), episode(name, 0, (-2.0, 2.0))]
    metrics = made.record(
        [*won, Episode(0, "kuhn_poker", 0, ("policy", "policy"), (), (1.0, -1.0), End.FINISHED)], KUHN
    )
    assert metrics == {"league/score": 1.0, "league/rival_step": 4.0, "league/size": 5.0}
    assert made.state_dict()["scores"][name] == pytest.approx(0.55)
    assert made.record([], KUHN) == {}


def test_prioritised_draws_those_that_still_win_and_uniform_anybody(tmp_path: Path) -> None:
    for draw, floor in (("prioritised", 0.9), ("uniform", 0.0)):
        made = kept(tmp_path / draw, draw=draw)
        hard = checkpoint.name(6)
        made.load_state_dict({"scores": dict.fromkeys(made.names, 0.95) | {hard: 0.2}})
        rivals = [made.rival(Random(seed)) for seed in range(200)] if draw == "uniform" else []
        names = Counter(rival.name for rival in rivals if rival) or Counter(
            made._held for seed in range(200) if made.rival(Random(seed))
        )
        assert set(names) <= set(made.names)
        assert (names[hard] / 200 > floor) if floor else (20 < names[hard] < 60)


def test_a_way_of_drawing_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="prioritised"):
        league(tmp_path, draw="priorized")


def test_a_resumed_league_drops_what_was_undone(tmp_path: Path) -> None:
    before = kept(tmp_path, 4)
    state = before.state_dict()
    kept(tmp_path / "later", 2)
    before.keep(6, Saving())  # type: ignore[arg-type]
    resumed = league(tmp_path)
    resumed.load_state_dict(state)
    assert resumed.names == [checkpoint.name(2), checkpoint.name(4)]
    assert not (tmp_path / checkpoint.name(6)).exists()
