from __future__ import annotations

from itertools import combinations
from math import comb
from random import Random

import pytest

from selfplay.evaluation.elo import rate


def tournament(strengths: list[float], games: int, rng: Random, draws: float = 0.0) -> list[list[float]]:
    """What each takes from each in so many games a pair, by Elo's formula; `draws`: the share of games without a
    winner, as far as the strengths leave room for it."""
    points = [[0.0] * len(strengths) for _ in strengths]
    for one, two in combinations(range(len(strengths)), 2):
        expected = 1 / (1 + 10 ** ((strengths[two] - strengths[one]) / 400))
        drawn = min(draws, 2 * expected, 2 - 2 * expected)
        for _ in range(games):
            luck = rng.random()
            score = 1.0 if luck < expected - drawn / 2 else 0.5 if luck < expected + drawn / 2 else 0.0
            points[one][two] += score
            points[two][one] += 1 - score
    return points


@pytest.mark.parametrize(
    ("strengths", "games"),
    [([0, 50, 100, -50], 100), ([0, 200, 400, 600], 50), ([0, 300, -300, 500, 100, 0, 50, 80], 10)],
)
def test_known_strengths_lie_in_their_interval_nineteen_times_of_twenty(strengths, games):
    rng, inside, errors = Random(1), [], []
    for _ in range(200):
        ratings = rate(tournament(strengths, games, rng))
        for true, found in list(zip(strengths, ratings, strict=True))[1:]:
            inside.append(found.low <= true <= found.high)
            errors.append(found.value - true)
    assert sum(inside) / len(inside) > 0.93
    assert abs(sum(errors) / len(errors)) < 15, "and they are missed in both directions"


@pytest.mark.parametrize("games", [12, 40, 100])
@pytest.mark.parametrize("ahead", [0, 50, 120, 300])
def test_between_two_players_the_interval_s_coverage_is_right_to_the_last_outcome(games, ahead):
    p, covered = 1 / (1 + 10 ** (-ahead / 400)), 0.0
    for won in range(games + 1):
        found = rate([[0, games - won], [won, 0]])[1]
        if found.low <= ahead <= found.high:
            covered += comb(games, won) * p**won * (1 - p) ** (games - won)
    assert 0.94 < covered < 0.99


def test_the_interval_narrows_as_the_root_of_the_number_of_games():
    few, many = rate([[0, 36], [64, 0]])[1], rate([[0, 576], [1024, 0]])[1]
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(4, rel=0.02)


def test_draws_count_half_and_make_the_interval_cautious_not_wrong():
    rng, inside = Random(2), []
    for _ in range(80):
        _, found = rate(tournament([0, 60], 60, rng, draws=0.5))
        inside.append(found.low <= 60 <= found.high)
    assert sum(inside) >= 78
    assert rate([[0, 50], [50, 0]])[1].value == pytest.approx(0, abs=1e-6)


def test_seventy_six_points_of_a_hundred_are_two_hundred_elo():
    assert rate([[0, 24], [76, 0]])[1].value == pytest.approx(200, abs=5)


def test_a_cycle_gets_equal_players_and_wide_intervals_however_often_it_is_played():
    for games in (10, 1000):
        ratings = rate([[0, games, 0], [0, 0, games], [games, 0, 0]])
        assert [rating.value for rating in ratings] == pytest.approx([0, 0, 0], abs=1e-6)
        assert all(rating.low < -400 and rating.high > 400 for rating in ratings[1:])
    fair = rate([[0, 500, 500], [500, 0, 500], [500, 500, 0]])
    assert fair[1].high < 30


def test_the_first_player_is_the_anchor_and_a_player_alone_is_one():
    points = tournament([0, 100, 300], 40, Random(3))
    first = rate(points)
    assert (first[0].value, first[0].low, first[0].high) == (0, 0, 0)
    turned = rate([[points[i][j] for j in (2, 1, 0)] for i in (2, 1, 0)])
    assert turned[2].value == pytest.approx(-first[2].value, abs=1e-6)
    assert turned[1].value == pytest.approx(first[1].value - first[2].value, abs=1e-6)
    (alone,) = rate([[0]])
    assert (alone.value, alone.low, alone.high) == (0, 0, 0)


def test_a_player_who_won_all_or_never_played_is_rated_with_a_wide_interval():
    winner = rate([[0, 0], [24, 0]])[1]
    assert 400 < winner.value < 1500 and winner.low > 0 and winner.high - winner.low > 800
    stranger = rate([[0, 5, 0], [5, 0, 0], [0, 0, 0]])[2]
    assert stranger.value == pytest.approx(0, abs=1e-6) and stranger.high - stranger.low > 2000


def test_what_a_player_takes_from_itself_does_not_count():
    assert rate([[9, 10], [20, 7]]) == rate([[0, 10], [20, 0]])


@pytest.mark.parametrize("points", [[], [[0, 1]], [[0, -1], [1, 0]], [[0, float("nan")], [1, 0]]])
def test_what_is_no_table_of_points_is_refused(points):
    with pytest.raises(ValueError, match="square matrix"):
        rate(points)
