from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfplay.config import CreditConfig
from selfplay.credit.dr_grpo import DrGrpo
from selfplay.credit.rloo import Rloo
from tests.credit import made

ESTIMATOR = DrGrpo(CreditConfig())


def test_each_is_compared_with_the_mean_of_its_group_itself_included() -> None:
    assert ESTIMATOR.advantages(made.scored("a", 1.0, 0.0, 0.0, 1.0)) == [0.5, -0.5, -0.5, 0.5]
    assert ESTIMATOR.advantages(made.scored("a", 3.0, 0.0, 0.0)) == [2.0, -1.0, -1.0]


def test_groups_do_not_mix_however_they_are_ordered() -> None:
    ones, others = made.scored("a", 1.0, 0.0), made.scored("b", 5.0, 9.0)
    assert ESTIMATOR.advantages([ones[0], others[0], ones[1], others[1]]) == [0.5, -2.0, -0.5, 2.0]


def test_one_that_is_alone_in_its_group_has_nothing_to_be_compared_with() -> None:
    assert ESTIMATOR.advantages(made.scored("a", 3.0)) == [0.0]
    assert ESTIMATOR.advantages([]) == []


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=12))
def test_it_is_leave_one_out_made_smaller_by_the_share_that_is_one_s_own(group: list[float]) -> None:
    n, rollouts = len(group), made.scored("a", *group)
    others = Rloo(CreditConfig()).advantages(rollouts)
    assert ESTIMATOR.advantages(rollouts) == pytest.approx([(n - 1) / n * one for one in others], abs=1e-9)
