# ruff: noqa: E501
from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifiers.codec import encode
from verifiers.sandbox.frames import BadFrame, pack, split, unpack
from verifiers.sandbox.records import Job, Limits, Outcome, Status
from verifiers.zygote import wire

JOB = Job("def f(x): return x", (encode((1,)), encode((2,)), encode((3,))))


def record(what: int, payload: bytes, cpu_s: float = 0.001) -> bytes:
    return wire.RECORD.pack(what, cpu_s, len(payload)) + payload


def segment(done: int, end: int, raw: bytes, signal: int = 0, cpu_s: float = 0.01, used: int | None = None) -> bytes:
    return wire.SEGMENT.pack(done, end, signal, cpu_s, len(raw) if used is None else used) + raw


def test_records_and_ends_become_outcomes_in_order() -> None:
    reply = segment(1, wire.CPU, record(wire.OK, b"i1;")) + segment(
        1, wire.FINISHED, record(wire.RAISED, b"ValueError\0no")
    )
    answers = unpack(reply, JOB)
    assert [a.status for a in answers] == [Status.OK, Status.CPU, Status.RAISED]
    assert answers[0].value == b"i1;" and answers[2].error == "ValueError" and answers[2].detail == "ValueError: no"


@pytest.mark.parametrize(
    ("end", "signal", "status"),
    [
        (wire.CPU, 9, Status.CPU),
        (wire.WALL, 9, Status.WALL),
        (wire.SIGNAL, 31, Status.VIOLATION),
        (wire.SIGNAL, 11, Status.CRASH),
        (wire.SIGNAL, 9, Status.MEMORY),
        (wire.EXIT, 0, Status.NO_RESULT),
        (wire.EXIT, wire.OUT_OF_MEMORY, Status.MEMORY),
        (wire.GARBAGE, 0, Status.PROTOCOL),
        (99, 0, Status.PROTOCOL),
    ],
)
def test_every_end_has_its_status(end: int, signal: int, status: Status) -> None:
    job = Job("", (encode((1,)),))
    assert unpack(segment(0, end, b"", signal), job)[0].status is status


@pytest.mark.parametrize(
    "raw",
    [
        record(wire.OK, b"i01;"), record(wire.OK, b"i1;i1;"), record(wire.OK, b""), record(wire.OK, b"D;"), record(wire.OK, b"s99:a"),
        record(wire.OK, b"s5000:" + b"a" * 5000), record(wire.RAISED, b"a b"), record(wire.RAISED, b"__import__('os')"), record(wire.RAISED, b""), record(77, b""),
        record(wire.OK, b"i1;")[:-1], record(wire.OK, b"i1;") + b"x", b"", b"\0" * 5,
    ],
)  # fmt: skip
def test_an_odd_record_is_protocol_and_never_a_value(raw: bytes) -> None:
    (answer,) = unpack(segment(1, wire.FINISHED, raw), Job("", (encode((1,)),)))
    assert answer == Outcome(Status.PROTOCOL, detail=answer.detail)


@pytest.mark.parametrize(
    "reply",
    [
        b"", b"x", segment(4, wire.FINISHED, record(wire.OK, b"N") * 4), segment(1, wire.FINISHED, record(wire.OK, b"N")),
        segment(3, wire.FINISHED, b"", used=1 << 30), segment(0, wire.CPU, b"", cpu_s=float("nan")), segment(0, wire.CPU, b"", cpu_s=-1.0),
        segment(3, wire.FINISHED, record(wire.OK, b"N") * 3) + b"x",
    ],
)  # fmt: skip
def test_a_worker_that_writes_nonsense_is_told(reply: bytes) -> None:
    with pytest.raises(BadFrame):
        unpack(reply, JOB)


@given(st.binary(max_size=300))
@settings(max_examples=500)
def test_no_reply_raises_anything_else(reply: bytes) -> None:
    try:
        answers = unpack(reply, JOB)
    except BadFrame:
        return
    assert len(answers) == 3


@given(st.lists(st.binary(max_size=60), max_size=3), st.data())
@settings(max_examples=500)
def test_no_page_makes_a_value_that_is_not_canonical(parts: list[bytes], draw: st.DataObject) -> None:
    raw = bytearray(b"".join(record(wire.OK, part) for part in [*parts, b"[i1;s1:a]", b"di1;T;"]))
    for _ in range(3):
        raw[draw.draw(st.integers(0, len(raw) - 1))] = draw.draw(st.integers(0, 255))
    for answer in unpack(segment(3, wire.FINISHED, bytes(raw)), JOB):
        assert (answer.status is Status.OK) == (answer.value is not None)
        assert 0 <= answer.cpu_s <= 0.01


def test_a_job_is_split_so_that_every_part_fits() -> None:
    inputs = tuple(encode((i, "x" * (i * 97 % 5000))) for i in range(900))
    for limits in (Limits(), Limits(value_bytes=100_000), Limits(value_bytes=10)):
        job = Job("def f(x, y): return x" + " " * 50_000, inputs, limits=limits)
        parts = split(job)
        assert tuple(data for part in parts for data in part.inputs) == inputs
        for part in parts:
            assert len(part.inputs) <= wire.inputs_per_fork(limits.value_bytes)
            assert len(pack(part, 1)) <= wire.REQUEST_BYTES + wire.HEAD.size
