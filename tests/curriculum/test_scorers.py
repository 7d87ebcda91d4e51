from __future__ import annotations

from collections.abc import Callable
from math import comb, exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import Generator, default_rng

from selfplay import plugins
from selfplay.curriculum.posterior import Posterior, Rates, Scorer
from selfplay.curriculum.scorers.band import Band
from selfplay.curriculum.scorers.gaussian import Gaussian
from selfplay.curriculum.scorers.lift import Lift
from selfplay.curriculum.scorers.one_minus import OneMinus
from selfplay.curriculum.scorers.progress import Progress
from selfplay.curriculum.scorers.rare import Rare
from selfplay.curriculum.scorers.ssr import Ssr
from selfplay.curriculum.scorers.uncertainty import Uncertainty
from selfplay.curriculum.scorers.variance import Variance
from selfplay.curriculum.scorers.variance_exp import VarianceExp

FOLDER = "selfplay.curriculum.scorers"
EXPECTATIONS: list[Scorer] = [Variance(), Uncertainty(), Gaussian(), VarianceExp(), Band(), Lift(), Ssr()]
COUNTS: list[Scorer] = [OneMinus(), Rare()]
EIGHT = [Posterior(correct, 8) for correct in range(9)]

counts = st.integers(0, 64).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
fractions = st.tuples(st.floats(0, 1), st.floats(0, 64)).map(lambda pair: Posterior(pair[0] * pair[1], pair[1]))


def test_every_scorer_is_found_by_its_name() -> None:
    names = ["band", "gaussian", "lift", "one_minus", "progress", "rare", "ssr", "uncertainty", "variance"]
    assert plugins.available(FOLDER, "scorers") == [*names, "variance_exp"]
    for name in plugins.available(FOLDER, "scorers"):
        assert plugins.find("scorers", name, FOLDER)().name == name


@given(fractions, st.sampled_from([*EXPECTATIONS, *COUNTS]))
def test_every_worth_lies_between_0_and_1_but_those_of_ssr_above_its_fine(posterior: Posterior, scorer: Scorer) -> None:
    least = -0.8 if scorer.name == "ssr" else 0.0
    assert least - 1e-9 <= scorer(posterior) <= 1 + 1e-9


@pytest.mark.parametrize("scorer", EXPECTATIONS, ids=lambda scorer: scorer.name)
def test_with_many_attempts_a_worth_is_what_the_source_says_of_the_rate(scorer: Scorer) -> None:
    source: dict[str, Callable[[float], float]] = {
        "variance": lambda p: 4 * p * (1 - p),
        "uncertainty": lambda p: 1 - 2 * abs(p - 0.5),
        "gaussian": lambda p: exp(-((p - 0.5) ** 2) / 0.08),
        "variance_exp": lambda p: exp(-((p * (1 - p) - 0.25) ** 2) / 0.02),
        "band": lambda p: float(0.25 <= p <= 0.75),
        "lift": lambda p: 10 * p * ((1 - p) / 0.9) ** 9,
        "ssr": lambda p: 1 - 1.8 * p,
    }
    for p in (0.05, 0.1, 0.3, 0.5, 0.6, 0.9):
        assert scorer(Posterior(p * 4000, 4000)) == pytest.approx(source[scorer.name](p), abs=0.02)


@pytest.mark.parametrize("scorer", [*EXPECTATIONS, *COUNTS], ids=lambda scorer: scorer.name)
@pytest.mark.parametrize("attempts", [1, 2, 8, 64])
def test_what_is_never_or_always_solved_is_worth_what_its_end_is_however_few_the_attempts(
    scorer: Scorer, attempts: int
) -> None:
    ends = {"ssr": -0.8, "gaussian": exp(-0.25 / 0.08), "variance_exp": exp(-(0.25**2) / 0.02)}
    for correct in (0, attempts):
        assert scorer(Posterior(correct, attempts)) == pytest.approx(ends.get(scorer.name, 0.0))


@pytest.mark.parametrize("scorer", [Variance(), Uncertainty(), Gaussian(), VarianceExp(), Band()], ids=lambda s: s.name)
def test_half_of_16_is_worth_more_than_half_of_2_because_it_is_surer(scorer: Scorer) -> None:
    half = [scorer(Posterior(n / 2, n)) for n in (2, 4, 8, 16, 32)]
    assert half == sorted(half) and half[-1] > half[0] + 0.1


