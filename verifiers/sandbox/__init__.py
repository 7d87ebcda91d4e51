"""Runs programs that a model wrote, as if they were out to break free.

    with open_sandbox(servers=2) as sandbox:
        outcomes = await sandbox.run(Job("def f(x): return x + 1", (encode((1,)),)))

What a program can do is compute, on its own copy of a small interpreter, until its CPU or memory budget ends: it has no
files, no network, no other process, no secret in reach. Each input meets the program afresh, and no program finds
anything of another's. Two backends do this: `fork`, behind the walls of a Linux kernel, which leave a program 16 kinds
of system call (`verifiers.zygote`), and `wasm`, in a virtual machine, for where those walls are not to be had
(`verifiers.wasi`).

Limits that are known. Memory is bounded per worker, not in all: workers times `memory_mb`. CPU caches leak timing, as
everywhere. Under `fork`, programs share the host's kernel, of which memory, futex and clock code can be reached, and
ungated code can read the clock, which no filter sees, so a result may depend on the date: the static gate, and a
recheck, are for that.
"""

from __future__ import annotations

from collections.abc import Callable

from verifiers.sandbox import wasm
from verifiers.sandbox.fork import ForkSandbox
from verifiers.sandbox.levels import LEVELS, failures
from verifiers.sandbox.pool import Pool
from verifiers.sandbox.records import Job, Limits, Outcome, Sandbox, SandboxUnavailable, Status
from verifiers.sandbox.wasm import WasmSandbox

__all__ = ["Job", "Limits", "Outcome", "Sandbox", "SandboxUnavailable", "Status", "open_sandbox"]

_SEEDS = 4  # hash seeds that a program which touches sets must agree under: a two-member set passes one time in eight
_BACKENDS: dict[str, Callable[..., Pool]] = {"fork": ForkSandbox, "wasm": WasmSandbox}


def open_sandbox(
    servers: int = 2,
    backend: str = "auto",
    min_level: str | None = None,
    allow_weak: bool = False,
    without: tuple[str, ...] = (),
    preload: tuple[str, ...] = (),
    witnesses: int | None = None,
    seed: int = 0,
) -> Sandbox:
    """A sandbox that has passed its own probes, at `min_level` or above.

    `servers` workers take jobs, and `witnesses` more take pinned ones only, so that there are at least four to pin to
    unless told otherwise. `backend` `auto` is `fork` where that reaches the level, and else `wasm` where its packages
    are installed and the level allows it. `min_level` is `strict` unless given, and `wasm` where that backend is named.
    `allow_weak` accepts a machine without a system call filter. `without` leaves walls out, to act as a machine that
    lacks them. `preload` names modules that programs may import beside the usual ones. `seed` decides the hash
    seeds of the servers, so that a program that is lucky under one set of them is not lucky in every run.

    Raises `SandboxUnavailable`, with one sentence, when this machine offers less than was asked; `ValueError` for a
    wrong argument.
    """
    if backend not in ("auto", *_BACKENDS):
        raise ValueError(f"no sandbox backend is called {backend!r}: there is auto, {', '.join(_BACKENDS)}")
    min_level = min_level or ("wasm" if backend == "wasm" else "strict")
    if min_level not in LEVELS:
        raise ValueError(f"no sandbox level is called {min_level!r}: there is {', '.join(LEVELS)}")
    if servers < 1:
        raise ValueError("a sandbox needs at least one server")
    witnesses = max(0, _SEEDS - servers) if witnesses is None else witnesses
    wanted = "weak" if allow_weak else min_level

    def opened(kind: str) -> Sandbox:
        return _at_least(wanted, _BACKENDS[kind](servers, witnesses, without, preload, seed))

    if backend != "auto":
        return opened(backend)
    try:
        return opened("fork")
    except SandboxUnavailable as error:
        if _reaches("wasm", wanted) and wasm.installed():
            return opened("wasm")
        raise SandboxUnavailable(f"{str(error).removesuffix('.')}; {_other_way(wanted)}.") from error


def _at_least(wanted: str, sandbox: Pool) -> Sandbox:
    if _reaches(sandbox.level, wanted):
        return sandbox
    sandbox.close()
    got_through = failures(sandbox.capabilities)
    lacks = f" (what got through: {', '.join(got_through)})" if got_through else ""
    raise SandboxUnavailable(
        f"This machine offers the sandbox level {sandbox.level}, and {wanted} was asked{lacks}: "
        "run where seccomp and user namespaces are allowed, or ask for less."
    )


def _reaches(level: str, wanted: str) -> bool:
    return LEVELS.index(level) >= LEVELS.index(wanted)


def _other_way(wanted: str) -> str:
    """What else a person can do on a machine where the fork backend does not reach the level."""
    steps = [] if _reaches("wasm", wanted) else ["ask for the level wasm, which needs no help from the kernel"]
    if not wasm.installed():
        steps.append(f"{wasm.HOW_TO_INSTALL}, which brings the level wasm")
    return "or " + " and ".join(steps)
