from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import torch

import games
from selfplay.config import Config
from selfplay.evaluation import strategy
from selfplay.evaluation.measures import evaluate
from selfplay.policy.engine import Engine
from selfplay.rollouts.crew import Crew
from solvers.player import Player
from tests.conftest import SAMPLER

pytestmark = pytest.mark.model

KUHN = games.find("kuhn_poker")
LABEL = Player(answer="label", show_rules=False)
CONFIG = Config.model_validate(
    {
        "sampler": SAMPLER.model_dump(),
        "curriculum": {"families": []},
        "games": {"names": ["kuhn_poker"], "answer": "label", "show_rules": False, "max_tokens": 1},
        "evaluation": {"games": 40},
    }
)


@pytest.fixture
def uniform(model: Path, engine: Engine) -> Engine:
    """Every token is as likely as every other."""
    engine.publish([("lm_head.weight", torch.zeros(128, 64))])
    return engine


def measured(engine: Engine, config: Config = CONFIG) -> dict[str, float]:
    solved = {name: KUHN for name in config.evaluation.exploitability}
    return asyncio.run(evaluate(engine, config, {}, {"kuhn_poker": KUHN}, solved, LABEL))


def test_the_uniform_policy_s_exploitability_and_legal_mass_are_exact(uniform: Engine) -> None:
    async def measured_alone() -> dict[str, float]:
        async with Crew(uniform) as crew:
            return await strategy.measure(crew, uniform, KUHN, LABEL)

    found = asyncio.run(measured_alone())
    assert found["kuhn_poker/exploitability"] == pytest.approx(11 / 24, abs=1e-6)
    assert found["kuhn_poker/legal_mass"] == pytest.approx(2 / 128, abs=1e-6)


def test_an_evaluation_is_the_same_whatever_the_run_s_seed(uniform: Engine) -> None:
    assert measured(uniform) == measured(uniform, CONFIG.model_copy(update={"seed": 5}))


def test_a_random_model_is_measured_as_one_that_seldom_makes_a_legal_move(uniform: Engine) -> None:
    found = measured(uniform)
    assert set(found) == {
        *(f"player/{name}" for name in ("legal_rate", "score_vs_random", "not_lost_vs_random", "forfeit_rate")),
        *(f"kuhn_poker/{name}" for name in ("legal_rate", "score_vs_random", "not_lost_vs_random", "forfeit_rate")),
        "kuhn_poker/exploitability",
        "kuhn_poker/legal_mass",
    }
    assert found["player/legal_rate"] < 0.15 and found["player/forfeit_rate"] > 0.85
    assert found["player/score_vs_random"] < 0.1, "an illegal move is a loss"


def test_what_is_not_asked_for_is_not_measured(uniform: Engine) -> None:
    quiet: dict[str, Any] = {"games": 0, "exploitability": []}
    config = Config.model_validate(CONFIG.model_dump() | {"evaluation": CONFIG.evaluation.model_dump() | quiet})
    assert measured(uniform, config) == {}