@pytest.mark.parametrize("scorer", [Variance(), Uncertainty(), Gaussian(), VarianceExp(), Band()], ids=lambda s: s.name)
def test_these_are_symmetric_and_greatest_in_the_middle(scorer: Scorer) -> None:
    worths = [scorer(one) for one in EIGHT]
    assert worths == pytest.approx(worths[::-1])
    assert worths[:5] == sorted(worths[:5]) and len({round(worth, 6) for worth in worths}) == 5


@given(counts)
def test_variance_is_the_expectation_less_what_an_all_alike_sample_of_the_size_has(seen: tuple[int, int]) -> None:
    s, n = seen

    def outcome(p: Rates) -> Rates:
        return 4 * p * (1 - p)

    expected = Posterior(s, n).expect(outcome) - Posterior(0, n).expect(outcome)
    assert Variance()(Posterior(s, n)) == pytest.approx(expected, abs=1e-4)


def test_variance_in_figures() -> None:
    assert Variance()(Posterior(1, 2)) == pytest.approx(0.2)
    assert Variance()(Posterior(4, 8)) == pytest.approx(64 / 110)
    assert Variance()(Posterior(1, 8)) == pytest.approx(28 / 110)
    assert Variance()(Posterior()) == 0


def test_one_minus_is_the_paper_s_table_to_the_last_bit() -> None:
    assert [OneMinus()(one) for one in EIGHT] == [0.0, *(1 - correct / 8 for correct in range(1, 8)), 0.0]


def test_rare_is_the_source_s_formula_of_the_counts() -> None:
    assert [Rare()(one) for one in EIGHT] == pytest.approx([0, *((8 - k) / 7 for k in range(1, 8)), 0])


def test_band_is_the_belief_that_the_rate_is_inside() -> None:
    for s, n in ((1, 8), (4, 8), (7, 16)):
        upper = (sum(comb(n + 1, k) * p**k * (1 - p) ** (n + 1 - k) for k in range(s + 1, n + 2)) for p in (0.25, 0.75))
        low, high = upper
        assert Band()(Posterior(s, n)) == pytest.approx(high - low, abs=1e-3)


def test_lift_is_greatest_where_one_attempt_in_ten_succeeds_and_there_it_is_1() -> None:
    worths = {s: Lift()(Posterior(s, 2000)) for s in range(20, 1000, 20)}
    assert max(worths, key=lambda s: worths[s]) == 200
    assert worths[200] == pytest.approx(1, abs=0.01)


def test_ssr_fines_what_is_never_solved_more_than_what_is_nearly_always_solved() -> None:
    assert [round(Ssr()(one), 2) for one in EIGHT] == [-0.8, 0.64, 0.46, 0.28, 0.1, -0.08, -0.26, -0.44, -0.8]


def test_progress_is_movement_in_either_direction_beyond_what_chance_explains() -> None:
    assert Progress()(Posterior(4, 8)) == 0, "never measured before"
    assert Progress()(Posterior(4, 8, 0.5)) == 0
    assert Progress()(Posterior(5, 8, 0.5)) == 0, "one attempt more is chance"
    risen, fallen = Progress()(Posterior(7, 8, 0.25)), Progress()(Posterior(1, 8, 0.75))
    assert risen == pytest.approx(fallen) and risen > 0.3
    assert Progress()(Posterior(8, 8, 0.0)) > 0.7
    assert Progress()(Posterior(28, 32, 0.25)) > risen, "surer"


def test_progress_is_nothing_where_a_task_stays_at_its_end() -> None:
    for n in (1, 8, 64):
        assert Progress()(Posterior(0, n, 0.0)) == Progress()(Posterior(n, n, 1.0)) == 0


def test_progress_pays_a_coin_that_never_moves_a_quarter_of_what_the_plain_difference_does() -> None:
    rng = default_rng(0)
    pairs = rng.binomial(8, 0.5, (2000, 2))
    plain = np.abs(pairs[:, 0] - pairs[:, 1]).mean() / 8
    noise = np.mean([Progress()(Posterior(int(now), 8, before / 8)) for before, now in pairs])
    assert plain > 0.18 and noise < 0.3 * plain


