from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfplay.curriculum.posterior import Posterior, Rates

counts = st.integers(0, 64).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
fractions = st.tuples(st.floats(0, 1), st.floats(0, 64)).map(lambda pair: (pair[0] * pair[1], pair[1]))
guesses = st.floats(0, 1)


def below(p: float, s: int, n: int) -> float:
    """P(rate < p) under Beta(1 + s, 1 + n - s): more than s of n + 1 uniform draws lie below p."""
    return sum(comb(n + 1, k) * p**k * (1 - p) ** (n + 1 - k) for k in range(s + 1, n + 2))


def identity(p: Rates) -> Rates:
    return p


def test_a_posterior_starts_from_a_uniform_prior() -> None:
    assert Posterior().mean == 0.5 and Posterior().rate == 0.0
    assert Posterior(3, 4).mean == pytest.approx(4 / 6)
    assert Posterior(3, 4).rate == 0.75


@given(counts, counts)
def test_what_was_seen_in_two_steps_adds_up(one: tuple[int, int], other: tuple[int, int]) -> None:
    both = Posterior(*one) + Posterior(*other)
    assert both == Posterior(one[0] + other[0], one[1] + other[1]) == Posterior(*other) + Posterior(*one)


def test_a_sum_keeps_the_first_previous_rate_that_is_known() -> None:
    assert (Posterior(1, 2, 0.25) + Posterior(1, 2, 0.75)).previous == 0.25
    assert (Posterior(1, 2) + Posterior(1, 2, 0.75)).previous == 0.75
    assert (Posterior(1, 2) + Posterior(1, 2)).previous is None


@pytest.mark.parametrize("wrong", [(3, 2), (-1, 2), (0.5, 0.4), (float("nan"), 1)])
def test_counts_that_no_sample_has_are_an_error(wrong: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="attempts"):
        Posterior(*wrong)


@given(counts)
def test_expectations_are_those_of_the_beta_distribution(seen: tuple[int, int]) -> None:
    (s, n), posterior = seen, Posterior(*seen)
    assert posterior.expect(identity) == pytest.approx(posterior.mean, abs=1e-4)
    square = (1 + s) * (2 + s) / ((n + 2) * (n + 3))
    assert posterior.expect(lambda p: p**2) == pytest.approx(square, abs=1e-4)
    assert posterior.expect(lambda p: (p < 0.25).astype(float)) == pytest.approx(below(0.25, s, n), abs=1e-3)


@given(fractions)
def test_expectations_hold_where_counts_are_fractions(seen: tuple[float, float]) -> None:
    assert Posterior(*seen).expect(identity) == pytest.approx(Posterior(*seen).mean, abs=1e-3)


@given(counts, st.sampled_from([0.5, 0.8, 0.9]))
def test_an_interval_leaves_the_same_mass_on_either_side(seen: tuple[int, int], mass: float) -> None:
    low, high = Posterior(*seen).interval(mass)
    assert below(low, *seen) == pytest.approx((1 - mass) / 2, abs=2e-3)
    assert below(high, *seen) == pytest.approx((1 + mass) / 2, abs=2e-3)


def test_more_attempts_narrow_the_interval() -> None:
    widths = [high - low for n in (0, 2, 8, 32) for low, high in [Posterior(n / 2, n).interval()]]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] == pytest.approx(0.9, abs=1e-3)


@given(counts)
def test_a_sample_that_is_all_alike_is_taken_at_its_word_and_any_other_at_its_expectation(
    seen: tuple[int, int],
) -> None:
    s, n = seen

    def value(p: Rates) -> Rates:
        return 3 + p

    expected = 3.0 if s == 0 else 4.0 if s == n else Posterior(s, n).expect(value)
    assert Posterior(s, n).worth(value) == pytest.approx(expected)


def test_between_never_and_once_the_worth_does_not_jump() -> None:
    def hump(p: Rates) -> Rates:
        return 4 * p * (1 - p)

    worths = [Posterior(s, 8).worth(hump) for s in np.linspace(0, 1, 21)]
    assert worths[0] == 0 and worths == sorted(worths)
    assert max(np.diff(worths)) < 0.05


def test_discounting_keeps_the_rate_and_forgets_how_sure_it_was() -> None:
    older = Posterior(3, 4, 0.5).discounted(0.5)
    assert older == Posterior(1.5, 2, 0.5)
    assert older.rate == 0.75
    assert Posterior(3, 4).discounted(0) == Posterior()
    with pytest.raises(ValueError, match="keep"):
        Posterior(3, 4).discounted(1.5)


def test_without_guessing_everything_was_known() -> None:
    assert Posterior(3, 8, 0.5).known(0.0) == Posterior(3, 8, 0.5)


def test_luck_is_taken_off_what_was_solved_and_failures_are_those_that_were_not_known() -> None:
    # 8 attempts, a coin: 7 right means 6 known and 2 not, of whom 1 was lucky; luck reaches 4 + 1.28 sqrt(2) at most
    certain = (7 - 4 - 1.28 * 2**0.5) / 0.5
    found = Posterior(7, 8).known(0.5)
    assert found.correct == pytest.approx(certain)
    assert found.attempts - found.correct == pytest.approx(2)


def test_what_a_coin_would_solve_is_not_known() -> None:
    for s in range(6):
        assert Posterior(s, 8).known(0.5).correct == 0
    assert Posterior(8, 8).known(1.0).correct == 0


def test_what_is_always_solved_still_never_fails_when_luck_is_taken_off() -> None:
    found = Posterior(8, 8).known(0.5)
    assert found.correct == pytest.approx(found.attempts) and found.correct > 4


def test_a_rate_that_did_not_move_does_not_move_when_luck_is_taken_off() -> None:
    for s in range(9):
        found = Posterior(s, 8, s / 8).known(0.3)
        assert found.previous == pytest.approx(found.rate)


@given(fractions, guesses)
def test_luck_never_adds_to_what_was_solved(seen: tuple[float, float], guess: float) -> None:
    found = Posterior(*seen).known(guess)
    assert 0 <= found.correct <= seen[0] + 1e-9
    assert found.attempts <= seen[1] + 1e-9
