from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from selfplay.curriculum.bank import Bank
from selfplay.curriculum.posterior import Posterior
from selfplay.curriculum.samplers import Mixture
from selfplay.curriculum.scorers.variance import Variance
from selfplay.errors import UserError
from selfplay.records import Refusal, Task

UNIFORM, FRONTIER, RECENT, FAILED = ({name: 1.0} for name in ("uniform", "frontier", "recent", "failed"))


def task(name: str, family: str = "deduction", *identities: str, themes: tuple[str, ...] = ()) -> Task:
    return Task(name, family, {"code": name}, "1", identities=identities or (name,), themes=themes)


def bank(*tasks: Task, capacity: int = 4096, decay: float = 1.0) -> Bank:
    made = Bank(Variance(), capacity=capacity, decay=decay)
    for one in tasks:
        assert made.admit(one) is None
    return made


def drawn(made: Bank, shares: dict[str, float], count: int, seeds: int = 300) -> Counter[str]:
    mixture = Mixture(shares)
    return Counter(t.id for seed in range(seeds) for t in made.draw(["deduction"], mixture, count, Random(seed)))


def test_a_task_is_admitted_once_and_sharing_one_identity_is_enough() -> None:
    made = bank(task("a", "deduction", "program:1", "behaviour:1"))
    for identities in (("program:1", "behaviour:2"), ("program:2", "behaviour:1")):
        refusal = made.admit(task("b", "deduction", *identities))
        assert isinstance(refusal, Refusal) and refusal.gate == "novelty" and refusal.detail
    assert made.admit(task("c", "deduction", "program:2", "behaviour:2")) is None
    assert len(made) == made.admitted == 2


def test_the_archive_is_asked_about_what_is_no_longer_active() -> None:
    made = Bank(Variance(), archive=lambda identities: "old" in identities)
    assert made.admit(task("a", "deduction", "new")) is None
    refusal = made.admit(task("b", "deduction", "old", "newer"))
    assert refusal is not None and refusal.gate == "novelty"
    made.stored()
    assert made.admit(task("c", "deduction", "new")) is None, "what is stored is the archive's to know"


def test_what_the_fixed_evaluation_asks_is_never_admitted() -> None:
    made = bank()
    made.reserve([task("held", "deduction", "program:1")])
    refusal = made.admit(task("a", "deduction", "program:1"))
    assert refusal is not None and refusal.gate == "novelty" and "evaluation" in refusal.detail


def test_a_restored_bank_draws_like_the_one_that_lived() -> None:
    visits = {"a": [(1, 5), (0, 3)], "b": [(4, 8)], "c": [], "d": [(0, 4), (4, 4), (1, 2)]}
    lived, restored = bank(*map(task, visits), decay=0.8), Bank(Variance(), decay=0.8)
    for name, seen in visits.items():
        for correct, attempts in seen:
            lived.record(name, Posterior(correct, attempts), guess=0.1)
    rows = [(task(n), i + 1, [(Posterior(*v), 0.1) for v in seen]) for i, (n, seen) in enumerate(visits.items())]
    restored.restore(rows, 4)
    for shares in (UNIFORM, FRONTIER, RECENT, FAILED):
        assert drawn(lived, shares, 2, 50) == drawn(restored, shares, 2, 50)


def test_the_frontier_prefers_what_is_learnable_and_what_was_never_measured() -> None:
    made = bank(task("solved"), task("half"), task("unknown"), task("impossible"))
    made.record("solved", Posterior(16, 16))
    made.record("half", Posterior(8, 16))
    made.record("impossible", Posterior(0, 16))
    found = drawn(made, FRONTIER, 1)
    assert min(found["half"], found["unknown"]) > 3 * max(found["solved"], found["impossible"])
    assert drawn(made, FRONTIER, 2)["impossible"], "a difficulty that changed is found out"


def test_recent_draws_the_latest_and_failed_what_was_failed_but_not_hopelessly() -> None:
    made = bank(*(task(f"t{i}") for i in range(100)))
    assert set(drawn(made, RECENT, 1)) == {f"t{i}" for i in range(68, 100)}
    made.record("t1", Posterior(7, 8))
    made.record("t2", Posterior(2, 8))
    made.record("t3", Posterior(0, 8))
    found = drawn(made, FAILED, 1)
    assert set(found) == {"t2", "t3"} and found["t2"] > 3 * found["t3"]


