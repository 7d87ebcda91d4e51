from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfplay.config import CreditConfig
from selfplay.credit.grpo import Grpo
from tests.credit import made

ESTIMATOR = Grpo(CreditConfig())


def test_each_is_compared_with_its_group_in_units_of_the_group_s_spread() -> None:
    # mean 1/2, squared distances 4 x 1/4, sample variance 1/3
    half = 0.75**0.5
    assert ESTIMATOR.advantages(made.scored("a", 1.0, 0.0, 0.0, 1.0)) == pytest.approx([half, -half, -half, half])
    # mean 1, squared distances 4 + 1 + 1, sample variance 3
    assert ESTIMATOR.advantages(made.scored("a", 3.0, 0.0, 0.0)) == pytest.approx(
        [2 / 3**0.5, -1 / 3**0.5, -1 / 3**0.5]
    )


def test_groups_do_not_mix_however_they_are_ordered() -> None:
    ones, others = made.scored("a", 1.0, 0.0), made.scored("b", 5.0, 9.0)
    found = ESTIMATOR.advantages([ones[0], others[0], ones[1], others[1]])
    assert found == pytest.approx([0.5**0.5, -(0.5**0.5), -(0.5**0.5), 0.5**0.5])


def test_a_group_that_is_all_alike_and_one_that_is_alone_have_nothing_to_be_compared_with() -> None:
    assert ESTIMATOR.advantages(made.scored("a", 0.1, 0.1, 0.1) + made.scored("b", 3.0)) == [0.0] * 4
    assert ESTIMATOR.advantages([]) == []


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=12), st.floats(0.1, 10), st.floats(-10, 10))
def test_neither_the_unit_of_the_rewards_nor_what_all_earn_alike_matters(
    group: list[int], unit: float, more: float
) -> None:
    moved = [unit * reward + more for reward in group]
    found = ESTIMATOR.advantages(made.scored("a", *map(float, group)))
    assert ESTIMATOR.advantages(made.scored("a", *moved)) == pytest.approx(found, abs=1e-6)
