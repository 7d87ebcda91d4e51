from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfplay.records import Completion, Sample, Stop, Turn
from selfplay.training.thin import thin


def sample(place: int, advantage: float, length: int = 1) -> Sample:
    completion = Completion((97,) * length, (-1.0,) * length, "a" * length, Stop.STOP, 0)
    return Sample(Turn("solver", str(place), "?", (63,), completion), 0.0, advantage)


def some(rng: Random, count: int = 24) -> list[Sample]:
    return [sample(place, rng.gauss(0, 1), rng.randint(1, 12)) for place in range(count)]


advantages = st.one_of(st.just(0.0), st.floats(1e-3, 3), st.floats(-3, -1e-3))
batches = st.lists(st.tuples(advantages, st.integers(0, 9)), max_size=20).map(
    lambda rows: [sample(place, *row) for place, row in enumerate(rows)]
)


@pytest.mark.parametrize("budget", [5, 40, 100])
def test_the_weight_of_a_row_is_its_own_on_average(budget: int) -> None:
    rows, rng, draws = some(Random(1)), Random(2), 4000
    sums, squares, seen = Counter(), Counter(), 0
    for _ in range(draws):
        for kept in thin(rows, budget, rng):
            sums[kept.turn.group] += kept.advantage
            squares[kept.turn.group] += kept.advantage**2
            seen += len(kept.turn.completion.ids)
    for row in rows:
        mean = sums[row.turn.group] / draws
        error = max(0.0, squares[row.turn.group] / draws - mean**2) ** 0.5 / draws**0.5
        assert mean == pytest.approx(row.advantage, abs=4 * error + 1e-9)
    assert seen / draws == pytest.approx(budget, rel=0.05)


@given(batches, st.integers(1, 200), st.integers(0, 9))
def test_what_is_kept_are_rows_of_the_batch_in_order_and_never_lighter(
    rows: list[Sample], budget: int, seed: int
) -> None:
    kept = thin(rows, budget, Random(seed))
    places = [int(one.turn.group) for one in kept]
    assert places == sorted(set(places))
    for place, one in zip(places, kept, strict=True):
        assert one.turn is rows[place].turn and one.reward == rows[place].reward
        assert one.advantage * rows[place].advantage > 0
        assert abs(one.advantage) >= abs(rows[place].advantage) * (1 - 1e-9)


@given(batches, st.integers(0, 9))
def test_without_a_budget_only_what_carries_nothing_goes(rows: list[Sample], seed: int) -> None:
    heard = [row for row in rows if row.advantage != 0 and row.turn.completion.ids]
    assert thin(rows, 0, Random(seed)) == heard
    assert thin(rows, sum(len(row.turn.completion.ids) for row in rows) + 1, Random(seed)) == heard


def test_rows_without_advantage_and_rows_without_tokens_go() -> None:
    rows = [sample(0, 0.0), sample(1, 1.0), sample(2, -1.0, length=0), sample(3, -0.5)]
    assert [one.turn.group for one in thin(rows, 0, Random(0))] == ["1", "3"]
    assert thin([sample(0, 0.0)], 10, Random(0)) == []
    assert thin([], 10, Random(0)) == []


def test_the_largest_advantages_are_always_kept_as_they_are() -> None:
    rows = [sample(0, 100.0), *(sample(place, 0.01) for place in range(1, 50))]
    for seed in range(20):
        assert thin(rows, 10, Random(seed))[0] == rows[0]


def test_the_same_seed_keeps_the_same_rows() -> None:
    rows = some(Random(3))
    assert thin(rows, 30, Random(4)) == thin(rows, 30, Random(4))
    assert len({tuple(one.turn.group for one in thin(rows, 30, Random(seed))) for seed in range(10)}) > 5
