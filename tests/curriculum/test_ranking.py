"""A scripted solver whose true solve rate is known for each task: does what the engine measures agree with it?"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from selfplay.config import Config
from selfplay.curriculum.posterior import Posterior
from selfplay.records import Verdict
from selfplay.seeds import rng as seeded
from tests.scripted import Played, play

TASKS = 300


def rate_of(number: int) -> float:
    """As in a curriculum: half of the tasks are out of reach, a fifth are easy, the rest lie between."""
    chance = seeded("rate", number)
    kind = chance.random()
    return 0.0 if kind < 0.5 else 1.0 if kind < 0.7 else chance.betavariate(3, 3)


def script(prompt: str, rng: Random) -> str:
    """Proposes `n * K + 5`, each K once; solves it with K's own rate, and errs in ways that do not repeat."""
    if prompt.startswith("# Different"):
        return f"n):\n    return n * {rng.randrange(10**9)} + 5\n# input: 3"
    factor = int(prompt.rpartition(" * ")[2].partition(" ")[0]) if " * " in prompt.rpartition("\n\n")[2] else 0
    right = rng.random() < rate_of(factor)
    return f" {3 * factor + 5}" if right else f" {rng.randrange(10**12)}"


@pytest.fixture(scope="module")
def run() -> Played:
    wanted = {"families": ["deduction"], "proposals": TASKS, "new_tasks": TASKS, "replays": 0, "attempts": 8}
    nothing = {"names": [], "episodes": 0}
    recipe = {"curriculum": wanted, "games": nothing, "evaluation": {"exploitability": []}}
    return play(Config.model_validate(recipe), script, 1)


def truth(run: Played) -> tuple[list[str], np.ndarray]:
    ids = [p.task.id for p in run.proposals if p.task is not None]
    factors = [int(run.tasks[id].body["code"].partition(" * ")[2].partition(" ")[0]) for id in ids]
    return ids, np.array([rate_of(factor) for factor in factors])


def test_the_posterior_covers_the_true_rate_as_often_as_it_says(run: Played) -> None:
    ids, rates = truth(run)
    assert len(ids) == TASKS
    between = (rates > 0) & (rates < 1)
    inside = []
    for id, rate in zip(ids, rates, strict=True):
        verdicts = [attempt.verdict is Verdict.CORRECT for attempt in run.attempts if attempt.task_id == id]
        assert len(verdicts) == 8
        low, high = Posterior(sum(verdicts), 8).interval(0.9)
        inside.append(low <= rate <= high)
        if rate in (0.0, 1.0):
            assert sum(verdicts) == 8 * rate
    assert np.mean(np.array(inside)[between]) > 0.85


def test_learnability_ranks_tasks_as_their_true_variance_does(run: Played) -> None:
    """0.9 needs a population like a curriculum's: from eight draws a task nobody can rank uniform rates better than
    0.70 (`test_scorers` has the limits of several populations)."""
    ids, rates = truth(run)
    worth = np.array([run.measured[0].learnability[id] for id in ids])
    assert _spearman(worth, 4 * rates * (1 - rates)) >= 0.9


def _spearman(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.corrcoef(_ranks(one), _ranks(other))[0, 1])


def _ranks(values: np.ndarray) -> np.ndarray:
    """Average ranks, ties shared."""
    _, place, counts = np.unique(values.round(9), return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]
