from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfplay.curriculum.posterior import Posterior, Scorer
from selfplay.curriculum.scorers.one_minus import OneMinus
from selfplay.curriculum.scorers.variance import Variance

counts = st.integers(0, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_a_posterior_starts_from_a_uniform_prior() -> None:
    assert Posterior().mean == 0.5 and Posterior().rate == 0.0
    assert Posterior(3, 4).mean == pytest.approx(4 / 6)
    assert Posterior(3, 4).rate == 0.75


@given(counts, counts)
def test_what_was_seen_in_two_steps_adds_up(one: tuple[int, int], other: tuple[int, int]) -> None:
    both = Posterior(*one) + Posterior(*other)
    assert both == Posterior(one[0] + other[0], one[1] + other[1]) == Posterior(*other) + Posterior(*one)


@given(counts, st.sampled_from([Variance(), OneMinus()]))
def test_a_task_that_is_always_solved_or_never_teaches_nothing_and_no_other_is_worth_more_than_1(
    seen: tuple[int, int], scorer: Scorer
) -> None:
    correct, attempts = seen
    worth = scorer(Posterior(correct, attempts))
    assert 0 <= worth <= 1
    if correct in (0, attempts):
        assert worth == 0
    elif attempts > 1:
        assert worth > 0


def test_variance_is_4_p_1_minus_p_as_estimated_from_the_samples() -> None:
    assert Variance()(Posterior(1, 8)) == pytest.approx(4 * 1 * 7 / 56)
    assert Variance()(Posterior(2, 8)) == pytest.approx(4 * 2 * 6 / 56)
    assert Variance()(Posterior(1, 1)) == 0.0


@pytest.mark.parametrize("p", [0.05, 0.95])
def test_variance_is_unbiased_where_no_estimate_reaches_1(p: float) -> None:
    n = 8
    chances = [comb(n, s) * p**s * (1 - p) ** (n - s) for s in range(n + 1)]
    mean = sum(chance * Variance()(Posterior(s, n)) for s, chance in enumerate(chances))
    assert mean == pytest.approx(4 * p * (1 - p), abs=1e-3)


def test_variance_is_greatest_in_the_middle_and_one_minus_for_the_hardest_that_is_ever_solved() -> None:
    eight = [Posterior(correct, 8) for correct in range(9)]
    assert Variance()(Posterior(4, 8)) == 1 == max(map(Variance(), eight))
    assert [Variance()(one) for one in eight] == [Variance()(one) for one in reversed(eight)]
    assert Variance()(Posterior(1, 8)) < Variance()(Posterior(2, 8)) < Variance()(Posterior(4, 8))
    assert [OneMinus()(one) for one in eight] == [0.0, *(1 - correct / 8 for correct in range(1, 8)), 0.0]
