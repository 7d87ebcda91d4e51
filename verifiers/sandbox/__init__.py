"""Runs programs that a model wrote, as if they were out to break free.

    with open_sandbox(servers=2) as sandbox:
        outcomes = await sandbox.run(Job("def f(x): return x + 1", (encode((1,)),)))

What a program can do is compute, on its own copy of a small interpreter, until its CPU or memory budget ends: it has no
files, no network, no other process, no secret in reach, and 16 kinds of system call. Each input meets the program
afresh, and no program finds anything of another's. See `verifiers.zygote` for the far side of the pipe.

Limits that are known. Programs share the host's kernel, of which memory, futex and clock code can be reached. Memory is
bounded per worker, not in all: workers times `memory_mb`. Ungated code can read the clock, which no filter sees, so a
result may depend on the date: the static gate, and a recheck, are for that. CPU caches leak timing, as everywhere.
"""

from __future__ import annotations

import sys

from verifiers.sandbox.levels import LEVELS, failures
from verifiers.sandbox.pool import ForkSandbox
from verifiers.sandbox.records import Job, Limits, Outcome, Sandbox, SandboxUnavailable, Status

__all__ = ["Job", "Limits", "Outcome", "Sandbox", "SandboxUnavailable", "Status", "open_sandbox"]

_SEEDS = 4  # hash seeds that a program which touches sets must agree under: a two-member set passes one time in eight
_BACKENDS = ("auto", "fork")


def open_sandbox(
    servers: int = 2,
    backend: str = "auto",
    min_level: str = "strict",
    allow_weak: bool = False,
    without: tuple[str, ...] = (),
    preload: tuple[str, ...] = (),
    witnesses: int | None = None,
) -> Sandbox:
    """A sandbox that has passed its own probes, at `min_level` or above.

    `servers` workers take jobs, and `witnesses` more take pinned ones only, so that there are at least four to pin to
    unless told otherwise. `allow_weak` accepts a machine without a system call filter. `without` leaves walls out, to
    act as a machine that lacks them. `preload` names modules that programs may import beside the usual ones.

    Raises `SandboxUnavailable`, with one sentence, when this machine offers less than was asked; `ValueError` for a
    wrong argument.
    """
    if backend not in _BACKENDS:
        raise ValueError(f"no sandbox backend is called {backend!r}: there is {', '.join(_BACKENDS)}")
    if min_level not in LEVELS:
        raise ValueError(f"no sandbox level is called {min_level!r}: there is {', '.join(LEVELS)}")
    if servers < 1:
        raise ValueError("a sandbox needs at least one server")
    if not sys.platform.startswith("linux"):
        raise SandboxUnavailable("The sandbox needs Linux: use a Linux machine, a container or WSL 2.")
    witnesses = max(0, _SEEDS - servers) if witnesses is None else witnesses
    sandbox = ForkSandbox(servers, witnesses, without, preload)
    wanted = "weak" if allow_weak else min_level
    if LEVELS.index(sandbox.level) < LEVELS.index(wanted):
        got_through = failures(sandbox.capabilities)
        sandbox.close()
        lacks = f" (what got through: {', '.join(got_through)})" if got_through else ""
        raise SandboxUnavailable(
            f"This machine offers the sandbox level {sandbox.level}, and {wanted} was asked{lacks}: "
            "run where seccomp and user namespaces are allowed, or ask for less."
        )
    return sandbox
