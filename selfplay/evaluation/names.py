"""Do the names in a program tell the solver something? They could be a channel from proposer to solver, which share
their weights."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from selfplay.config import Config
from selfplay.curriculum.bank import Bank
from selfplay.curriculum.samplers import Mixture
from selfplay.families import Family
from selfplay.policy.engine import Engine
from selfplay.records import Sampling, Task, Verdict
from selfplay.rollouts.crew import Crew
from selfplay.rollouts.solve import solve
from selfplay.seeds import derive


async def gap(engine: Engine, config: Config, families: Mapping[str, Family], bank: Bank) -> dict[str, float]:
    """`solver/name_gap`: the solve rate at some of the newest tasks as they are, less that at the same tasks with
    neutral names in their programs. Absent where no task's program has names of its own."""
    newest = bank.draw(families, Mixture({"recent": 1.0}), config.evaluation.name_gap, Random(0))
    pairs = [(task, plain) for task in newest if (plain := families[task.family].renamed(task)) not in (None, task)]
    rates = [await _rate(engine, config, families, [pair[side] for pair in pairs]) for side in (0, 1) if pairs]
    return {"solver/name_gap": rates[0] - rates[1]} if rates else {}


async def _rate(engine: Engine, config: Config, families: Mapping[str, Family], tasks: list[Task | None]) -> float:
    sampling = Sampling(config.curriculum.answer_tokens, config.sampler.temperature)
    seeds = [derive("names", index) for index in range(config.curriculum.attempts)]
    async with Crew(engine) as crew:
        jobs = [
            crew.spawn(solve(crew, engine, families[task.family], task, sampling, seeds, config.model.style))
            for task in tasks
            if task is not None
        ]
    verdicts = [attempt.verdict for job in jobs for attempt in job.result()]
    return verdicts.count(Verdict.CORRECT) / len(verdicts)
