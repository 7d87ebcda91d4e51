"""Where callers leave their jobs and the keeper's thread takes them: queues under one lock, and a bell."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass

from verifiers.sandbox.records import Job, Outcome, SandboxUnavailable


@dataclass(slots=True, eq=False)
class Ticket:
    """One part of a job on its way. `server` pins it to a worker; `tries` counts the workers that died under it."""

    job: Job
    request: bytes
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[tuple[Outcome, ...]]
    server: int | None
    tries: int = 0


class Desk:
    """Thread-safe. Each of `servers` workers has its own queue; the first `general` of them serve a common one too."""

    def __init__(self, servers: int, general: int) -> None:
        self.bell, self._rope = os.pipe()
        os.set_blocking(self.bell, False)
        os.set_blocking(self._rope, False)
        self.closing = False
        self.shut_for_good = False
        self._general = general
        self._lock = threading.Lock()
        self._common: deque[Ticket] = deque()
        self._own: list[deque[Ticket]] = [deque() for _ in range(servers)]
        self._keeper_sleeps = False

    def leave(self, ticket: Ticket) -> None:
        """Raises `SandboxUnavailable` after closing."""
        with self._lock:
            if self.closing:
                raise SandboxUnavailable("This sandbox is closed.")
            self._queue_of(ticket).append(ticket)
            asleep, self._keeper_sleeps = self._keeper_sleeps, False
        if asleep:
            self.ring()

    def take(self, worker: int) -> Ticket | None:
        """The next ticket for a worker whose caller still waits."""
        with self._lock:
            while queue := self._queue_for(worker):
                ticket = queue.popleft()
                if not ticket.future.cancelled():
                    return ticket
        return None

    def give_back(self, tickets: list[Ticket]) -> None:
        """Puts tickets that were taken back in front, in their order."""
        with self._lock:
            for ticket in reversed(tickets):
                self._queue_of(ticket).appendleft(ticket)

    def fall_asleep(self, free: list[int]) -> bool:
        """True when nothing waits for the workers in `free`; from then on the next ticket rings the bell."""
        with self._lock:
            self._keeper_sleeps = not self.closing and not any(self._queue_for(worker) for worker in free)
            return self._keeper_sleeps

    def ring(self) -> None:
        """Wakes the keeper."""
        with suppress(OSError):
            os.write(self._rope, b"\0")

    def hush(self) -> None:
        """Takes the ringing off the pipe."""
        with suppress(BlockingIOError):
            os.read(self.bell, 4096)

    def shut(self) -> list[Ticket]:
        """Nothing can be left any more; what is still here."""
        with self._lock:
            self.closing = True
            return [*self._common, *(ticket for queue in self._own for ticket in queue)]

    def free(self) -> None:
        """Gives up the bell."""
        self.shut_for_good = True
        os.close(self.bell)
        os.close(self._rope)

    def _queue_of(self, ticket: Ticket) -> deque[Ticket]:
        return self._common if ticket.server is None else self._own[ticket.server]

    def _queue_for(self, worker: int) -> deque[Ticket]:
        own = self._own[worker]
        return self._common if not own and worker < self._general else own
