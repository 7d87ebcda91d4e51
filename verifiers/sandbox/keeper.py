"""The thread that keeps the workers fed, alive and honest.

It belongs to no event loop, so results come in while a loop is busy. Up to `_AHEAD` jobs wait in each worker's pipe, so
that it never idles. A worker that dies, writes nonsense or falls silent is replaced: the job it was at is tried once
more, those behind it go on as if nothing had happened.
"""

from __future__ import annotations

import asyncio
import selectors
import threading
import time
from contextlib import suppress
from typing import Any

from verifiers.sandbox.desk import Desk, Ticket
from verifiers.sandbox.frames import BadFrame, lost, unpack
from verifiers.sandbox.levels import LEVELS, measured
from verifiers.sandbox.records import SandboxUnavailable
from verifiers.sandbox.worker import Launch, Worker

_AHEAD = 4
_RECYCLE = 100_000  # jobs, after which a worker is replaced by a fresh one
_START_TRIES = 3


class Keeper(threading.Thread):
    """Started by its owner, who waits for `ready`. `broken` is one sentence once the workers cannot be kept alive."""

    def __init__(self, desk: Desk, servers: int, launch: Launch) -> None:
        super().__init__(name="sandbox", daemon=True)
        self.workers: list[Worker] = []
        self.ready = threading.Event()
        self.broken: str | None = None
        self.level = ""
        self.report: dict[str, object] = {}
        self._desk = desk
        self._servers = servers
        self._launch = launch
        self._selector = selectors.DefaultSelector()
        self._failed_starts = 0
        self._settled: dict[asyncio.AbstractEventLoop, list[tuple[Ticket, Any]]] = {}

    def run(self) -> None:
        """Until the desk closes or the sandbox is broken."""
        try:
            self._selector.register(self._desk.bell, selectors.EVENT_READ, None)
            for index in range(self._servers):
                self.workers.append(self._start(index))
            while not self._desk.closing and self.broken is None:
                self._feed()
                self._deliver()
                self._listen()
                self._replace_the_overdue()
        except Exception as error:
            self.broken = f"The sandbox failed: {type(error).__name__}: {error}"
        finally:
            self._end()
            self.ready.set()

    def _start(self, index: int) -> Worker:
        worker = Worker(index, self._launch)
        self._selector.register(worker.results, selectors.EVENT_READ, worker)
        return worker

    def _feed(self) -> None:
        for worker in list(self.workers):
            while self._has_room(worker):
                ticket = self._desk.take(worker.index)
                if ticket is None:
                    break
                try:
                    worker.feed(ticket)
                except OSError:
                    self._replace(worker)
                    break
                if worker.unsent and worker.jobs not in self._selector.get_map():
                    self._selector.register(worker.jobs, selectors.EVENT_WRITE, worker)
            if worker.served >= _RECYCLE and not worker.tickets and worker in self.workers:
                self._swap(worker)

    def _has_room(self, worker: Worker) -> bool:
        return bool(worker.hello) and len(worker.tickets) < _AHEAD and not worker.unsent and worker.served < _RECYCLE

    def _listen(self) -> None:
        sleeps = self._desk.fall_asleep([worker.index for worker in self.workers if self._has_room(worker)])
        for key, events in self._selector.select(1.0 if sleeps else 0.0):
            worker = key.data
            if worker is None:
                self._desk.hush()
            elif worker in self.workers:
                self._hear(worker, events)

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
                if not worker.tickets:
                    raise BadFrame
                outcomes = unpack(payload, worker.tickets[0].job)
                self._settle(worker.done(), outcomes)
        except (EOFError, OSError, BadFrame):
            self._replace(worker)

    def _judge_start(self, worker: Worker) -> None:
        hello = worker.hello or {}
        self._failed_starts = 0
        if "error" in hello:
            self.broken = f"A sandbox worker could not start: {hello['error']}."
        elif not self.ready.is_set():
            hellos = [worker.hello for worker in self.workers if worker.hello]
            if len(hellos) == self._servers:
                self.level, self.report = measured(hellos)
                self.ready.set()
        elif LEVELS.index(measured([hello])[0]) < LEVELS.index(self.level):
            self.broken = f"A sandbox worker that was replaced did not reach the level {self.level} again."

    def _replace_the_overdue(self) -> None:
        now = time.monotonic()
        for worker in list(self.workers):
            if worker.overdue(now):
                self._replace(worker)

    def _replace(self, worker: Worker) -> None:
        if worker.hello is None:
            self._failed_starts += 1
            if self._failed_starts >= _START_TRIES:
                self.broken = "Sandbox workers die as they start: see what `selfplay doctor` says of this machine."
        tickets = list(worker.tickets)
        if tickets:
            tickets[0].tries += 1
            if tickets[0].tries > 1:
                self._settle(tickets[0], lost(tickets[0].job))
                del tickets[0]
        self._desk.give_back(tickets)
        self._swap(worker)

    def _swap(self, worker: Worker) -> None:
        self._dismiss(worker)
        if self.broken is None:
            self.workers[worker.index] = self._start(worker.index)

    def _dismiss(self, worker: Worker) -> None:
        for file in (worker.results, worker.jobs):
            if file in self._selector.get_map():
                self._selector.unregister(file)
        worker.kill()

    def _settle(self, ticket: Ticket, result: Any) -> None:
        self._settled.setdefault(ticket.loop, []).append((ticket, result))

    def _deliver(self) -> None:
        settled, self._settled = self._settled, {}
        for loop, pairs in settled.items():
            with suppress(RuntimeError):  # a loop that is closed: nobody waits any more
                loop.call_soon_threadsafe(_resolve, pairs)

    def _end(self) -> None:
        left = self._desk.shut() + [ticket for worker in self.workers for ticket in worker.tickets]
        failure = SandboxUnavailable(self.broken or "This sandbox was closed.")
        for ticket in left:
            self._settle(ticket, failure)
        self._deliver()
        for worker in self.workers:
            self._dismiss(worker)
        self._selector.close()


def _resolve(pairs: list[tuple[Ticket, Any]]) -> None:
    for ticket, result in pairs:
        if ticket.future.done():
            continue
        if isinstance(result, Exception):
            ticket.future.set_exception(result)
        else:
            ticket.future.set_result(result)