def test_a_sampler_that_finds_nothing_to_its_taste_leaves_the_choice_open() -> None:
    made = bank(*(task(f"t{i}") for i in range(5)))
    assert set(drawn(made, FAILED, 1)) == {f"t{i}" for i in range(5)}


def test_a_mixture_draws_by_its_shares() -> None:
    made = bank(*(task(f"t{i}") for i in range(200)))
    found = drawn(made, {"recent": 3.0, "uniform": 1.0}, 1, 2000)
    late = sum(count for name, count in found.items() if int(name[1:]) >= 168) / 2000
    assert late == pytest.approx(0.75 + 0.25 * 32 / 200, abs=0.04)


def test_a_sampler_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(UserError, match="frontier"):
        Mixture({"fronteer": 1.0})


def test_draws_are_different_tasks_shared_evenly_over_the_families_asked_for() -> None:
    made = bank(*(task(f"d{i}") for i in range(50)), *(task(f"m{i}", "math") for i in range(5)))
    mixture = Mixture(UNIFORM)
    for seed in range(20):
        found = made.draw(["deduction", "math"], mixture, 6, Random(seed))
        assert len({t.id for t in found}) == 6 and Counter(t.family for t in found) == {"deduction": 3, "math": 3}
    assert Counter(t.family for t in made.draw(["deduction", "math"], mixture, 20, Random(0)))["math"] == 5
    assert len(made.draw(["deduction", "math"], mixture, 99, Random(0))) == 55
    assert made.draw([], mixture, 3, Random(0)) == [] == made.draw(["logic"], mixture, 3, Random(0))
    assert made.draw(["math"], mixture, 0, Random(0)) == []


def test_worth_falls_while_visits_bring_no_progress_and_comes_back_when_they_do() -> None:
    made = bank(task("a"), decay=0.5)
    worths = [made.record("a", Posterior(4, 8)) for _ in range(5)]
    assert all(later < 0.75 * earlier for earlier, later in zip(worths[1:], worths[2:], strict=False))
    assert made.record("a", Posterior(7, 8)) > worths[-1]


def test_luck_is_taken_off_the_solve_rate_before_a_task_is_scored() -> None:
    made = bank(task("coin"), task("hard"))
    assert made.record("coin", Posterior(8, 16), guess=0.5) < 0.05 < 0.5 < made.record("hard", Posterior(8, 16))


def test_a_task_that_is_let_go_is_drawn_until_the_step_is_settled_and_never_after() -> None:
    made = bank(task("a"), task("b"))
    made.evict("a", Refusal("determinism", "it changed"))
    made.evict("unknown", Refusal("determinism", "it changed"))
    assert "a" in made
    assert made.settle() == {"a": Refusal("determinism", "it changed")} and made.settle() == {}
    assert "a" not in made and set(drawn(made, UNIFORM, 2)) == {"b"}
    assert made.admit(task("c", "deduction", "a")) is not None, "it is still known"
    assert made.record("a", Posterior(4, 8)) > 0, "attempts that were under way are scored all the same"


def test_a_full_bank_lets_the_least_worth_keeping_go() -> None:
    made = bank(*(task(f"t{i}", themes=("text",) if i == 3 else ("numbers",)) for i in range(126)), capacity=100)
    for i in range(100):
        if i not in (3, 5):
            made.record(f"t{i}", Posterior(0, 8))
    made.record("t5", Posterior(4, 8))
    leaving = made.settle()
    assert len(leaving) == 26 and len(made) == 100 and {r.gate for r in leaving.values()} == {"capacity"}
    assert "t5" in made, "learnable"
    assert "t3" in made, "rare"
    assert all(f"t{i}" in made for i in range(100, 126)), "young and not yet measured"


def test_weights_draw_in_proportion_and_depend_on_no_order_of_changes() -> None:
    from selfplay.curriculum.weights import Weights

    rng = Random(0)
    one, other = Weights([1.0, 0.0, 3.0]), Weights()
    for place, weight in ((2, 3.0), (1, 5.0), (0, 1.0), (1, 0.0)):
        other.put(place, weight)
    counts = Counter(one.draw(rng) for _ in range(4000))
    assert counts[1] == 0 and counts[2] / counts[0] == pytest.approx(3, rel=0.15)
    assert [one.draw(Random(i)) for i in range(50)] == [other.draw(Random(i)) for i in range(50)]
    with pytest.raises(ValueError, match="every weight is 0"):
        Weights([0.0]).draw(rng)
