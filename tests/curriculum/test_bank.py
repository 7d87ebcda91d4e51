from __future__ import annotations

from collections import Counter
from random import Random

from selfplay.curriculum.bank import Bank
from selfplay.curriculum.posterior import Posterior
from selfplay.curriculum.scorers.variance import Variance
from selfplay.records import Refusal, Task


def task(name: str, family: str = "deduction", code: str | None = None) -> Task:
    return Task(name, family, {"code": code or name, "input": "1"}, "1")


def bank(*tasks: Task) -> Bank:
    """Two tasks are the same when their code is."""
    made = Bank(lambda task: task.body["code"], Variance())
    for one in tasks:
        assert made.admit(one) is None
    return made


def test_a_task_is_admitted_once() -> None:
    made = bank(task("a"))
    refusal = made.admit(task("b", code="a"))
    assert isinstance(refusal, Refusal) and refusal.gate == "novelty" and refusal.detail
    assert len(made) == 1
    assert made.admit(task("c")) is None and len(made) == 2


def test_a_restored_bank_knows_its_tasks_and_their_difficulty() -> None:
    made = bank()
    made.restore([(task("a"), 8, 4), (task("b"), 8, 0)])
    assert len(made) == 2
    refusal = made.admit(task("z", code="b"))
    assert refusal is not None and refusal.gate == "novelty"
    firsts = Counter(made.replays(["deduction"], 1, Random(seed))[0].id for seed in range(200))
    assert firsts["a"] > 150, "the one that half of the attempts solved"


def test_restored_and_recorded_difficulties_choose_the_same_replays() -> None:
    seen = {"a": Posterior(1, 8), "b": Posterior(4, 8), "c": Posterior(8, 8)}
    lived, restored = bank(*map(task, seen)), bank()
    for name, posterior in seen.items():
        lived.record(name, Posterior(posterior.correct, 5 if posterior.correct < 5 else 8))
        lived.record(name, Posterior(0, 3 if posterior.correct < 5 else 0))
    restored.restore((task(name), posterior.attempts, posterior.correct) for name, posterior in seen.items())
    for seed in range(20):
        assert lived.replays(["deduction"], 2, Random(seed)) == restored.replays(["deduction"], 2, Random(seed))


def test_replays_prefer_what_is_learnable_and_what_was_never_measured() -> None:
    made = bank(task("solved"), task("half"), task("unknown"), task("impossible"))
    made.record("solved", Posterior(8, 8))
    made.record("half", Posterior(4, 8))
    made.record("impossible", Posterior(0, 8))
    drawn = Counter(one.id for seed in range(400) for one in made.replays(["deduction"], 2, Random(seed)))
    assert min(drawn["half"], drawn["unknown"]) > 3 * max(drawn["solved"], drawn["impossible"])
    assert drawn["solved"] and drawn["impossible"], "a difficulty that changed is found out"


def test_replays_are_different_tasks_of_the_families_asked_for() -> None:
    made = bank(*(task(f"d{i}") for i in range(5)), *(task(f"m{i}", "maths") for i in range(5)))
    found = made.replays(["maths"], 3, Random(0))
    assert len({one.id for one in found}) == 3 and {one.family for one in found} == {"maths"}
    assert len(made.replays(["deduction", "maths"], 99, Random(0))) == 10
    assert made.replays([], 3, Random(0)) == []


def test_references_are_different_tasks_of_the_family_half_of_them_late_ones() -> None:
    made = bank(task("x", "maths"), *(task(f"t{i}") for i in range(200)))
    late = {f"t{i}" for i in range(168, 200)}
    for seed in range(30):
        found = made.references("deduction", 6, Random(seed))
        assert len({one.id for one in found}) == 6 and {one.family for one in found} == {"deduction"}
        assert len({one.id for one in found} & late) >= 3
    early = {one.id for seed in range(30) for one in made.references("deduction", 6, Random(seed))} - late
    assert len(early) > 40


def test_references_are_as_many_as_there_are() -> None:
    made = bank(task("a"), task("b"))
    assert {one.id for one in made.references("deduction", 5, Random(0))} == {"a", "b"}
    assert made.references("deduction", 0, Random(0)) == []
    assert bank().references("deduction", 3, Random(0)) == []