# How well tasks are ranked. Solvers are scripted: a task is its true solve rate.


def ranks(values: Rates) -> Rates:
    """Ranks from 1, the mean one where values are equal."""
    _, place, sizes = np.unique(values, return_inverse=True, return_counts=True)
    found: Rates = (np.cumsum(sizes) - (sizes - 1) / 2)[place]
    return found


def spearman(one: Rates, other: Rates) -> float:
    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def frontier(rng: Generator, never: float, always: float, a: float, b: float, tasks: int = 20_000) -> Rates:
    """True solve rates: a share that is never solved, one that always is, and the rest from Beta(a, b)."""
    kind = rng.random(tasks)
    found: Rates = np.where(kind < never, 0.0, np.where(kind < never + always, 1.0, rng.beta(a, b, tasks)))
    return found


def scored(solved: Rates, attempts: Rates) -> Rates:
    """`variance` of every task, from its counts."""
    kinds, place = np.unique(np.stack([solved, attempts]), axis=1, return_inverse=True)
    worths = np.array([Variance()(Posterior(float(s), float(n))) for s, n in kinds.T])
    found: Rates = worths[place.ravel()]
    return found


def best_possible(true: Rates, solved: Rates) -> float:
    """No function of the counts agrees better with the ranks of `true`: the correlation ratio."""
    rank = ranks(true)
    _, place = np.unique(solved, return_inverse=True)
    means = np.bincount(place, rank) / np.bincount(place)
    return float(means[place].std() / rank.std())


def agreement(rates: Rates, attempts: int, rng: Generator) -> tuple[float, float]:
    """The rank correlation of `variance` with the true 4p(1-p), and the most that the counts allow."""
    true, solved = 4 * rates * (1 - rates), rng.binomial(attempts, rates).astype(float)
    return spearman(scored(solved, np.full_like(solved, attempts)), true), best_possible(true, solved)


def test_among_proposals_most_of_which_are_at_an_end_eight_attempts_rank_at_0_9() -> None:
    rng = default_rng(0)
    found, _ = agreement(frontier(rng, 0.4, 0.2, 2, 2), 8, rng)
    assert found > 0.9


@pytest.mark.parametrize("population", [(0, 0, 1, 1), (0, 0, 0.5, 0.5), (0.4, 0.2, 1, 1), (0.4, 0.2, 2, 2)])
def test_variance_ranks_about_as_well_as_the_counts_allow(population: tuple[float, float, float, float]) -> None:
    rng = default_rng(1)
    rates = frontier(rng, *population)
    for attempts in (8, 24):
        found, limit = agreement(rates, attempts, rng)
        assert limit - 0.02 < found <= limit + 1e-9


def test_eight_attempts_at_rates_spread_evenly_cannot_rank_at_0_9_by_any_score() -> None:
    rng = default_rng(2)
    _, limit = agreement(frontier(rng, 0, 0, 1, 1), 8, rng)
    assert limit < 0.72


@pytest.mark.parametrize("population", [(0, 0, 0.5, 0.5), (0.4, 0.2, 1, 1), (0.4, 0.2, 2, 2)])
def test_three_visits_rank_at_0_9(population: tuple[float, float, float, float]) -> None:
    rng = default_rng(3)
    found, _ = agreement(frontier(rng, *population), 24, rng)
    assert found > 0.9


def test_twelve_more_attempts_where_four_disagreed_find_the_best_tenth_better_and_rank_the_rest_worse() -> None:
    rng = default_rng(4)
    rates = frontier(rng, 0.4, 0.2, 1, 1)
    true = 4 * rates * (1 - rates)
    first = rng.binomial(4, rates)
    mixed = (first > 0) & (first < 4)
    two = scored((first + mixed * rng.binomial(12, rates)).astype(float), np.where(mixed, 16.0, 4.0))
    one = scored(rng.binomial(8, rates).astype(float), np.full_like(rates, 8))
    assert 4 + 12 * mixed.mean() < 8, "and cost less"
    best_of = [true[np.argsort(-worths)[: len(rates) // 10]].mean() for worths in (one, two)]
    assert best_of[1] > best_of[0] + 0.02
    assert spearman(two, true) < spearman(one, true) - 0.05
