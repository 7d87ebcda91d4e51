"""Jobs to bytes and bytes to outcomes: the trainer's side of `verifiers.zygote.wire`.

What comes back was written by a process that ran hostile code, so it is read by a strict grammar: an `ok` must hold
exactly the canonical bytes of a value, a name must be an identifier, lengths must add up. Anything odd is `protocol`.
"""

from __future__ import annotations

import math

from verifiers.codec import BadValue, decode
from verifiers.sandbox.records import Job, Limits, Outcome, Status
from verifiers.zygote import wire

_SIGSYS, _SIGKILL = 31, 9
_GARBAGE = Outcome(Status.PROTOCOL, detail="the result channel held garbage")


class BadFrame(Exception):
    """A worker's reply is not well formed: the worker is not to be trusted any more."""


def split(job: Job) -> list[Job]:
    """`job`, or jobs with fewer inputs each where its results or its own bytes might not fit one fork.

    Raises `ValueError` for a program, a limit or a single input that cannot be sent.
    """
    limits = job.limits
    most = wire.inputs_per_fork(limits.value_bytes)
    room = wire.REQUEST_BYTES - len(job.code.encode("utf-8", "replace")) - len(job.entry.encode()) - 1024
    if most < 1 or not (0 < limits.cpu_s <= 3600 and 0 < limits.wall_s <= 3600 and 0 < limits.memory_mb < 1 << 20):
        raise ValueError(f"these limits are out of range: {limits}")
    if not 0 < len(job.entry) <= 100:
        raise ValueError("a job needs the name of a function to call")
    parts: list[Job] = []
    chunk: list[bytes] = []
    left = room
    for data in job.inputs:
        need = len(data) + wire.SIZE.size
        if need > room:
            raise ValueError(
                f"a job of over {wire.REQUEST_BYTES} bytes cannot be sent: shorten the program or its input"
            )
        if chunk and (need > left or len(chunk) == most):
            parts.append(_with_inputs(job, chunk))
            chunk, left = [], room
        chunk.append(data)
        left -= need
    return [*parts, _with_inputs(job, chunk)] if chunk else parts


def pack(job: Job, number: int) -> bytes:
    """The request for one part that `split` made."""
    limits = job.limits
    code = job.code.encode("utf-8", "backslashreplace")
    entry = job.entry.encode()
    sizes = b"".join(wire.SIZE.pack(len(data)) for data in job.inputs)
    body = b"".join((sizes, code, entry, *job.inputs))
    if len(body) > wire.REQUEST_BYTES:
        raise ValueError("a job that was not split")
    flags = wire.GIVE_UP if job.give_up else 0
    head = wire.HEAD.pack(
        wire.MAGIC, number, len(body), len(code), len(entry), len(job.inputs), limits.memory_mb, limits.value_bytes,
        limits.nodes, limits.depth, flags, limits.cpu_s, limits.wall_s,
    )  # fmt: skip
    return head + body


def unpack(payload: bytes, job: Job) -> tuple[Outcome, ...]:
    """The outcomes of `job` in its worker's reply. Raises `BadFrame` when the worker itself wrote nonsense."""
    outcomes: list[Outcome] = []
    at, count = 0, len(job.inputs)
    while at < len(payload):
        if len(payload) - at < wire.SEGMENT.size:
            raise BadFrame
        done, end, signal, cpu_s, used = wire.SEGMENT.unpack_from(payload, at)
        at += wire.SEGMENT.size
        if used > len(payload) - at or done > count - len(outcomes) or not 0 <= cpu_s < 1e6:
            raise BadFrame
        records = payload[at : at + used]
        at += used
        alone = done == 1 and count == 1
        outcomes += _records(records, done, cpu_s, alone, job.limits)
        if end not in (wire.FINISHED, wire.EXIT) and outcomes and len(outcomes) == count:
            del outcomes[-1]  # a process that has answered everything leaves at once: whoever does not has forged it
        if end != wire.FINISHED and len(outcomes) < count:
            outcomes.append(_ended(end, signal, cpu_s, job.limits))
            if job.give_up:
                outcomes += [outcomes[-1]] * (count - len(outcomes))
    if len(outcomes) != count:
        raise BadFrame
    return tuple(outcomes)


