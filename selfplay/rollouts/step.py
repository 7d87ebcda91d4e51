"""All rollouts of one step, in flight together: proposals, attempts at new tasks and replays, games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from games import Game
from selfplay.clock import Clock
from selfplay.config import Config
from selfplay.curriculum.bank import Bank
from selfplay.curriculum.plan import Assignment, Match, Plan
from selfplay.families import Family
from selfplay.league import Rival
from selfplay.policy.engine import Engine
from selfplay.records import Attempt, Episode, Proposal, Refusal, Sampling, Task, Verdict
from selfplay.rollouts.crew import Crew
from selfplay.rollouts.play import play
from selfplay.rollouts.propose import propose
from selfplay.rollouts.solve import solve
from selfplay.seeds import derive
from solvers.player import Player


@dataclass
class Rollouts:
    """Roll a plan out. A task is attempted the moment it is admitted, while other proposals are still being written; in
    a deterministic run admissions happen in the order of the requests."""

    step: int
    config: Config
    engine: Engine
    bank: Bank
    families: Mapping[str, Family]
    games: Mapping[str, Game]
    player: Player
    rival: Rival | None = None
    attempted: dict[str, Task] = field(default_factory=dict)
    evicted: dict[str, Refusal] = field(default_factory=dict)
    """Replays whose truth no longer held when they were run again, by task id."""
    progress: Callable[[str], None] = lambda text: None
    verifying: Clock = field(init=False)
    """The time in which any verifier was at work, and how much of it the policy was at work too."""
    _proposals: dict[int, Proposal] = field(default_factory=dict)
    _episodes: dict[int, Episode] = field(default_factory=dict)
    _attempts: dict[int, list[Attempt]] = field(default_factory=dict)
    _started: int = 0
    _planned: int = 0

    def __post_init__(self) -> None:
        self.verifying = Clock(beside=self.engine.busy)

    async def run(self, plan: Plan) -> None:
        self._planned = len(plan.assignments)
        async with Crew(self.engine, *([self.rival.engine] if self.rival else [])) as crew:
            for assignment in plan.assignments:
                crew.spawn(self._propose(crew, assignment))
            for place, task in enumerate(plan.replays):
                crew.spawn(self._replay(crew, task, place - len(plan.replays)))
            for match in plan.matches:
                crew.spawn(self._play(match))

    @property
    def proposals(self) -> list[Proposal]:
        """In the order of the plan."""
        return [self._proposals[index] for index in sorted(self._proposals)]

    @property
    def episodes(self) -> list[Episode]:
        return [self._episodes[index] for index in sorted(self._episodes)]

    @property
    def attempts(self) -> list[Attempt]:
        """Every attempt of the step, replays first, numbered."""
        ordered = [attempt for place in sorted(self._attempts) for attempt in self._attempts[place]]
        return [replace(attempt, index=index) for index, attempt in enumerate(ordered)]

    async def _propose(self, crew: Crew, asked: Assignment) -> None:
        seed = derive(self.config.seed, self.step, "proposal", asked.index)
        sampling = self._sampling(self.config.curriculum.max_tokens, seed)
        family, style = self.families[asked.brief.family], self.config.model.style
        proposal = await propose(
            self.engine, family, asked.brief, asked.group, asked.index, sampling, style, self.verifying
        )
        if self.config.deterministic:
            await crew.in_order(asked.index)
        if proposal.task is not None:
            task = replace(proposal.task, step=self.step)
            refusal = self.bank.admit(task)
            proposal = replace(proposal, task=None if refusal else task, refusal=refusal)
            if not refusal and self._started < self.config.curriculum.new_tasks:
                self._started += 1
                crew.spawn(self._solve(crew, task, asked.index))
        self._proposals[asked.index] = proposal
        self._tell()
        if self.config.deterministic:
            crew.passed()

    async def _replay(self, crew: Crew, task: Task, place: int) -> None:
        """Attempt a task of the bank again, once its truth has been shown to hold still."""
        with self.verifying:
            refusal = await self.families[task.family].recheck(task)
        if refusal:
            self.evicted[task.id] = refusal
        else:
            await self._solve(crew, task, place)

    async def _solve(self, crew: Crew, task: Task, place: int) -> None:
        """The first attempts, and more where those disagree: they tell most about a task that is sometimes solved."""
        wanted = self.config.curriculum
        total = wanted.attempts + wanted.more_attempts
        seeds = [derive(self.config.seed, self.step, "attempt", task.id, index) for index in range(total)]
        sampling = self._sampling(wanted.answer_tokens, None)
        family, style = self.families[task.family], self.config.model.style
        found: list[Attempt] = []
        for some in (seeds[: wanted.attempts], seeds[wanted.attempts :]):
            right = sum(attempt.verdict is Verdict.CORRECT for attempt in found)
            if some and (not found or 0 < right < len(found)):
                found += await solve(crew, self.engine, family, task, sampling, some, style, self.verifying)
        self._attempts[place] = found
        self.attempted[task.id] = task
        self._tell()

    async def _play(self, match: Match) -> None:
        sampling = self._sampling(self.config.games.max_tokens, None)
        self._episodes[match.index] = await play(
            self.engine,
            self.games[match.game],
            self.player,
            sampling,
            match.seed,
            match.index,
            retries=self.config.games.retries,
            rivals={match.rival: self.rival} if self.rival and match.rival is not None else {},
            explore=self.config.training.explore > 0,
        )
        self._tell()

    def _tell(self) -> None:
        proposals = f"{len(self._proposals)} of {self._planned} proposals, " if self._planned else ""
        self.progress(f"{proposals}{len(self._attempts)} tasks attempted, {len(self._episodes)} games")

    def _sampling(self, max_tokens: int, seed: int | None) -> Sampling:
        return Sampling(max_tokens, self.config.sampler.temperature, seed=seed)
