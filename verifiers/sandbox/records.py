"""What goes into the sandbox and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, Self


class SandboxUnavailable(RuntimeError):
    """This machine cannot offer what was asked. The message is one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for each input of a job.

    cpu_s: seconds on the program's own CPU clock. wall_s: a back-stop for a program that sleeps. memory_mb: MiB of
    address space beyond the interpreter's own. value_bytes, nodes, depth: caps on the result's canonical encoding.
    """

    cpu_s: float = 0.5
    wall_s: float = 5.0
    memory_mb: int = 256
    value_bytes: int = 4000
    nodes: int = 2000
    depth: int = 40


class Status(StrEnum):
    """What became of one input."""

    OK = "ok"
    RAISED = "raised"  # any exception, SystemExit and a program that does not compile among them
    BAD_VALUE = "bad_value"  # a result that is no plain value, or over a cap
    CPU = "cpu"
    WALL = "wall"
    MEMORY = "memory"
    VIOLATION = "violation"  # killed for a system call that no honest program makes
    CRASH = "crash"  # the interpreter died, of a C stack overflow for example
    NO_RESULT = "no_result"  # the process left without a result
    PROTOCOL = "protocol"  # the result channel held garbage, or the worker was lost twice


@dataclass(frozen=True, slots=True)
class Outcome:
    """One input's end. `value` is canonical bytes, set exactly when the status is `ok`; `error` is the exception's
    class name when it is `raised`; `cpu_s` is the input's CPU time; `detail` is one clause for a reader."""

    status: Status
    value: bytes | None = None
    error: str | None = None
    cpu_s: float = 0.0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """One program and the inputs it meets, in one fork or guest.

    inputs: each the encoding (plain or ordered) of one *tuple* of arguments. An input that ends its process (by its CPU
    time, a crash) is answered so, and the inputs after it go on in a fresh one; with `give_up` they are answered like
    it, unrun.
    """

    code: str
    inputs: tuple[bytes, ...]
    entry: str = "f"
    limits: Limits = Limits()
    give_up: bool = False


class Sandbox(Protocol):
    """Runs untrusted programs. `level` is what was measured at start: `strict+`, `strict`, `wasm` or `weak`.

    `servers` workers can be told apart by `run`'s `server` (0 to servers−1): each has its own hash seed and its own
    addresses (how much those differ, the backend says). A job that cannot be packed at all raises `ValueError`;
    whatever a program does is an `Outcome`.
    """

    level: str
    servers: int
    capabilities: Mapping[str, object]

    async def run(self, job: Job, server: int | None = None) -> tuple[Outcome, ...]: ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...
