"""One server process as the trainer holds it: two pipes, what is on its way, and when to lose patience."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import Any, NamedTuple

from verifiers.codec import BadValue, decode
from verifiers.sandbox.desk import Ticket
from verifiers.sandbox.frames import BadFrame
from verifiers.sandbox.records import Job
from verifiers.zygote import wire

_ROOT = str(Path(__file__).resolve().parents[2])
_START = (
    "import sys, importlib; sys.path.insert(0, sys.argv.pop(1)); "
    "importlib.import_module(sys.argv.pop(1)).main(sys.argv[1:])"
)
_GRACE_S = 20.0
_PLACES = ("/", tempfile.gettempdir())  # servers differ in all that a result must not hang on
_LOCALES = ("C", "C.UTF-8")
_ZONES = ("UTC0", "XST-9:30", "YST+7")


class Launch(NamedTuple):
    """A server to start: the module whose `main` takes `arguments`, how long it may take until it says hello, and what
    decides the hash seeds."""

    module: str
    arguments: tuple[str, ...]
    patience_s: float = 60.0
    seed: int = 0

    def hash_seed(self, index: int) -> int:
        """That of the server `index`: each has another."""
        return (104_729 * self.seed + 7919 * index) % (2**32 - 1) + 1


class Worker:
    """Started on construction, never by forking this process. Not thread-safe: its pool's thread owns it.

    Raises `OSError` when the process cannot be started.
    """

    def __init__(self, index: int, launch: Launch) -> None:
        self.index = index
        self.hello: dict[str, Any] | None = None
        self.served = 0
        self.tickets: deque[Ticket] = deque()
        self._process = subprocess.Popen(
            [sys.executable, "-sSBP", "-c", _START, _ROOT, launch.module, *launch.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd=_PLACES[index % len(_PLACES)],
            env={
                "PYTHONHASHSEED": str(launch.hash_seed(index)),
                "LC_ALL": _LOCALES[index % len(_LOCALES)],
                "TZ": _ZONES[index % len(_ZONES)],
                "LD_BIND_NOW": "1",
            },
            start_new_session=True,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self.jobs, self.results = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self.jobs, False)
        os.set_blocking(self.results, False)
        self._out = bytearray()
        self._in = bytearray()
        self._deadline = time.monotonic() + launch.patience_s

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def unsent(self) -> bool:
        return bool(self._out)

    def feed(self, ticket: Ticket) -> None:
        """Puts a request on its way. Raises `OSError` when the process has gone."""
        if not self.tickets:
            self._await(ticket.job)
        self.tickets.append(ticket)
        self._out += ticket.request
        self.flush()

    def flush(self) -> None:
        """Writes what the pipe takes now. Raises `OSError` when the process has gone."""
        while self._out:
            try:
                sent = os.write(self.jobs, memoryview(self._out)[: 1 << 16])
            except BlockingIOError:
                return
            del self._out[:sent]

    def read(self) -> list[bytes]:
        """The replies that have come in whole. Raises `EOFError` when the process has gone, `BadFrame` on nonsense."""
        try:
            data = os.read(self.results, 1 << 20)
        except BlockingIOError:
            return []
        if not data:
            raise EOFError
        self._in += data
        replies = []
        while len(self._in) >= wire.REPLY.size:
            size, _ = wire.REPLY.unpack_from(self._in)
            if size > wire.REPLY_BYTES:
                raise BadFrame
            end = wire.REPLY.size + size
            if len(self._in) < end:
                break
            replies.append(bytes(memoryview(self._in)[wire.REPLY.size : end]))
            del self._in[:end]
        return replies

    def greet(self, payload: bytes) -> None:
        """Reads the first reply: what the worker measured about itself. Raises `BadFrame`."""
        try:
            self.hello = decode(payload)
        except BadValue as error:
            raise BadFrame from error

    def done(self) -> Ticket:
        """The ticket that was answered just now; the worker is at the next one."""
        self.served += 1
        ticket = self.tickets.popleft()
        if self.tickets:
            self._await(self.tickets[0].job)
        return ticket

    def overdue(self, now: float) -> bool:
        """Whether it has been silent for longer than any honest worker could be."""
        return (self.hello is None or bool(self.tickets)) and now > self._deadline

    def kill(self) -> None:
        """Ends the process and everything it started, and reaps it."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()

    def _await(self, job: Job) -> None:
        self._deadline = time.monotonic() + _GRACE_S + job.limits.wall_s * (len(job.inputs) + 1)
