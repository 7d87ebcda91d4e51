from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfplay.config import CreditConfig
from selfplay.credit.rloo import Rloo
from tests.credit import made

rewards = st.lists(st.floats(-10, 10), min_size=2, max_size=20)


def advantages(*groups: list[float]) -> list[float]:
    rollouts = [one for place, group in enumerate(groups) for one in made.scored(str(place), *group)]
    return Rloo(CreditConfig()).advantages(rollouts)


def test_each_is_compared_with_the_mean_of_the_others() -> None:
    assert advantages([1.0, 0.0, 0.0]) == pytest.approx([1.0, -0.5, -0.5])
    assert advantages([1.0, 0.0]) == pytest.approx([1.0, -1.0])


def test_groups_do_not_mix_however_they_are_ordered() -> None:
    ones, others = made.scored("a", 1.0, 0.0), made.scored("b", 5.0, 7.0)
    mixed = [ones[0], others[0], ones[1], others[1]]
    assert Rloo(CreditConfig()).advantages(mixed) == pytest.approx([1.0, -2.0, -1.0, 2.0])


def test_one_that_is_alone_in_its_group_has_nothing_to_be_compared_with() -> None:
    assert advantages([3.0]) == [0.0]
    assert advantages([]) == []


def test_it_is_not_divided_by_the_spread() -> None:
    assert advantages([0.1, 0.0]) == pytest.approx([0.1, -0.1])


@given(rewards)
def test_the_advantages_of_a_group_sum_to_nothing(group: list[float]) -> None:
    assert sum(advantages(group)) == pytest.approx(0, abs=1e-6)


@given(rewards, st.floats(-10, 10))
def test_what_every_rollout_earns_alike_changes_nothing(group: list[float], more: float) -> None:
    assert advantages([reward + more for reward in group]) == pytest.approx(advantages(group), abs=1e-6)


@given(rewards, st.floats(-10, 10))
def test_the_baseline_of_a_rollout_does_not_depend_on_its_own_reward(group: list[float], other: float) -> None:
    changed = [other, *group[1:]]
    assert group[0] - advantages(group)[0] == pytest.approx(other - advantages(changed)[0], abs=1e-6)
