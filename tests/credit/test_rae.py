from __future__ import annotations

import json

import pytest

from selfplay.config import CreditConfig
from selfplay.credit.rae import Rae
from tests.credit import made

HALF = CreditConfig(rae_decay=0.5)


def test_the_baseline_is_read_before_it_is_updated() -> None:
    estimator = Rae(HALF)
    assert estimator.advantages(made.scored("kuhn_poker/0", 1.0)) == [1.0]
    assert estimator.advantages(made.scored("kuhn_poker/0", 1.0)) == [0.5]
    assert estimator.advantages(made.scored("kuhn_poker/0", 1.0)) == [0.25]


def test_the_returns_of_one_step_are_all_compared_with_the_steps_before() -> None:
    estimator = Rae(HALF)
    assert estimator.advantages(made.scored("kuhn_poker/0", 1.0, -1.0, 1.0)) == [1.0, -1.0, 1.0]
    (baseline,) = estimator.state_dict()["baselines"].values()
    assert baseline == pytest.approx((1 - 0.5**3) * (1 / 3))


def test_the_order_of_a_step_s_games_does_not_matter() -> None:
    one, other = Rae(HALF), Rae(HALF)
    one.advantages(made.scored("kuhn_poker/0", 1.0, -0.5, 0.25))
    other.advantages(made.scored("kuhn_poker/0", 0.25, 1.0, -0.5))
    assert one.state_dict()["baselines"] == pytest.approx(other.state_dict()["baselines"])


def test_seats_and_games_are_not_pooled() -> None:
    estimator = Rae(HALF)
    estimator.advantages(made.scored("kuhn_poker/0", 1.0) + made.scored("kuhn_poker/1", -1.0))
    assert estimator.state_dict()["baselines"] == {"kuhn_poker/0": 0.5, "kuhn_poker/1": -0.5}
    again = made.scored("kuhn_poker/0", 0.0) + made.scored("kuhn_poker/1", 0.0) + made.scored("tic_tac_toe/0", 0.0)
    assert estimator.advantages(again) == [-0.5, 0.5, 0.0]


def test_an_estimator_that_resumes_goes_on_as_if_it_had_not_stopped() -> None:
    steps = [made.scored("kuhn_poker/0", 1.0, -0.5) + made.scored("kuhn_poker/1", 0.25) for _ in range(4)]
    whole, first, second = Rae(HALF), Rae(HALF), Rae(HALF)
    uninterrupted = [whole.advantages(step) for step in steps]
    before = [first.advantages(step) for step in steps[:2]]
    second.load_state_dict(json.loads(json.dumps(first.state_dict())))
    assert before + [second.advantages(step) for step in steps[2:]] == uninterrupted
    assert second.state_dict() == whole.state_dict()


def test_a_saved_state_does_not_follow_the_estimator() -> None:
    estimator = Rae(HALF)
    estimator.advantages(made.scored("kuhn_poker/0", 1.0))
    saved = estimator.state_dict()
    estimator.advantages(made.scored("kuhn_poker/0", 1.0))
    assert saved["baselines"] == {"kuhn_poker/0": 0.5}
