"""Snapshots against each other, on the small engine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

import games
from selfplay.config import Config, LeagueConfig
from selfplay.evaluation import round_robin
from selfplay.league import League
from selfplay.policy import open_engine
from selfplay.policy.engine import Engine
from selfplay.views import league as views
from solvers.player import Player
from tests.conftest import SAMPLER

pytestmark = pytest.mark.model

KUHN = games.find("kuhn_poker")
LABEL = Player(answer="label", show_rules=False)
CONFIG = Config.model_validate(
    {
        "sampler": SAMPLER.model_dump(),
        "games": {"names": ["kuhn_poker"], "answer": "label", "show_rules": False, "max_tokens": 1},
        "evaluation": {"round_robin": 40, "rated": 3},
    }
)


def saying(folder: Path, letter: str) -> dict[str, torch.Tensor]:
    """Weights that answer `letter` to whatever ends with a colon."""
    own = load_file(folder / "model.safetensors")
    mute = {name: torch.zeros_like(own[name]) for name in own if "o_proj" in name or "down_proj" in name}
    head = torch.zeros_like(own["lm_head.weight"])
    head[ord(letter)] = 1000 * own["model.embed_tokens.weight"][ord(":")]
    return {**own, **mute, "lm_head.weight": head}


@pytest.fixture
def league(model: Path, tmp_path: Path) -> Iterator[League]:
    """Three snapshots: one names no move, one always checks or calls, one bets, and forfeits when bet at."""
    made = League(LeagueConfig(share=0.5), tmp_path, lambda folder: open_engine(folder, SAMPLER, 0))
    for step, letter in ((10, "z"), (20, "c"), (30, "b")):
        folder = tmp_path / f"step-{step:05d}"
        folder.mkdir()
        for file in model.iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
        save_file(saying(model, letter), folder / "model.safetensors", {"format": "pt"})
    made.load_state_dict({"scores": dict.fromkeys(("step-00010", "step-00020", "step-00030"), 0.5)})
    yield made
    made.close()


def test_everybody_meets_everybody_and_is_rated_above_a_random_player_or_below(
    model: Path, engine: Engine, league: League
) -> None:
    last = saying(model, "c")
    restored = []

    def restore() -> None:
        restored.append(True)
        engine.publish(last.items())

    engine.publish(last.items())
    found = asyncio.run(round_robin.measure(engine, league, restore, CONFIG, {"kuhn_poker": KUHN}, LABEL))
    assert restored == [True]
    pairs = {key.removeprefix("kuhn_poker/payoff/") for key in found if key.count("/") == 3 and "payoff" in key}
    assert pairs == {
        "last/step-00010", "last/step-00020", "last/step-00030", "last/random", "step-00020/step-00010",
        "step-00030/step-00010", "step-00030/step-00020", "step-00010/random", "step-00020/random", "step-00030/random",
    }  # fmt: skip
    assert found["kuhn_poker/payoff/step-00010/random"] == 0.0, "who never names a move forfeits every game"
    assert found["kuhn_poker/payoff/last/step-00020"] == pytest.approx(0.5), "they play alike, from both seats"
    (rows,) = views.standings(found).values()
    order = [row["player"] for row in rows]
    assert order[-1] == "step-00010"
    ratings = {row["player"]: row for row in rows}
    assert ratings["random"]["elo"] == 0.0
    assert ratings["step-00010"]["high"] < 0
    for row in rows:
        assert row["low"] <= row["elo"] <= row["high"] and len(row["scores"]) == 4
    for one in rows:
        for other, score in one["scores"].items():
            assert score == pytest.approx(1 - ratings[other]["scores"][one["player"]])


def test_a_league_that_kept_nothing_is_not_rated(engine: Engine, tmp_path: Path) -> None:
    empty = League(LeagueConfig(share=0.5), tmp_path, lambda folder: open_engine(folder, SAMPLER, 0))
    found = asyncio.run(round_robin.measure(engine, empty, lambda: None, CONFIG, {"kuhn_poker": KUHN}, LABEL))
    assert found == {}
