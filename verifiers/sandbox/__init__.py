"""Runs programs that a model wrote, as if they were out to break free.

    with open_sandbox(servers=2) as sandbox:
        outcomes = await sandbox.run(Job("def f(x): return x + 1", (encode((1,)),)))

See `verifiers.zygote` for the far side of the pipe.
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
) -> Sandbox:
    """A sandbox that has passed its own probes, at `min_level` or above.

    `servers` workers take jobs; there are always at least four that a job can be pinned to. `allow_weak` accepts a machine
    without a system call filter. `without` leaves walls out, to act as a machine that lacks them. Raises
    `SandboxUnavailable`, with one sentence, when this machine offers less than was asked; `ValueError` for a wrong argument.
    """
    if backend not in _BACKENDS:
        raise ValueError(f"no sandbox backend is called {backend!r}: there is {', '.join(_BACKENDS)}")
    if min_level not in LEVELS:
        raise ValueError(f"no sandbox level is called {min_level!r}: there is {', '.join(LEVELS)}")
    if servers < 1:
        raise ValueError("a sandbox needs at least one server")
    if not sys.platform.startswith("linux"):
        raise SandboxUnavailable("The sandbox needs Linux: use a Linux machine, a container or WSL 2.")
    sandbox = ForkSandbox(servers, max(0, _SEEDS - servers), without)
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