def lost(job: Job) -> tuple[Outcome, ...]:
    """What a job is answered whose worker died twice under it."""
    return tuple(Outcome(Status.PROTOCOL, detail="its worker was lost twice") for _ in job.inputs)


def _with_inputs(job: Job, inputs: list[bytes]) -> Job:
    return Job(job.code, tuple(inputs), job.entry, job.limits, job.give_up)


def _records(raw: bytes, done: int, total_s: float, alone: bool, limits: Limits) -> list[Outcome]:
    outcomes: list[Outcome] = []
    at = 0
    for index in range(done):
        if len(raw) - at < wire.RECORD.size:
            return outcomes + [_GARBAGE] * (done - index)
        what, cpu_s, size = wire.RECORD.unpack_from(raw, at)
        at += wire.RECORD.size
        if size > len(raw) - at:
            return outcomes + [_GARBAGE] * (done - index)
        cpu_s = total_s if alone or not math.isfinite(cpu_s) else min(max(cpu_s, 0.0), total_s)
        outcomes.append(_outcome(what, raw[at : at + size], cpu_s, limits))
        at += size
    return outcomes if at == len(raw) else [_GARBAGE] * done


def _outcome(what: int, payload: bytes, cpu_s: float, limits: Limits) -> Outcome:
    if what == wire.OK:
        try:
            decode(payload, max_bytes=limits.value_bytes, max_depth=limits.depth)
        except BadValue:
            return _GARBAGE
        return Outcome(Status.OK, payload, cpu_s=cpu_s)
    text = payload.decode("utf-8", "replace")
    if what == wire.RAISED:
        name, _, message = text.partition("\0")
        if not name.isidentifier():
            return _GARBAGE
        return Outcome(Status.RAISED, error=name, cpu_s=cpu_s, detail=_clean(f"{name}: {message}" if message else name))
    if what == wire.BAD_VALUE:
        return Outcome(Status.BAD_VALUE, cpu_s=cpu_s, detail=_clean(text))
    if what == wire.MEMORY:
        return Outcome(Status.MEMORY, cpu_s=cpu_s, detail=f"needs more than {limits.memory_mb} MiB")
    return _GARBAGE


def _ended(end: int, number: int, cpu_s: float, limits: Limits) -> Outcome:
    if end == wire.CPU:
        return Outcome(Status.CPU, cpu_s=cpu_s, detail=f"over {limits.cpu_s:g} s of CPU time")
    if end == wire.WALL:
        return Outcome(Status.WALL, cpu_s=cpu_s, detail=f"waited for over {limits.wall_s:g} s")
    if end == wire.SIGNAL and number == _SIGSYS:
        return Outcome(Status.VIOLATION, cpu_s=cpu_s, detail="asked the system for something forbidden")
    if end == wire.SIGNAL and number == _SIGKILL or end == wire.EXIT and number == wire.OUT_OF_MEMORY:
        return Outcome(Status.MEMORY, cpu_s=cpu_s, detail=f"needs more than {limits.memory_mb} MiB")
    if end == wire.SIGNAL:
        return Outcome(Status.CRASH, cpu_s=cpu_s, detail=f"the interpreter died of signal {number}")
    if end == wire.TRAP:
        return Outcome(Status.CRASH, cpu_s=cpu_s, detail=f"the interpreter trapped with code {number}")
    if end == wire.EXIT:
        return Outcome(Status.NO_RESULT, cpu_s=cpu_s, detail="left without a result")
    return _GARBAGE


def _clean(text: str) -> str:
    return "".join(c if c.isprintable() else "�" for c in text[:200])
