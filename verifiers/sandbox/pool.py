"""The fork-server backend: workers, one queue, and one thread that keeps their pipes fed.

The thread belongs to no event loop, so results come in while a loop is busy, and any loop, or one after another, may await
them. Up to `_AHEAD` jobs wait in each worker's pipe, so that it never idles; the rest wait here, and their callers with them.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import selectors
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

from verifiers.sandbox.frames import BadFrame, lost, pack, split, unpack
from verifiers.sandbox.levels import LEVELS, measured
from verifiers.sandbox.records import Job, Outcome, SandboxUnavailable, Status
from verifiers.sandbox.worker import Worker

_AHEAD = 4
_RECYCLE = 100_000  # jobs, after which a worker is replaced by a fresh one
_START_TRIES = 3
_LONGEST_CODE = 1 << 17


@dataclass(slots=True, eq=False)
class _Ticket:
    job: Job
    request: bytes
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[tuple[Outcome, ...]]
    server: int | None
    tries: int = 0


class ForkSandbox:
    """`verifiers.sandbox.Sandbox` on fork servers.

    workers: how many take any job. witnesses: further ones, with their own hash seeds, for jobs pinned to them. without:
    walls to leave out, to act as a machine that lacks them. Raises `SandboxUnavailable` when the workers do not start.
    """

    def __init__(self, workers: int, witnesses: int = 0, without: tuple[str, ...] = ()) -> None:
        self.servers = workers + witnesses
        self._general = workers
        self._without = without
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._shared: deque[_Ticket] = deque()
        self._pinned: list[deque[_Ticket]] = [deque() for _ in range(self.servers)]
        self._selector = selectors.DefaultSelector()
        self._wake_out, self._wake_in = os.pipe()
        os.set_blocking(self._wake_out, False)
        os.set_blocking(self._wake_in, False)
        self._selector.register(self._wake_out, selectors.EVENT_READ, None)
        self._awake = True
        self._closing = False
        self._broken: str | None = None
        self._failed_starts = 0
        self._settled: dict[asyncio.AbstractEventLoop, list[tuple[_Ticket, Any]]] = {}
        self._workers: list[Worker] = []
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="sandbox", daemon=True)
        self._thread.start()
        self._started.wait()
        if self._broken is not None:
            self.close()
            raise SandboxUnavailable(self._broken)
        hellos = [worker.hello or {} for worker in self._workers]
        self.level, report = measured(hellos)
        self.capabilities: Mapping[str, object] = MappingProxyType(report)
        atexit.register(self.close)

    @property
    def pids(self) -> tuple[int, ...]:
        """The workers' process ids, in the order of `server`."""
        return tuple(worker.pid for worker in self._workers)

    async def run(self, job: Job, server: int | None = None) -> tuple[Outcome, ...]:
        """One outcome an input, in order. Raises `ValueError` for a job that cannot be sent, `SandboxUnavailable` when the
        workers cannot be kept alive."""
        if server is not None and not 0 <= server < self.servers:
            raise ValueError(f"server must be 0 to {self.servers - 1}, not {server}")
        if os.getpid() != self._owner:
            raise SandboxUnavailable("This sandbox belongs to another process: open one here.")
        if len(job.code) > _LONGEST_CODE:
            return (Outcome(Status.RAISED, error="SyntaxError", detail=f"over {_LONGEST_CODE} characters"),) * len(job.inputs)
        parts = split(job)
        if len(parts) == 1:
            return await self._submit(parts[0], server)
        outcomes: list[Outcome] = []
        for answered in await asyncio.gather(*(self._submit(part, server) for part in parts)):
            outcomes += answered
        return tuple(outcomes)

    def close(self) -> None:
        """Ends all workers. What is still awaited raises `SandboxUnavailable`. May be called twice."""
        if os.getpid() != self._owner:
            return
        with self._lock:
            self._closing = True
        self._wake()
        self._thread.join()
        atexit.unregister(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _submit(self, job: Job, server: int | None) -> asyncio.Future[tuple[Outcome, ...]]:
        loop = asyncio.get_running_loop()
        ticket = _Ticket(job, pack(job, 1), loop, loop.create_future(), server)
        with self._lock:
            if self._closing or self._broken is not None:
                raise SandboxUnavailable(self._broken or "This sandbox is closed.")
            (self._shared if server is None else self._pinned[server]).append(ticket)
            asleep, self._awake = not self._awake, True
        if asleep:
            self._wake()
        return ticket.future

    def _wake(self) -> None:
        try:
            os.write(self._wake_in, b"\0")
        except (BlockingIOError, OSError):
            pass

    # From here on: the thread.

    def _loop(self) -> None:
        try:
            for index in range(self.servers):
                self._workers.append(self._start(index))
            while not self._closing and self._broken is None:
                self._feed()
                self._deliver()
                self._sleep()
                self._replace_the_overdue()
                if not self._started.is_set() and all(worker.hello for worker in self._workers):
                    self._started.set()
        except Exception as error:
            self._broken = f"The sandbox failed: {type(error).__name__}: {error}"
        finally:
            self._end()
            self._started.set()

    def _start(self, index: int) -> Worker:
        worker = Worker(index, index * 7919 + 1, self._without)
        self._selector.register(worker.results, selectors.EVENT_READ, worker)
        return worker

    def _sleep(self) -> None:
        with self._lock:
            waiting = any(self._queue(worker) for worker in self._workers if self._has_room(worker))
            self._awake = waiting
        for key, events in self._selector.select(0 if waiting else 1.0):
            worker = key.data
            if worker is None:
                try:
                    os.read(self._wake_out, 4096)
                except BlockingIOError:
                    pass
            elif worker in self._workers:
                self._hear(worker, events)
        self._awake = True

    def _hear(self, worker: Worker, events: int) -> None:
        try:
            if events & selectors.EVENT_WRITE:
                worker.flush()
                if not worker.unsent:
                    self._selector.unregister(worker.jobs)
            for payload in worker.read():
                if worker.hello is None:
                    worker.greet(payload)
                    self._judge_start(worker)
                    continue
                ticket = worker.tickets[0]
                outcomes = unpack(payload, ticket.job)
                worker.tickets.popleft()
                worker.moved_on(worker.tickets[0].job if worker.tickets else None)
                self._settle(ticket, outcomes)
        except (EOFError, OSError, BadFrame, IndexError):
            self._replace(worker)

    def _judge_start(self, worker: Worker) -> None:
        hello = worker.hello or {}
        if "error" in hello:
            self._broken = f"A sandbox worker could not start: {hello['error']}."
        elif self._started.is_set() and LEVELS.index(measured([hello])[0]) < LEVELS.index(self.level):
            self._broken = f"A sandbox worker that was replaced did not reach the level {self.level} again."
        self._failed_starts = 0

    def _feed(self) -> None:
        for worker in self._workers:
            while self._has_room(worker):
                with self._lock:
                    queue = self._queue(worker)
                    ticket = queue.popleft() if queue else None
                if ticket is None:
                    break
                if ticket.future.cancelled():
                    continue
                try:
                    worker.feed(ticket, ticket.request, ticket.job)
                except OSError:
                    self._replace(worker)
                    break
                if worker.unsent and worker.jobs not in self._selector.get_map():
                    self._selector.register(worker.jobs, selectors.EVENT_WRITE, worker)
            if worker.served >= _RECYCLE and not worker.tickets:
                self._swap(worker)

    def _has_room(self, worker: Worker) -> bool:
        return bool(worker.hello) and len(worker.tickets) < _AHEAD and not worker.unsent and worker.served < _RECYCLE

    def _queue(self, worker: Worker) -> deque[_Ticket]:
        pinned = self._pinned[worker.index]
        return self._shared if not pinned and worker.index < self._general else pinned

    def _replace_the_overdue(self) -> None:
        now = time.monotonic()
        for worker in list(self._workers):
            if worker.overdue(now):
                self._replace(worker)

    def _replace(self, worker: Worker) -> None:
        """A worker was lost: the job it was at is tried once more, those behind it as if nothing had happened."""
        if worker.hello is None:
            self._failed_starts += 1
            if self._failed_starts >= _START_TRIES:
                self._broken = "Sandbox workers die as they start: run `selfplay doctor` to see what this machine lacks."
        tickets = list(worker.tickets)
        if tickets:
            tickets[0].tries += 1
        with self._lock:
            for ticket in reversed(tickets):
                if ticket.tries > 1:
                    self._settle(ticket, lost(ticket.job))
                else:
                    (self._shared if ticket.server is None else self._pinned[ticket.server]).appendleft(ticket)
        self._swap(worker)

    def _swap(self, worker: Worker) -> None:
        self._dismiss(worker)
        if self._broken is None:
            self._workers[worker.index] = self._start(worker.index)

    def _dismiss(self, worker: Worker) -> None:
        for file in (worker.results, worker.jobs):
            if file in self._selector.get_map():
                self._selector.unregister(file)
        worker.kill()

    def _settle(self, ticket: _Ticket, result: Any) -> None:
        self._settled.setdefault(ticket.loop, []).append((ticket, result))

    def _deliver(self) -> None:
        settled, self._settled = self._settled, {}
        for loop, pairs in settled.items():
            try:
                loop.call_soon_threadsafe(_resolve, pairs)
            except RuntimeError:
                pass  # that loop is closed: nobody waits any more

    def _end(self) -> None:
        failure = SandboxUnavailable(self._broken or "This sandbox was closed.")
        with self._lock:
            self._closing = True
            left = [*self._shared, *(ticket for queue in self._pinned for ticket in queue)]
            left += [ticket for worker in self._workers for ticket in worker.tickets]
        for ticket in left:
            self._settle(ticket, failure)
        self._deliver()
        for worker in self._workers:
            self._dismiss(worker)
        self._selector.close()
        os.close(self._wake_out)
        os.close(self._wake_in)


def _resolve(pairs: list[tuple[_Ticket, Any]]) -> None:
    for ticket, result in pairs:
        if ticket.future.done():
            continue
        if isinstance(result, Exception):
            ticket.future.set_exception(result)
        else:
            ticket.future.set_result(result)
