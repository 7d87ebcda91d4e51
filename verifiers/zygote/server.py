"""The server: builds the walls, proves them with probes, says hello, then forks one child for each request.

The shared page is wiped after each child, as the pipe's buffers are after each request, and no other copy is made: a
program finds nothing of an earlier one, neither words nor results. Nothing in the page is trusted beyond two clamped
numbers; the client checks the rest.
"""

from __future__ import annotations

import gc
import mmap
import os
import sys
from typing import Any, NoReturn

from verifiers.zygote import kernel, probes, seccomp, surroundings, syscalls, walls, watch, wire
from verifiers.zygote.child import Cell, run, shut_in
from verifiers.zygote.pipe import Closed, Pipe, greet

_PROBE_CPU_S = 0.05


def main(arguments: list[str]) -> NoReturn:
    """`arguments` are walls to leave out, `@folder` to import from, and `+module` for programs to import as well."""
    sys.path += [word[1:] for word in arguments if word[0] == "@"]
    modules = tuple(word[1:] for word in arguments if word[0] == "+")
    try:
        server = Server(frozenset(arguments), modules)
        greet(server.prove())
        while True:
            server.serve_one()
    except Closed:
        os._exit(0)
    except BaseException as error:
        greet({"error": f"{type(error).__name__}: {error}"})
        os._exit(1)


class Server:
    """Walls, cell, pipe and page of one worker."""

    def __init__(self, without: frozenset[str], modules: tuple[str, ...] = ()) -> None:
        self.without = without
        self.walls: dict[str, int] = {}
        builtins = surroundings.preload(modules, "imports" in without)
        os.closerange(3, 1 << 16)
        walls.limit_server()
        own_bytes = _virtual_bytes()
        stage = self._build_walls()
        page = mmap.mmap(-1, wire.PAGE_BYTES)
        self.pipe = Pipe()
        self.records = memoryview(page)[wire.PAGE.size :]
        sealed = seccomp.child_filter() if stage else None
        own_bytes += wire.REQUEST_BYTES + wire.REPLY_BYTES
        self.cell = Cell(builtins, page, sealed, None if "memory" in without else own_bytes)
        watch.block_child_signals()
        if stage:
            stage.install()
        gc.collect()
        gc.freeze()
        gc.disable()

    def _build_walls(self) -> seccomp.Filter | None:
        done, without = self.walls, self.without
        done["nobody"] = walls.become_nobody()
        entered = False
        if "namespaces" not in without:
            entered, done["namespaces"] = walls.new_namespaces()
        walls.drop_privileges()
        if "landlock" not in without:
            done["landlock"] = walls.landlock()
        if entered:
            _become_process_one()
        if "seccomp" in without or syscalls.machine() not in syscalls.NUMBERS:
            return None
        done["seccomp"] = True
        return seccomp.server_filter()

    def prove(self) -> dict[str, Any]:
        """The walls that were built, and for each probe whether it was held off."""
        results = {}
        for probe in probes.PROBES:
            pid = os.fork()
            if pid == 0:
                try:
                    shut_in(self.cell, 64, 1.0)
                    os._exit(probes.attempt(probe))
                finally:
                    os._exit(1)
            end = watch.wait(pid, self.cell.page, 1, _PROBE_CPU_S, 2.0, self._watches)
            results[probe.__name__] = probes.held(probe, end)
        return {"walls": self.walls, "probes": results, "python": sys.version.split()[0]}

    @property
    def _watches(self) -> bool:
        return "watchdog" not in self.without

    def serve_one(self) -> None:
        """Reads one request, runs it to the end in as many forks as it takes, and replies. Raises `Closed`."""
        request = self.pipe.receive()
        count, start = len(request.inputs), 0
        while start < count:
            pid = os.fork()
            if pid == 0:
                run(self.cell, request, start)
            end = watch.wait(pid, self.cell.page, count, request.cpu_s, request.wall_s, self._watches)
            done = self._collect(end, count - start, wire.record_bytes(request.value_bytes))
            self._wipe_page()
            bad = done < count - start
            start += done + bad
            if bad and request.give_up:
                break
        self.pipe.answer()

    def _collect(self, end: watch.End, inputs: int, most: int) -> int:
        """Appends the segment of a child that is gone to the reply; how many inputs it answered."""
        done, used, _, _ = wire.PAGE.unpack_from(self.cell.page)
        kind = end.end
        if done > inputs or used > min(done * most, len(self.records)):
            done, used, kind = 0, 0, wire.GARBAGE
        if kind == wire.FINISHED and done < inputs:
            kind = wire.EXIT
        self.pipe.segment(done, kind, end.number, end.cpu_s, self.records[:used])
        return done

    def _wipe_page(self) -> None:
        if "wipe" in self.without:
            return
        try:
            self.cell.page.madvise(mmap.MADV_REMOVE)
        except OSError:  # a kernel that cannot punch holes
            self.cell.page[:] = bytes(len(self.cell.page))


def _become_process_one() -> None:
    """Goes on as process 1 of the new view; the process that entered it only waits, and dies together with it."""
    pid = os.fork()
    if pid == 0:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, 9)
        return
    os.closerange(0, 3)
    _, status = os.waitpid(pid, 0)
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 1)


def _virtual_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * mmap.PAGESIZE
