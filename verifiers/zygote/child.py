"""One program's process, from the fork to its end. It writes records into the shared page and never returns.

By the time foreign bytes are touched the process has no file descriptor, a memory and CPU limit, and the kernel's
allow-list. Each input meets a freshly executed program, so that one answer cannot spoil the next one's module-level
state. Everything used after foreign code has run is bound beforehand.
"""

from __future__ import annotations

import os
import resource
from mmap import mmap
from time import thread_time
from typing import Any, NamedTuple, NoReturn

from verifiers.zygote import kernel, program, wire
from verifiers.zygote.pipe import Request
from verifiers.zygote.seccomp import Filter


class Cell(NamedTuple):
    """What every child is shut in: built once by the server. `None` for a wall that is missing."""

    builtins: dict[str, Any]
    page: mmap
    filter: Filter | None
    own_bytes: int | None


def shut_in(cell: Cell, memory_mb: int, cpu_s: float) -> None:
    """Gives up every file and every power. Raises `OSError` when a wall does not stand."""
    os.closerange(0, 3)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, 9)  # without a process namespace nothing else ends it with its server
    whole = int(cpu_s) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
    if cell.own_bytes is not None:
        most = cell.own_bytes + (memory_mb << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    if cell.filter is not None:
        cell.filter.install()


def run(cell: Cell, request: Request, start: int) -> NoReturn:
    """Runs the inputs from number `start` on and leaves. Exit status 0 when every input has its record."""
    leave = os._exit
    try:
        shut_in(cell, request.memory_mb, request.cpu_s * (len(request.inputs) - start))
        _answer(cell, request, start)
    except MemoryError:
        leave(wire.OUT_OF_MEMORY)
    except BaseException:
        leave(1)
    leave(0)


def _answer(cell: Cell, request: Request, start: int) -> None:
    page, room = cell.page, len(cell.page)
    head, record = wire.PAGE.pack_into, wire.RECORD.pack_into
    clock, call = thread_time, program.call  # the process clock only ticks under RLIMIT_CPU
    caps = {"max_bytes": request.value_bytes, "max_nodes": request.nodes, "max_depth": request.depth}
    at = wire.PAGE.size
    before = clock()
    head(page, 0, 0, 0, start, before)
    entry = bytes(request.buffer[request.entry]).decode()
    text = bytes(request.buffer[request.code])
    code, error = program.compiled(text)
    for number in range(start, len(request.inputs)):
        if code is None:
            what, payload = wire.RAISED, error
        else:
            what, payload = call(code, cell.builtins, entry, bytes(request.buffer[request.inputs[number]]), caps)
        now = clock()
        size = len(payload)
        if at + wire.RECORD.size + size > room:
            return
        record(page, at, what, now - before, size)
        at += wire.RECORD.size
        page[at : at + size] = payload
        at += size
        before = now
        head(page, 0, number + 1 - start, at - wire.PAGE.size, number + 1, now)
