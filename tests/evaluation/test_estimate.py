"""Sampled values and their intervals."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfplay.evaluation.estimate import BOUNDS, Estimate, mean, wilson


def test_an_estimate_is_stored_as_a_measure_and_its_two_bounds():
    stored = Estimate(0.5, 0.25, 0.75).measures("kuhn_poker/vs_cfr/won")
    assert stored == dict(zip([f"kuhn_poker/vs_cfr/won{end}" for end in ("", *BOUNDS)], [0.5, 0.25, 0.75], strict=True))


def test_wilson_s_interval_is_the_known_one_and_holds_its_share_at_the_ends():
    half = wilson(12, 24)
    assert (half.low, half.high) == pytest.approx((0.314, 0.686), abs=1e-3)
    assert wilson(0, 24).low == 0 and wilson(0, 24).high == pytest.approx(0.138, abs=1e-3)
    assert wilson(24, 24).high == 1


@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=2), min_size=1, max_size=40))
def test_a_mean_lies_in_its_interval(deals):
    found = mean(deals)
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high, "however equal the scores"


@pytest.mark.parametrize("deals", [6, 12, 100])
def test_the_interval_of_a_mean_holds_the_truth_nineteen_times_of_twenty(deals):
    rng, inside = Random(0), []
    for _ in range(1000):
        luck = [rng.choice([0.25, 0.75]) for _ in range(deals)]  # a card decides: what one seat wins the other loses
        scores = [
            (0.9 * card + 0.1 * (rng.random() < 0.3), 0.9 * (1 - card) + 0.1 * (rng.random() < 0.3)) for card in luck
        ]
        found = mean(scores)
        inside.append(found.low <= 0.48 <= found.high)
        single = mean([[float(rng.random() < 0.2)] for _ in range(deals)])
        inside.append(single.low <= 0.2 <= single.high)
    assert sum(inside) / len(inside) > 0.93


def test_pairing_makes_the_interval_narrower_where_luck_is_the_deal_s():
    rng = Random(0)
    luck = [rng.random() for _ in range(200)]
    paired = mean([(card, 1 - card) for card in luck])
    apart = mean([[card] for card in luck])
    assert paired.high - paired.low < (apart.high - apart.low) / 2
