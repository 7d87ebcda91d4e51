from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from random import Random

from selfplay.config import Config
from selfplay.curriculum.plan import Plan
from selfplay.parts import Rules
from selfplay.records import Task, Verdict
from selfplay.rollouts.step import Rollouts
from tests.scripted import Scripted

BODY = {"code": "def f(n):\n    return n + 4", "input": "3"}
TRUE = Task("true", "deduction", BODY, "7")
FALSE = Task("false", "deduction", BODY, "8")


def rolled(script: Callable[[str, Random], str], plan: Plan, **curriculum: object) -> Rollouts:
    wanted = {"families": ["deduction"], "attempts": 4} | curriculum
    config = Config.model_validate({"curriculum": wanted, "evaluation": {"exploitability": []}})
    rules = Rules.assemble(config)
    bank = rules.bank()
    for number, task in enumerate(plan.replays):
        bank.admit(replace(task, identities=(str(number),)))
    try:
        rollouts = Rollouts(1, config, Scripted(script), bank, rules.families, rules.games, rules.player)
        asyncio.run(rollouts.run(plan))
        return rollouts
    finally:
        rules.close()


def test_a_task_whose_truth_holds_no_more_is_evicted_and_nobody_learns_from_it() -> None:
    found = rolled(lambda prompt, rng: " 8", Plan((), (TRUE, FALSE), ()))
    assert {attempt.task_id for attempt in found.attempts} == {"true"} == set(found.attempted)
    assert list(found.evicted) == ["false"] and found.evicted["false"].gate == "determinism"
    found.bank.evict("false", found.evicted["false"])
    assert set(found.bank.settle()) == {"false"}


def test_verification_has_a_clock_of_its_own() -> None:
    assert rolled(lambda prompt, rng: " 8", Plan((), (TRUE,), ())).verifying.seconds > 0


def test_more_attempts_are_made_where_the_first_disagree_and_only_there() -> None:
    def sometimes(prompt: str, rng: Random) -> str:
        return f" {7 if rng.random() < 0.5 else 8}"

    for script, count in ((sometimes, 10), (lambda p, r: " 7", 4), (lambda p, r: " 8", 4)):
        found = rolled(script, Plan((), (TRUE,), ()), more_attempts=6)
        assert len(found.attempts) == count and [a.index for a in found.attempts] == list(range(count))
        assert len({a.verdict for a in found.attempts}) == (2 if count == 10 else 1)
    assert found.attempts[0].verdict is Verdict.WRONG
