"""Workers behind one desk, whatever server they run. Any event loop, or several one after another, may await them."""

from __future__ import annotations

import asyncio
import atexit
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Self

from verifiers.sandbox.desk import Desk, Ticket
from verifiers.sandbox.frames import pack, split
from verifiers.sandbox.keeper import Keeper
from verifiers.sandbox.records import Job, Outcome, SandboxUnavailable, Status
from verifiers.sandbox.worker import Launch

_LONGEST_CODE = 1 << 17


class Pool:
    """`verifiers.sandbox.Sandbox` on server processes that speak `verifiers.zygote.wire`.

    workers: how many take any job. witnesses: further ones, with their own hash seeds, for jobs pinned to them.
    Raises `SandboxUnavailable` when the workers do not start.
    """

    def __init__(self, workers: int, witnesses: int, launch: Launch) -> None:
        self.servers = workers + witnesses
        self._owner = os.getpid()
        self._desk = Desk(self.servers, workers)
        self._keeper = Keeper(self._desk, self.servers, launch)
        self._keeper.start()
        atexit.register(self.close)
        self._keeper.ready.wait()
        if self._keeper.broken is not None:
            self.close()
            raise SandboxUnavailable(self._keeper.broken)
        self.level = self._keeper.level
        self.capabilities: Mapping[str, object] = MappingProxyType(self._keeper.report)

    @property
    def pids(self) -> tuple[int, ...]:
        """The workers' process ids, in the order of `server`."""
        return tuple(worker.pid for worker in self._keeper.workers)

    async def run(self, job: Job, server: int | None = None) -> tuple[Outcome, ...]:
        """One outcome an input, in order. Raises `ValueError` for a job that cannot be sent, `SandboxUnavailable` when
        the workers cannot be kept alive."""
        if server is not None and not 0 <= server < self.servers:
            raise ValueError(f"server must be 0 to {self.servers - 1}, not {server}")
        if os.getpid() != self._owner:
            raise SandboxUnavailable("This sandbox belongs to another process: open one here.")
        if len(job.code) > _LONGEST_CODE:
            too_long = Outcome(Status.RAISED, error="SyntaxError", detail=f"over {_LONGEST_CODE} characters")
            return (too_long,) * len(job.inputs)
        parts = split(job)
        if len(parts) == 1:
            return await self._submit(parts[0], server)
        answers = await asyncio.gather(*(self._submit(part, server) for part in parts))
        return tuple(outcome for answer in answers for outcome in answer)

    def close(self) -> None:
        """Ends all workers. What is still awaited raises `SandboxUnavailable`. May be called twice."""
        if os.getpid() != self._owner or self._desk.shut_for_good:
            return
        self._desk.shut()
        self._desk.ring()
        self._keeper.join()
        self._desk.free()
        atexit.unregister(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _submit(self, job: Job, server: int | None) -> asyncio.Future[tuple[Outcome, ...]]:
        if self._keeper.broken is not None:
            raise SandboxUnavailable(self._keeper.broken)
        loop = asyncio.get_running_loop()
        ticket = Ticket(job, pack(job, 1), loop, loop.create_future(), server)
        self._desk.leave(ticket)
        return ticket.future
