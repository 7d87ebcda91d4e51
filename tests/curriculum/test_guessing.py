"""Luck, as seen in answers, and what it may earn. Solvers are scripted: a rate, and how their wrong answers spread."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

import pytest

from selfplay.curriculum.guessing import guess_rate, without_luck
from selfplay.curriculum.posterior import Posterior, Scorer
from selfplay.curriculum.scorers.one_minus import OneMinus
from selfplay.curriculum.scorers.variance import Variance

Answers: TypeAlias = list[tuple[str | None, bool]]
Solver: TypeAlias = Callable[[Random], str | None]
"""One attempt at a task whose right answer is `right`."""
VARIANCE = Variance()


def guesser(options: int) -> Solver:
    """Knows what the options are, and nothing else."""
    return lambda rng: rng.choice(["right", *(f"wrong {place}" for place in range(options - 1))])


def skilled(rate: float, mistakes: int) -> Solver:
    """Solves the task at a rate; otherwise makes one of many mistakes, the k-th most common with weight 1/k."""
    names, weights = [f"wrong {k}" for k in range(mistakes)], [1 / (1 + k) for k in range(mistakes)]
    return lambda rng: "right" if rng.random() < rate else rng.choices(names, weights)[0]


def different(rate: float) -> Solver:
    """Solves the task at a rate; otherwise errs in a way of its own."""
    return lambda rng: "right" if rng.random() < rate else f"wrong {rng.random()}"


def attempts(solver: Solver, rng: Random, count: int = 8) -> Answers:
    return [(answer, answer == "right") for answer in (solver(rng) for _ in range(count))]


def seen(answers: Answers) -> Posterior:
    return Posterior(sum(correct for _, correct in answers), len(answers))


def earned(solver: Solver, tasks: int = 200, seed: int = 0, scorer: Scorer = VARIANCE, blind: float = 0.0) -> float:
    """What proposing such tasks for ever earns in the mean."""
    rng = Random(seed)
    made = [attempts(solver, rng) for _ in range(tasks)]
    return sum(scorer(seen(one).known(guess_rate(one, blind))) for one in made) / tasks


def paid(solver: Solver, tasks: int = 200, seed: int = 0) -> float:
    """The same, luck and all."""
    rng = Random(seed)
    return sum(VARIANCE(seen(attempts(solver, rng))) for _ in range(tasks)) / tasks


def test_two_answers_are_a_coin() -> None:
    assert guess_rate([("yes", True), ("no", False), ("no", False), ("yes", True)]) == pytest.approx(0.5)


def test_nothing_is_known_of_luck_where_wrong_answers_all_differ_or_are_fewer_than_two() -> None:
    assert guess_rate([("1", False), ("2", False), ("3", False), ("4", True)]) == 0
    assert guess_rate([("1", False), ("2", True)]) == 0
    assert guess_rate([]) == 0


def test_attempts_without_an_answer_were_no_guesses() -> None:
    assert guess_rate([(None, False)] * 4) == 0
    # of 4 wrong ones, 2 were guesses: 1 lucky guess is expected beside them, and 2 right of 6 leave 1 for knowledge
    rate = guess_rate([("no", False)] * 2 + [(None, False)] * 2)
    assert rate == pytest.approx(0.5 / 1.5)


def test_the_verifier_s_own_rate_is_never_lowered() -> None:
    assert guess_rate([("1", False), ("2", False)], blind=0.3) == 0.3
    assert guess_rate([("no", False)] * 3, blind=0.3) == pytest.approx(0.5)
    assert guess_rate([("no", False)] * 3, blind=0.9) == 0.9
    with pytest.raises(ValueError, match="blind"):
        guess_rate([], blind=1.5)


@pytest.mark.parametrize("options", [2, 3, 4, 6])
def test_with_many_attempts_a_guess_among_equal_options_is_right_at_the_rate_found(options: int) -> None:
    found = guess_rate(attempts(guesser(options), Random(1), 400))
    assert found == pytest.approx(1 / options, abs=0.02)


def test_a_coin_flip_proposed_for_ever_earns_about_nothing() -> None:
    assert paid(guesser(2)) > 0.45
    assert earned(guesser(2)) <= 0.05
    assert earned(guesser(2), tasks=2000) <= 0.03


def test_no_number_of_options_makes_guessing_pay_and_least_where_the_verifier_knows_it() -> None:
    for options in (3, 4, 6, 10):
        assert earned(guesser(options), tasks=2000) <= 0.12
        assert earned(guesser(options), tasks=2000, blind=1 / options) <= 0.04


@pytest.mark.parametrize("rate", [0.2, 0.3, 0.4])
def test_a_hard_task_whose_mistakes_differ_keeps_all_of_its_worth(rate: float) -> None:
    assert earned(different(rate)) == pytest.approx(paid(different(rate)))


def test_a_hard_task_with_common_mistakes_keeps_most_of_its_worth() -> None:
    kept = [earned(skilled(p, 30), 2000) / paid(skilled(p, 30), 2000) for p in (0.2, 0.3, 0.4)]
    assert kept[0] > 0.65 and kept[1] > 0.77 and kept[2] > 0.82


def test_a_task_solved_seven_times_of_eight_keeps_nearly_all_of_its_worth() -> None:
    assert earned(skilled(7 / 8, 30), 1000) > 0.9 * paid(skilled(7 / 8, 30), 1000)


def test_one_systematic_mistake_cannot_be_told_from_a_biased_coin() -> None:
    """A limit, stated: the task is learnable, and earns nothing."""
    assert earned(skilled(0.3, 1), 1000) < 0.02


def test_the_paper_s_scorer_does_not_pay_coins_either() -> None:
    assert earned(guesser(2), tasks=2000, scorer=OneMinus()) <= 0.06


def test_taking_luck_off_never_raises_a_worth() -> None:
    easy = Posterior(20, 24)
    assert VARIANCE(easy.known(0.5)) > VARIANCE(easy)
    assert without_luck(VARIANCE, easy, 0.5) == VARIANCE(easy)
    assert without_luck(VARIANCE, Posterior(4, 8), 0.5) == 0
