"""The server: starts an interpreter in the virtual machine, keeps it as an image, proves it with probes, says hello,
then runs each request in as many guests as it takes.

What a guest leaves in its record buffer is bytes of a hostile program: the size it names is clamped here, its CPU time
is replaced by what was measured, and the client reads the rest strictly.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

from verifiers.wasi import probes, runtime, script
from verifiers.wasi.image import End, Guest, Image
from verifiers.wasi.watch import Watchdog
from verifiers.zygote import wire
from verifiers.zygote.pipe import Closed, Pipe, Request, greet

_PROBE_CPU_S, _PROBE_MB = 0.2, 64


def main(arguments: list[str]) -> NoReturn:
    """`arguments` are walls to leave out (`memory`, `imports`), `@folder` to import from, `=folder` to keep compiled
    code in, and `+module` for programs to import as well."""
    named = {mark: tuple(word[1:] for word in arguments if word[0] == mark) for mark in "@=+"}
    sys.path += named["@"]
    try:
        server = Server(frozenset(arguments), Path(named["="][0]), named["+"])
        greet(server.prove())
        while True:
            server.serve_one()
    except Closed:
        os._exit(0)
    except BaseException as error:
        greet({"error": str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"})
        os._exit(1)


class Server:
    """Image, watchdog, pipe and walls of one worker. After `__init__` it may be unable to open a file."""

    def __init__(self, without: frozenset[str], cached: Path, modules: tuple[str, ...]) -> None:
        seed = os.environ["PYTHONHASHSEED"]
        engine = runtime.engine()
        self.versions = {"python": runtime.PYTHON, "wasmtime": runtime.version()}
        command = script.command(modules, "imports" in without, int(seed))
        self.image = Image(engine, runtime.load(engine, cached), command, [b"PYTHONHASHSEED=" + seed.encode()])
        self.limited = "memory" not in without
        with Guest(self.image, 0):  # whatever the first instance makes wasmtime set up is set up before the walls
            self.walls = {"wasm": True, **_walls()}
        self.pipe = Pipe()
        self.head = memoryview(bytearray(wire.CALL.size))
        self.records = memoryview(bytearray(wire.PAGE_BYTES))
        self.watchdog = Watchdog(engine.increment_epoch)

    def prove(self) -> dict[str, Any]:
        """The walls, and for each probe whether it was held off."""
        results = {probe.name: self._held(probe) for probe in probes.PROBES}
        return {"walls": self.walls, "probes": results, **self.versions}

    def serve_one(self) -> None:
        """Reads one request, runs it to the end in as many guests as it takes, and replies. Raises `Closed`."""
        request = self.pipe.receive()
        count, start = len(request.inputs), 0
        while start < count:
            done, used, end, cpu_s = self.run(request, start)
            self.pipe.segment(done, end.end, end.number, cpu_s, self.records[:used])
            bad = done < count - start
            start += done + bad
            if bad and request.give_up:
                break
        self.pipe.answer()

    def run(self, request: Request, start: int) -> tuple[int, int, End, float]:
        """Runs inputs from number `start` on in one guest, until one ends it.

        (how many have a record, the bytes of those in `records`, the end, CPU seconds of all).
        """
        end, used, total_s, done = End(wire.FINISHED, 0), 0, 0.0, 0
        with Guest(self.image, request.memory_mb if self.limited else None) as guest:
            for span in request.inputs[start:]:
                end, size, cpu_s = self._ask(guest, request, span, used)
                total_s += cpu_s
                if end.end != wire.FINISHED:
                    break
                used += size
                done += 1
        return done, used, end, total_s

    def _ask(self, guest: Guest, request: Request, data: slice, used: int) -> tuple[End, int, float]:
        """One input. (its end, the bytes of its record in `records` from `used` on, its CPU seconds)."""
        parts = [request.buffer[span] for span in (request.code, request.entry, data)]
        caps = request.value_bytes, request.nodes, request.depth
        wire.CALL.pack_into(self.head, 0, *map(len, parts), *caps)
        at = 0
        for part in (self.head, *parts):
            at = guest.put(at, part)
        before = time.process_time()
        self.watchdog.watch(request.cpu_s, lambda: guest.store.set_epoch_deadline(1))
        end = guest.call()
        self.watchdog.release()
        cpu_s = time.process_time() - before
        if end.end != wire.FINISHED:
            return end, 0, cpu_s
        payload = used + wire.RECORD.size
        guest.take(0, self.records[used:payload])
        what, _, size = wire.RECORD.unpack_from(self.records, used)
        if size > wire.record_bytes(request.value_bytes) - wire.RECORD.size:
            return End(wire.GARBAGE, 0), 0, cpu_s
        guest.take(wire.RECORD.size, self.records[payload : payload + size])
        wire.RECORD.pack_into(self.records, used, what, cpu_s, size)
        return end, wire.RECORD.size + size, cpu_s

    def _held(self, probe: probes.Probe) -> bool:
        text = probe.code.encode()
        body = memoryview(bytearray(text + b"f()"))
        spans = slice(0, len(text)), slice(len(text), len(text) + 1), [slice(len(text) + 1, len(text) + 3)]
        request = Request(body, *spans, _PROBE_MB, 100, 10, 1, _PROBE_CPU_S, 1.0, False)
        _, used, end, cpu_s = self.run(request, 0)
        if probe.end != wire.FINISHED:
            return end.end == probe.end and cpu_s < 2 * _PROBE_CPU_S
        what, _, size = wire.RECORD.unpack_from(self.records)
        return used > 0 and what == probe.record and bytes(self.records[used - size : used]) == probe.value


def _walls() -> dict[str, int]:
    """A second wall round the virtual machine, where the kernel has one to give."""
    if not sys.platform.startswith("linux"):
        return {}
    from verifiers.zygote import walls

    walls.limit_server()
    nobody = walls.become_nobody()
    walls.drop_privileges()
    return {"nobody": nobody, "landlock": walls.landlock()}
