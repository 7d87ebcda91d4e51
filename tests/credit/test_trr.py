from __future__ import annotations

import pytest

import games
from selfplay import plugins
from selfplay.config import Config, CreditConfig
from selfplay.credit import Credit
from selfplay.credit.rewards import Scored
from selfplay.credit.trr import Trr
from selfplay.records import Verdict
from tests.credit import made

ESTIMATOR = Trr(CreditConfig())


def scored(family: str, role: str, *rewards: float) -> list[Scored]:
    """Each in a group of its own."""
    return [
        Scored(("attempt", place, 0), made.turn(role, f"{family} task {place}"), reward, family)
        for place, reward in enumerate(rewards)
    ]


def test_it_is_found_by_its_name() -> None:
    assert plugins.find("estimators", "trr++", "selfplay.credit") is Trr


def test_one_rollout_a_task_is_compared_with_those_of_other_tasks() -> None:
    assert ESTIMATOR.advantages(scored("deduction", "solver", 3.0, 0.0, 0.0)) == pytest.approx(
        [2 / 3**0.5, -1 / 3**0.5, -1 / 3**0.5]
    )


def test_families_and_roles_are_whitened_by_themselves() -> None:
    rollouts = [
        *scored("deduction", "solver", 1.0, 0.0),
        *scored("math", "solver", -5.0, -9.0),
        *scored("deduction", "proposer", 0.2, 0.2),
    ]
    half = 0.5**0.5
    assert ESTIMATOR.advantages(rollouts) == pytest.approx([half, -half, half, -half, 0.0, 0.0])


def test_credit_tells_it_the_family_of_attempts_and_the_seat_of_games() -> None:
    config = Config.model_validate({"credit": {"solver": "trr++", "player": "trr++"}})
    attempts = [made.attempt(0, Verdict.CORRECT, "one"), made.attempt(1, Verdict.WRONG, "another")]
    episodes = [made.episode(0, (2.0, -2.0), (0, 1)), made.episode(1, (1.0, -1.0), (0, 1))]
    samples = Credit(config, {"kuhn_poker": games.find("kuhn_poker")}).assign([], attempts, episodes, {})
    half = 0.5**0.5
    assert {owner: sample.advantage for owner, sample in samples.items()} == pytest.approx(
        {
            ("attempt", 0, 0): half,
            ("attempt", 1, 0): -half,
            ("episode", 0, 0): half,
            ("episode", 0, 1): -half,
            ("episode", 1, 0): -half,
            ("episode", 1, 1): half,
        }
    )
