"""From a step's attempts to what each task is worth: the bank learns, and the proposer will be rewarded by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from selfplay.curriculum.bank import Bank
from selfplay.curriculum.guessing import guess_rate
from selfplay.curriculum.posterior import Posterior
from selfplay.families import Family
from selfplay.records import Attempt, Task, Verdict


@dataclass(frozen=True)
class Measured:
    """By task id: its learnability now, and the rate at which luck alone is right."""

    learnability: Mapping[str, float]
    guesses: Mapping[str, float]


def measure(
    attempts: Sequence[Attempt], tasks: Mapping[str, Task], families: Mapping[str, Family], bank: Bank
) -> Measured:
    """`tasks` holds each task that was attempted, by id; its attempts are folded into the bank."""
    tries: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        tries.setdefault(attempt.task_id, []).append(attempt)
    learnability, guesses = {}, {}
    for task_id, mine in tries.items():
        family = families[tasks[task_id].family]
        right = [attempt.verdict is Verdict.CORRECT for attempt in mine]
        answers = [(family.normal(attempt.answer), ok) for attempt, ok in zip(mine, right, strict=True)]
        guesses[task_id] = guess_rate(answers, family.guess(tasks[task_id]))
        learnability[task_id] = bank.record(task_id, Posterior(sum(right), len(right)), guesses[task_id])
    return Measured(learnability, guesses)
