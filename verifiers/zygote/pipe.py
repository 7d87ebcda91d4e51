"""A server's end of the pipe: one request at a time into one buffer, its segments into another.

Both are wiped once the reply is out, and no other copy is made, so a server keeps nothing of an earlier job.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from verifiers.codec import encode
from verifiers.zygote import wire


class Closed(Exception):
    """The other side has gone, or does not speak our language."""


class Request(NamedTuple):
    """One job as the server sees it: a buffer it does not look into, the spans of its parts, and the limits."""

    buffer: memoryview
    code: slice
    entry: slice
    inputs: list[slice]
    memory_mb: int
    value_bytes: int
    nodes: int
    depth: int
    cpu_s: float
    wall_s: float
    give_up: bool


class Pipe:
    """On file descriptors 0 and 1."""

    def __init__(self) -> None:
        self._request = memoryview(bytearray(wire.REQUEST_BYTES))
        self._reply = memoryview(bytearray(wire.REPLY_BYTES))
        self._job, self._body, self._end = 0, 0, wire.REPLY.size

    def receive(self) -> Request:
        """The next request. Its buffer is this pipe's. Raises `Closed`."""
        self._fill(wire.HEAD.size)
        head = wire.HEAD.unpack_from(self._request)
        magic, self._job, self._body, code, entry, count, memory, value, nodes, depth, flags, cpu_s, wall_s = head
        body, sized = self._body, count * wire.SIZE.size
        if magic != wire.MAGIC or body > wire.REQUEST_BYTES or count > wire.inputs_per_fork(value) or sized > body:
            raise Closed
        self._fill(body)
        at = sized
        sizes = [code, entry, *(wire.SIZE.unpack_from(self._request, i)[0] for i in range(0, sized, wire.SIZE.size))]
        spans = []
        for size in sizes:
            spans.append(slice(at, at + size))
            at += size
        if at != body:
            raise Closed
        words, name, *inputs = spans
        give_up = bool(flags & wire.GIVE_UP)
        return Request(self._request, words, name, inputs, memory, value, nodes, depth, cpu_s, wall_s, give_up)

    def segment(self, done: int, end: int, number: int, cpu_s: float, records: memoryview) -> None:
        """Appends to the reply what one child or guest came to."""
        wire.SEGMENT.pack_into(self._reply, self._end, done, end, number, cpu_s, len(records))
        self._end += wire.SEGMENT.size
        self._reply[self._end : self._end + len(records)] = records
        self._end += len(records)

    def answer(self) -> None:
        """Sends the segments and wipes both buffers. Raises `Closed`."""
        end = self._end
        wire.REPLY.pack_into(self._reply, 0, end - wire.REPLY.size, self._job)
        _write(self._reply[:end])
        self._request[: self._body] = bytes(self._body)
        self._reply[:end] = bytes(end)
        self._end = wire.REPLY.size

    def _fill(self, size: int) -> None:
        at = 0
        while at < size:
            got = os.readv(0, [self._request[at:size]])
            if got == 0:
                raise Closed
            at += got


def greet(hello: dict[str, Any]) -> None:
    """Sends the first reply: what the server measured about itself, or its `error`. Raises `Closed`."""
    payload = encode(hello)
    _write(wire.REPLY.pack(len(payload), 0) + payload)


def _write(data: memoryview | bytes) -> None:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(1, view) :]
        except OSError as error:
            raise Closed from error
