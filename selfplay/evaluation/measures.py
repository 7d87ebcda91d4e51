"""The measures of a run's ending, one function a role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games import Game
from games.opponents import RandomOpponent
from selfplay.config import Config
from selfplay.evaluation import heldout, strategy
from selfplay.families import Family
from selfplay.policy.engine import Engine
from selfplay.records import Brief, End, Episode, Sampling, Verdict
from selfplay.rollouts.crew import Crew
from selfplay.rollouts.play import play
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
        jobs = [
            crew.spawn(proposer(crew, engine, config, family))
            for family in families.values()
            if config.evaluation.proposals
        ]
        jobs += [
            crew.spawn(solver(crew, engine, config, family)) for family in families.values() if config.evaluation.tasks
        ]
        if games and config.evaluation.games:
            jobs.append(crew.spawn(against_random(crew, engine, config, games, player)))
        jobs += [crew.spawn(strategy.measure(crew, engine, game, player)) for game in solved.values()]
    return together([job.result() for job in jobs], len(families))


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


async def against_random(
    crew: Crew, engine: Engine, config: Config, games: Mapping[str, Game], player: Player
) -> dict[str, float]:
    """Each game against a uniformly random player, every deal once from each seat.

    `legal_rate`: share of the policy's moves that are legal. `score_vs_random`: mean return, scaled to [0, 1] by the
    game's range; an illegal move is a loss.
    """
    episodes: list[Episode] = await crew.gather(
        _one(engine, config, game, player, place, seat)
        for game in games.values()
        for place in range(max(1, config.evaluation.games // 2))
        for seat in (0, 1)
    )
    return player_measures(episodes, games)


def player_measures(episodes: Sequence[Episode], games: Mapping[str, Game]) -> dict[str, float]:
    """The measures of `against_random` over given episodes, over all games and by game."""
    measures: dict[str, float] = {}
    for prefix, mine in [
        ("player", list(episodes)),
        *((name, [e for e in episodes if e.game == name]) for name in games),
    ]:
        asked = [ply for episode in mine for ply in episode.plies if ply.turn is not None]
        scores = [_score(episode, games[episode.game]) for episode in mine]
        measures[f"{prefix}/legal_rate"] = sum(ply.action is not None for ply in asked) / len(asked)
        measures[f"{prefix}/score_vs_random"] = sum(scores) / len(scores)
        measures[f"{prefix}/forfeit_rate"] = sum(e.end is End.INVALID for e in mine) / len(mine)
    return measures


async def _one(engine: Engine, config: Config, game: Game, player: Player, place: int, seat: int) -> Episode:
    sampling = Sampling(config.games.max_tokens, config.sampler.temperature)
    seed = derive("evaluation", game.name, place)
    opponents = {other: RandomOpponent() for other in range(len(game.roles)) if other != seat}
    return await play(engine, game, player, sampling, seed, 2 * place + seat, opponents, config.games.retries)


def _score(episode: Episode, game: Game) -> float:
    low, high = game.utility_range
    return (episode.returns[episode.opponents.index("policy")] - low) / (high - low)


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
