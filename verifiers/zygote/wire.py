"""The bytes on the pipe and in the shared page, for both sides. Little-endian structs; nothing is ever unpickled.

Request: HEAD, then n sizes (u32), then code, entry, and n encoded tuples of arguments.
Reply: REPLY, then one or more segments, one for each fork or guest: SEGMENT, then `used` bytes of RECORDs with their
payloads. A segment answers `done` inputs with records, and, when its child or guest ended badly, one more input with
its `end`.
"""

from __future__ import annotations

from struct import Struct

MAGIC = 0x31504C53
HEAD = Struct("<IIIIHHIIIHBdd")
"""magic, job, body bytes, code bytes, entry bytes, inputs, MiB, value bytes, nodes, depth, flags, cpu s, wall s"""
SIZE = Struct("<I")
REPLY = Struct("<II")
"""body bytes, job"""
SEGMENT = Struct("<HBBdI")
"""done, end, its number (a signal, an exit status, a trap code), cpu s of the whole child or guest, used"""
PAGE = Struct("<IIId")
"""done, used, current input, cpu s at its start: the head of the shared page"""
RECORD = Struct("<BdI")
"""what came of it, cpu s, payload bytes"""
CALL = Struct("<IIIIII")
"""code bytes, entry bytes, input bytes, value bytes, nodes, depth: before those three in a guest's request buffer"""

REQUEST_BYTES = 1 << 20
PAGE_BYTES = 1 << 18
DETAIL_BYTES = 300
MAX_INPUTS = 256
REPLY_BYTES = REPLY.size + PAGE_BYTES + MAX_INPUTS * SEGMENT.size

GIVE_UP = 1  # flag: after an input whose fork ended badly the rest get the same answer, unrun

OK, RAISED, BAD_VALUE, MEMORY = 0, 1, 2, 3  # in a RECORD
FINISHED, CPU, WALL, SIGNAL, EXIT, GARBAGE, TRAP = 0, 1, 2, 3, 4, 5, 6  # the `end` of a SEGMENT

OUT_OF_MEMORY = 71  # exit status of a child or guest whose harness ran out of memory


def inputs_per_fork(value_bytes: int) -> int:
    """How many results surely fit the shared page."""
    return max(0, min(MAX_INPUTS, (PAGE_BYTES - PAGE.size) // record_bytes(value_bytes)))


def record_bytes(value_bytes: int) -> int:
    """The most that one record takes."""
    return RECORD.size + max(value_bytes, DETAIL_BYTES)
