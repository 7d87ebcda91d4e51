"""Attempts at one task: G independent samples that measure its difficulty and train the solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from selfplay.clock import Clock
from selfplay.families import Family
from selfplay.policy.engine import Engine
from selfplay.records import Attempt, Sampling, Task, Verdict
from selfplay.rollouts.ask import ask
from selfplay.rollouts.crew import Crew


async def solve(
    crew: Crew,
    engine: Engine,
    family: Family,
    task: Task,
    sampling: Sampling,
    seeds: Sequence[int],
    style: str,
    clock: Clock | None = None,
) -> list[Attempt]:
    """One attempt a seed, judged together. Their `index` is the place among them."""
    prompt = family.solver.prompt(task, style)
    sampling = replace(sampling, stop=family.solver.stop(style))
    turns = await crew.gather(ask(engine, prompt, "solver", task.id, replace(sampling, seed=seed)) for seed in seeds)
    answers = [family.solver.read(turn.completion.text, style) for turn in turns]
    with clock or Clock():
        verdicts: list[Verdict] = await family.verifier.judge(task, answers)
    return [
        Attempt(task.id, task.family, index, turn, answer, verdict)
        for index, (turn, answer, verdict) in enumerate(zip(turns, answers, verdicts, strict=True))
    ]
