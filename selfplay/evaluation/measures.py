"""The measures of a run's ending, one function a role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games import Game
from selfplay.config import Config
from selfplay.evaluation import against, heldout, strategy
from selfplay.families import Family
from selfplay.policy.engine import Engine
from selfplay.records import Brief, Sampling, Verdict
from selfplay.rollouts.crew import Crew
from selfplay.rollouts.propose import propose
from selfplay.rollouts.solve import solve
from selfplay.seeds import derive
from solvers.player import Player


async def evaluate(
    engine: Engine,
    config: Config,
    families: Mapping[str, Family],
    games: Mapping[str, Game],
    solved: Mapping[str, Game],
    player: Player,
) -> dict[str, float]:
    """All measures that the recipe asks for, sampled at the temperature it trains at, from seeds that do not depend on
    the run's."""
    async with Crew(engine) as crew:
        asked = [
            crew.spawn(proposer(crew, engine, config, family))
            for family in families.values()
            if config.evaluation.proposals
        ]
        asked += [
            crew.spawn(solver(crew, engine, config, family)) for family in families.values() if config.evaluation.tasks
        ]
        played = crew.spawn(playing(crew, engine, config, games, solved, player))
    return together([job.result() for job in asked], len(families)) | played.result()


async def playing(
    crew: Crew,
    engine: Engine,
    config: Config,
    games: Mapping[str, Game],
    solved: Mapping[str, Game],
    player: Player,
) -> dict[str, float]:
    """The measures of the games alone: against the opponents of the recipe, and exploitability where it is exact."""
    asked = [strategy.measure(crew, engine, game, player) for game in solved.values()]
    if games and config.evaluation.games:
        asked.append(against.measure(crew, engine, config, games, player))
    return {key: value for found in await crew.gather(asked) for key, value in found.items()}


async def proposer(crew: Crew, engine: Engine, config: Config, family: Family) -> dict[str, float]:
    """`valid_rate`: share of proposals that pass every gate (novelty is not asked); `distinct_rate`: share that are
    valid and differ from all before them. The references are the family's seeds."""
    seeds = await family.seeds()
    brief = Brief(family.name, tuple(seeds[: config.curriculum.references]), seeds[0] if family.sources else None)
    sampling = Sampling(config.curriculum.max_tokens, config.sampler.temperature)
    count = config.evaluation.proposals
    proposals = await crew.gather(
        propose(engine, family, brief, "evaluation", i, _seeded(sampling, "proposal", i), config.model.style)
        for i in range(count)
    )
    valid = [proposal.task for proposal in proposals if proposal.task is not None]
    distinct = {task.identities[0] for task in valid}
    return {
        f"proposer/{family.name}/valid_rate": len(valid) / count,
        f"proposer/{family.name}/distinct_rate": len(distinct) / count,
    }


async def solver(crew: Crew, engine: Engine, config: Config, family: Family) -> dict[str, float]:
    """`solve_rate`: share of correct attempts at the family's fixed tasks; `answered_rate`: share that held an answer
    at all."""
    tasks = await heldout.tasks(family, config.evaluation.tasks)
    sampling = Sampling(config.curriculum.answer_tokens, config.sampler.temperature)
    tries = range(config.evaluation.attempts)
    groups = await crew.gather(
        solve(
            crew, engine, family, task, sampling, [derive("evaluation", task.id, i) for i in tries], config.model.style
        )
        for task in tasks
    )
    verdicts = [attempt.verdict for group in groups for attempt in group]
    if not verdicts:
        return {}
    return {
        f"solver/{family.name}/solve_rate": verdicts.count(Verdict.CORRECT) / len(verdicts),
        f"solver/{family.name}/answered_rate": 1 - verdicts.count(Verdict.UNPARSED) / len(verdicts),
    }


def _seeded(sampling: Sampling, *names: object) -> Sampling:
    return Sampling(sampling.max_tokens, sampling.temperature, sampling.stop, derive("evaluation", *names))


def together(results: Sequence[Mapping[str, float]], families: int) -> dict[str, float]:
    """One dict. `role/family/measure` becomes a mean over the families, `role/measure`, and is kept beside it where
    there are several."""
    found: dict[str, float] = {}
    means: dict[str, list[float]] = {}
    for result in results:
        for key, value in result.items():
            role, *middle, measure = key.split("/")
            if middle:
                means.setdefault(f"{role}/{measure}", []).append(value)
            if not middle or families > 1:
                found[key] = value
    return {key: sum(values) / len(values) for key, values in means.items()} | found
