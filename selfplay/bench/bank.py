"""Does a step's bookkeeping cost the same with a million tasks as with a thousand?

For each size a bank and its run's database are filled, and steps of 64 proposals are planned, admitted, measured and
stored, without any model. The sizes take turns, so that a busy machine slows both.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from selfplay.config import Config
from selfplay.curriculum.bank import Bank
from selfplay.curriculum.plan import plan
from selfplay.curriculum.posterior import Posterior
from selfplay.curriculum.scorers.variance import Variance
from selfplay.families import Family
from selfplay.records import Attempt, Completion, Proposal, StepRecord, Stop, Task, Turn, Verdict
from selfplay.store.reader import Reader
from selfplay.store.writer import Writer

SMALL, LARGE = 1_000, 1_000_000
_STEPS, _WARM = 60, 10
_PROPOSALS, _MEASURED, _ATTEMPTS = 64, 16, 8
_TURN = Turn("proposer", "deduction/0", "def f(", (1, 2, 3), Completion((4, 5), (-0.5, -0.25), "x", Stop.STOP, 0))
_CONFIG = Config.model_validate({"curriculum": {"proposals": _PROPOSALS, "replays": 8}, "games": {"names": []}})


class _Part:
    """A family's part that is never asked anything."""

    name = "deduction"


def measure(small: int = SMALL, large: int = LARGE, steps: int = _STEPS) -> dict[str, Any]:
    """Measures for about two minutes, most of them to fill the large bank; it takes 1 GB of the temporary folder.

    cost_ratio_1e6_over_1e3: the median step with the large bank over that with the small one, of plan, admission,
    measurement and storing together. ms_1e3, ms_1e6: those medians, in milliseconds a step of 64 new tasks.
    memory_mb_1e3, memory_mb_1e6: what each bank holds of Python's memory, in MiB; active tasks are capped, so that
    it grows up to the cap only.
    """
    with tempfile.TemporaryDirectory(prefix="selfplay-bank-") as folder:
        banks = []
        for size in (small, large):
            path = Path(folder) / str(size)
            path.mkdir()
            _fill(path / "run.db", size)
            tracemalloc.start()
            banks.append(_Banked(path / "run.db", size))
            banks[-1].memory_mb = tracemalloc.get_traced_memory()[0] / (1 << 20)
            tracemalloc.stop()
        for _ in range(steps + _WARM):
            for banked in banks:
                banked.step()
        one, other = (statistics.median(banked.seconds[_WARM:]) for banked in banks)
        for banked in banks:
            banked.store.close()
    return {
        "cost_ratio_1e6_over_1e3": round(other / one, 3),
        "ms_1e3": round(1000 * one, 2),
        "ms_1e6": round(1000 * other, 2),
        "memory_mb_1e3": round(banks[0].memory_mb, 1),
        "memory_mb_1e6": round(banks[1].memory_mb, 1),
        "steps": steps,
    }


class _Banked:
    """A bank, its store, and how long each step took."""

    def __init__(self, path: Path, size: int) -> None:
        self.store = Writer(path)
        self.bank = Bank(Variance(), self.store.knows, _CONFIG.curriculum.capacity, _CONFIG.curriculum.decay)
        with Reader(path) as reader:
            visited = ((task, n, [(Posterior(c, a), g) for a, c, g in seen]) for task, n, seen in reader.active_tasks())
            self.bank.restore(visited, reader.admitted())
        self.seconds: list[float] = []
        self.memory_mb = 0.0
        part: Any = _Part()
        self._families = {"deduction": Family("deduction", part, part, part)}
        self._rng = random.Random(size)

    def step(self) -> None:
        number = self.store.last_step() + 1
        tasks = [_task(self._rng.getrandbits(60), number) for _ in range(_PROPOSALS)]
        started = time.perf_counter()
        planned = plan(number, _CONFIG, self.bank, self._families, [])
        for task in tasks:
            self.bank.admit(task)
        attempts = [
            Attempt(task.id, task.family, 0, _TURN, "1", Verdict.CORRECT if place % 3 else Verdict.WRONG)
            for task in [*tasks[:_MEASURED], *planned.replays]
            for place in range(_ATTEMPTS)
        ]
        worth = {task.id: self.bank.record(task.id, Posterior(5, 8)) for task in [*tasks[:_MEASURED], *planned.replays]}
        proposals = tuple(Proposal(i, task.family, _TURN, task=task) for i, task in enumerate(tasks))
        numbered = tuple(Attempt(a.task_id, a.family, i, a.turn, a.answer, a.verdict) for i, a in enumerate(attempts))
        evicted = self.bank.settle()
        self.store.commit(StepRecord(number, proposals, (), numbered, (), {}, worth, {}, {}, evicted=evicted))
        self.bank.stored()
        self.seconds.append(time.perf_counter() - started)


def _task(number: int, step: int) -> Task:
    id = f"{number:016x}"
    body = {"code": f"def f(n):\n    return n * {number} + 1", "input": "7"}
    return Task(id, "deduction", body, str(7 * number + 1), step, identities=(f"program:{id}", f"behaviour:{id}"))


def _fill(path: Path, size: int) -> None:
    """As the writer leaves them after many steps: all but the last capacity's worth of tasks evicted."""
    with Writer(path) as writer:
        db = writer._db
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        columns = "n, id, family, step, committed, body, gold, evicted, attempts, correct, solve_rate, learnability"
        db.executemany(f"INSERT INTO tasks ({columns}) VALUES ({', '.join('?' * 12)})", _rows(size))
        hashes = ((os.urandom(16), n) for n in range(1, size + 1) for _ in range(2))
        db.executemany("INSERT INTO identities VALUES (?, ?)", sorted(hashes))
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA synchronous = FULL")


def _rows(size: int) -> Iterator[tuple]:
    rng = random.Random(size)
    kept = size - _CONFIG.curriculum.capacity
    for n in range(1, size + 1):
        task, rate = _task(rng.getrandbits(60), 0), rng.random()
        gone = 0 if n <= kept else None
        yield (
            n,
            task.id,
            task.family,
            0,
            0,
            json.dumps(task.body),
            task.gold,
            gone,
            8,
            int(8 * rate),
            rate,
            4 * rate * (1 - rate),
        )
