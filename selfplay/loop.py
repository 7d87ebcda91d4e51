"""The loop: propose, verify, solve, play, score, update, publish, record.

One set of weights plays every role. Rollouts of all roles are in flight together; the attempts that measure a task's
difficulty are the attempts that train the solver; one transaction stores the whole step or nothing of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from selfplay.curriculum.bank import Bank
from selfplay.curriculum.measure import measure
from selfplay.curriculum.plan import plan
from selfplay.errors import UserError
from selfplay.evaluation import names, round_robin
from selfplay.evaluation.estimate import BOUNDS
from selfplay.evaluation.measures import evaluate, playing
from selfplay.health import parity
from selfplay.health.alarms import Alarms
from selfplay.league import League
from selfplay.metrics import summarise
from selfplay.parts import Rules
from selfplay.records import Event, Refusal, Sample, Sampling, StepRecord, Task
from selfplay.rollouts.crew import Crew
from selfplay.rollouts.step import Rollouts
from selfplay.seeds import rng
from selfplay.training import checkpoint
from selfplay.views.ending import LEAGUE

if TYPE_CHECKING:
    from selfplay.policy.engine import Engine
    from selfplay.store.folder import RunFolder
    from selfplay.store.writer import Writer
    from selfplay.training.trainer import Trainer
    from selfplay.views.live import Live


def _spread(items: list, count: int) -> list:
    """Up to `count` of the items, evenly spaced: of every role's, since they are in its order."""
    return items[:: max(1, len(items) // count)][:count]


def _evictions(evicted: Mapping[str, Refusal]) -> list[Event]:
    return [Event("evicted", f"task {id}: {why.detail}", {"task": id, "gate": why.gate}) for id, why in evicted.items()]


class Loop:
    """One run in progress. `step` is the paper's algorithm."""

    def __init__(
        self,
        rules: Rules,
        engine: Engine,
        trainer: Trainer,
        bank: Bank,
        folder: RunFolder,
        store: Writer,
        live: Live,
        alarms: Alarms,
        league: League,
    ) -> None:
        self.rules, self.engine, self.trainer, self.bank = rules, engine, trainer, bank
        self.folder, self.store, self.live, self.alarms, self.league = folder, store, live, alarms, league
        self.config = rules.config
        self._probe = Sampling(max_tokens=8, temperature=self.config.sampler.temperature)
        self._seconds: dict[str, float] = {}

    async def run(self, seeds: list[Task]) -> None:
        """Every step that is not done yet, between the two evaluations. `seeds` are stored with the first step."""
        await self.evaluate("before", 0)
        for step in range(self.store.last_step() + 1, self.config.steps + 1):
            await self.step(step, seeds if step == 1 else [])
        await self.rate()
        await self.evaluate("after", self.config.steps)

    async def step(self, step: int, seeds: list[Task]) -> None:
        self._seconds = {}
        rolled = await self._roll(step)
        proposals, attempts, episodes = rolled.proposals, rolled.attempts, rolled.episodes
        measured = measure(attempts, rolled.attempted, self.rules.families, self.bank)
        samples = self.rules.credit.assign(proposals, attempts, episodes, measured.learnability)
        with self._phase("train"):
            metrics = self.trainer.step(list(samples.values()))
        with self._phase("publish"):
            self._publish()
        with self._phase("parity"):
            metrics |= await self._same_policy(step, samples.values())
        if self.config.evaluation.every and step % self.config.evaluation.every == 0:
            with self._phase("evaluate"):
                metrics |= await self._playing()
        metrics |= self.league.record(episodes, self.rules.games)
        with self._phase("checkpoint"):
            kept = self._checkpoint(step)
        for task_id, reason in rolled.evicted.items():
            self.bank.evict(task_id, reason)
        metrics |= summarise(proposals, attempts, episodes, samples, measured.learnability, self.bank)
        metrics |= {"verify/seconds": rolled.verifying.seconds, "verify/overlap": rolled.verifying.overlap}
        alarms = self.alarms.check(metrics)
        record = StepRecord(
            step=step,
            proposals=tuple(proposals),
            tasks=tuple(seeds),
            attempts=tuple(attempts),
            episodes=tuple(episodes),
            samples=samples,
            learnability=measured.learnability,
            metrics=metrics,
            seconds=dict(self._seconds),
            events=(*_evictions(rolled.evicted), *alarms),
            guesses=measured.guesses,
            evicted=self.bank.settle(),
        )
        self.store.commit(record)
        self.bank.stored()
        if kept:
            checkpoint.forget_older(self.folder.checkpoints, step)
        self.live.step(record)
        if alarms and self.config.health.on_alarm == "stop":
            raise UserError(
                f"Stopped after step {step}, as health.on_alarm asks: {alarms[0].detail}. The step is stored; "
                "`selfplay resume` goes on."
            )

    async def _roll(self, step: int) -> Rollouts:
        """Plan the step, and propose, solve and play it."""
        rival = self.league.rival(rng(self.config.seed, step, "rival"))
        share = self.config.league.share if rival else 0.0
        planned = plan(step, self.config, self.bank, self.rules.families, list(self.rules.games), share)
        parts = (self.engine, self.bank, self.rules.families, self.rules.games, self.rules.player, rival)
        rolled = Rollouts(step, self.config, *parts, progress=self.live.progress)
        with self._phase("rollouts"):
            await rolled.run(planned)
        return rolled

    async def _same_policy(self, step: int, samples: Iterable[Sample]) -> dict[str, float]:
        """Sampler and trainer score the same tokens. UserError, with an event, when the weights did not arrive."""
        probes = dict.fromkeys(sample.turn.prompt_ids for sample in samples)
        found = await parity.measure(self.engine, self.trainer, _spread(list(probes), 4), self._probe)
        try:
            parity.require(found, self.config.health.parity_mean, self.config.health.parity_max)
        except UserError as error:
            self.store.event(Event("parity", str(error), {"mean": found.mean, "max": found.max}), step - 1)
            raise
        return {"policy/parity/mean": found.mean, "policy/parity/max": found.max}

    async def _playing(self) -> dict[str, float]:
        """Of each game; what all games have together is the step's own, and intervals are for evaluations."""
        rules = self.rules
        async with Crew(self.engine) as crew:
            found = await playing(crew, self.engine, self.config, rules.games, rules.solved, rules.player)
        return {k: v for k, v in found.items() if not k.startswith("player/") and not k.endswith(BOUNDS)}

    async def evaluate(self, label: str, step: int) -> None:
        """Measure and store, unless it was done before this run was interrupted."""
        if label in self.store.evaluated():
            return
        started = time.perf_counter()
        self.live.phase(f"evaluate {label}")
        found = await evaluate(
            self.engine, self.config, self.rules.families, self.rules.games, self.rules.solved, self.rules.player
        )
        if step and self.config.evaluation.name_gap:
            found |= await names.gap(self.engine, self.config, self.rules.families, self.bank)
        self.store.evaluation(label, step, found, time.perf_counter() - started)

    async def rate(self) -> None:
        """The league's round robin, stored as an evaluation of its own."""
        if not self.config.evaluation.round_robin or LEAGUE in self.store.evaluated():
            return
        started = time.perf_counter()
        self.live.phase("round robin")
        found = await round_robin.measure(
            self.engine, self.league, self._publish, self.config, self.rules.games, self.rules.player
        )
        if found:
            self.store.evaluation(LEAGUE, self.config.steps, found, time.perf_counter() - started)

    def _publish(self) -> None:
        self.engine.publish(self.trainer.weights())

    def _checkpoint(self, step: int) -> bool:
        """Write one where the recipe wants it and after the last step; was it? The league takes its snapshot first."""
        self.league.keep(step, self.trainer)
        due = step % self.config.training.checkpoint_every == 0 or step == self.config.steps
        if due:
            checkpoint.save(
                self.folder.checkpoints,
                step,
                self.trainer,
                {"credit": self.rules.credit.state_dict(), "league": self.league.state_dict()},
            )
        return due

    @contextmanager
    def _phase(self, name: str) -> Iterator[None]:
        self.live.phase(name)
        started = time.perf_counter()
        yield
        self._seconds[name] = time.perf_counter() - started
