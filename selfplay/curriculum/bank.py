"""Every task ever admitted, with what was seen of its difficulty. The run's database is the truth; this is its index in
memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from selfplay.curriculum.posterior import Posterior, Scorer
from selfplay.records import Refusal, Task


@dataclass
class Entry:
    task: Task
    posterior: Posterior


class Bank:
    """`identity` says when two tasks are the same one: the novelty gate is asked with it, against the whole archive."""

    def __init__(self, identity: Callable[[Task], str], scorer: Scorer) -> None:
        self._identity, self._scorer = identity, scorer
        self._entries: dict[str, Entry] = {}
        self._known: set[str] = set()
        self._reserved: set[str] = set()

    def __len__(self) -> int:
        return len(self._entries)

    def restore(self, tasks: Iterable[tuple[Task, int, int]]) -> None:
        """Take (task, attempts, correct) as the store holds them."""
        for task, attempts, correct in tasks:
            self._entries[task.id] = Entry(task, Posterior(correct, attempts))
            self._known.add(self._identity(task))

    def admit(self, task: Task) -> Refusal | None:
        """Keep the task, or say that it is not new."""
        identity = self._identity(task)
        if identity in self._reserved:
            return Refusal("novelty", "the fixed evaluation asks this one, so it is not trained on")
        if identity in self._known:
            return Refusal("novelty", "the same task, up to names and layout, was proposed before")
        self._known.add(identity)
        self._entries[task.id] = Entry(task, Posterior())
        return None

    def reserve(self, tasks: Iterable[Task]) -> None:
        """Tasks that must never be admitted: what the run is measured by."""
        self._reserved |= {self._identity(task) for task in tasks}

    def record(self, task_id: str, seen: Posterior) -> None:
        """Add a step's attempts to what is known of a task."""
        entry = self._entries[task_id]
        entry.posterior += seen

    def references(self, family: str, count: int, rng: Random) -> list[Task]:
        """Up to `count` earlier tasks of a family, half of them from its latest 32, in random order."""
        pool = [entry.task for entry in self._entries.values() if entry.task.family == family]
        recent = rng.sample(pool[-32:], min(count // 2, len(pool[-32:])))
        rest = [task for task in pool if task not in recent]
        chosen = recent + rng.sample(rest, min(count - len(recent), len(rest)))
        rng.shuffle(chosen)
        return chosen

    def replays(self, families: Iterable[str], count: int, rng: Random) -> list[Task]:
        """Up to `count` tasks to attempt again, drawn by learnability; what was never measured counts as fully
        learnable."""
        wanted = set(families)
        pool = [entry for entry in self._entries.values() if entry.task.family in wanted]
        keyed = [(rng.random() ** (1 / (0.05 + self._worth(entry))), index) for index, entry in enumerate(pool)]
        return [pool[index].task for _, index in sorted(keyed, reverse=True)[:count]]

    def _worth(self, entry: Entry) -> float:
        return self._scorer(entry.posterior) if entry.posterior.attempts else 1.0
