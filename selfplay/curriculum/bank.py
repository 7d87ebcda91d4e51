"""Every task ever admitted. The archive is the run's database; the bank holds the active ones in memory, a bounded
number a family, so that admitting, drawing and recording cost the same at a million tasks as at a thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import TypeAlias

from selfplay.curriculum.entry import Entry
from selfplay.curriculum.guessing import without_luck
from selfplay.curriculum.pool import Pool
from selfplay.curriculum.posterior import Posterior, Scorer
from selfplay.curriculum.samplers import Mixture
from selfplay.records import Refusal, Task

Archive: TypeAlias = Callable[[Sequence[str]], bool]
"""Does a stored task have one of these identities?"""
Visit: TypeAlias = tuple[Posterior, float]
"""What the attempts of one step showed, and the rate at which luck was right."""

_SLACK = 1.25
"""How far over its capacity a pool grows before the least worth keeping go, all at once."""


class Bank:
    """scorer: what a task is worth. capacity: active tasks a family. decay: what is left of a task's worth after each
    visit that brought no progress. archive: asked by the novelty gate, beside what is not stored yet."""

    def __init__(
        self,
        scorer: Scorer,
        archive: Archive = lambda identities: False,
        capacity: int = 4096,
        decay: float = 1.0,
    ) -> None:
        self._scorer, self._archive, self._capacity, self._decay = scorer, archive, capacity, decay
        self._pools: dict[str, Pool] = {}
        self._entries: dict[str, Entry] = {}
        self._unstored: set[str] = set()
        self._reserved: set[str] = set()
        self._leaving: dict[str, Refusal] = {}
        self.admitted = 0

    def __len__(self) -> int:
        """How many are active."""
        return len(self._entries)

    def __contains__(self, task_id: str) -> bool:
        return task_id in self._entries

    def restore(self, tasks: Iterable[tuple[Task, int, Sequence[Visit]]], admitted: int) -> None:
        """Take the active (task, serial, visits), in order of admission, as the store holds them."""
        for task, serial, visits in tasks:
            entry = Entry(task, serial)
            for visit in visits:
                entry.observe(*visit)
            self._rate(entry)
            self._take(entry)
        self.admitted = admitted

    def admit(self, task: Task) -> Refusal | None:
        """Keep the task, or say that it is not new."""
        known = task.identities or (task.id,)
        if not self._reserved.isdisjoint(known):
            return Refusal("novelty", "the fixed evaluation or the solver's own prompt has this one already")
        if not self._unstored.isdisjoint(known) or self._archive(known):
            return Refusal("novelty", "the same task, by what it is or by what it does, was proposed before")
        self._unstored.update(known)
        self.admitted += 1
        self._take(Entry(task, self.admitted))
        return None

    def reserve(self, tasks: Iterable[Task]) -> None:
        """Tasks that must never be admitted: what the run is measured by, and what a solver's prompt works out."""
        self._reserved.update(identity for task in tasks for identity in task.identities or (task.id,))

    def record(self, task_id: str, seen: Posterior, guess: float = 0.0) -> float:
        """Fold in what a step's attempts showed of a task; its learnability now. `guess`: the rate at which luck alone
        is right. A task that is no longer active is only scored."""
        entry = self._entries.get(task_id)
        if entry is None:
            return without_luck(self._scorer, seen, guess)
        entry.observe(seen, guess)
        self._rate(entry)
        self._pools[entry.task.family].changed(entry)
        return entry.worth or 0.0

    def evict(self, task_id: str, reason: Refusal) -> None:
        """Let it go when the step is settled: its truth did not hold, for example."""
        if task_id in self._entries:
            self._leaving[task_id] = reason

    def settle(self) -> dict[str, Refusal]:
        """Ends a step: what leaves, and why. Call it before the step is stored, and `stored` afterwards."""
        leaving, self._leaving = self._leaving, {}
        for pool in self._pools.values():
            staying = [entry for entry in pool.entries if entry.task.id not in leaving]
            if len(staying) > _SLACK * self._capacity:
                ranked = sorted(staying, key=lambda entry: self._value(entry, pool))
                full = Refusal("capacity", "the least worth keeping of a full bank: by worth, age and theme")
                leaving |= {entry.task.id: full for entry in ranked[: len(staying) - self._capacity]}
        for family in {self._entries[task_id].task.family for task_id in leaving}:
            self._pools[family] = self._pools[family].without(leaving)
        for task_id in leaving:
            del self._entries[task_id]
        return leaving

    def stored(self) -> None:
        """The archive knows everything that was admitted so far."""
        self._unstored.clear()

    def draw(self, families: Iterable[str], mixture: Mixture, count: int, rng: Random) -> list[Task]:
        """Up to `count` different active tasks, shared evenly over the families as far as they have them."""
        pools = [pool for family in families if (pool := self._pools.get(family))]
        rng.shuffle(pools)
        found: list[Entry] = []
        for place, pool in enumerate(sorted(pools, key=len)):  # the smallest first: what it lacks, the others give
            share = -(-(count - len(found)) // (len(pools) - place))
            found += mixture.several(pool, share, rng)
        rng.shuffle(found)
        return [entry.task for entry in found]

    def themes(self, family: str, names: Sequence[str]) -> list[int]:
        """How many active tasks of a family have each theme."""
        pool = self._pools.get(family)
        return [pool.themes[name] if pool else 0 for name in names]

    def _take(self, entry: Entry) -> None:
        self._entries[entry.task.id] = entry
        self._pools.setdefault(entry.task.family, Pool()).add(entry)

    def _rate(self, entry: Entry) -> None:
        if entry.visits:
            entry.worth = without_luck(self._scorer, entry.posterior, entry.guess) * self._decay**entry.stale

    def _value(self, entry: Entry, pool: Pool) -> tuple[float, int]:
        """Worth (an unmeasured task counts half), plus up to a quarter each for youth and for rare themes."""
        worth = 0.5 if entry.worth is None else max(0.0, entry.worth)
        youth = self._capacity / (self._capacity + self.admitted - entry.serial)
        rare = min((1 / pool.themes[theme] for theme in entry.task.themes), default=1 / max(1, len(pool)))
        return worth + youth / 4 + min(1.0, rare * 8) / 4, entry.serial
