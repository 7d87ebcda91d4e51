"""Waits for one child, on the child's own CPU clock.

Wall time depends on what else the machine does, and a verdict must not: an input is over its budget when *its* CPU
time is. The wall limit is a back-stop for a child that sleeps. The shared page says which input is being worked on; a
program that forges it gains at most the whole fork's budget, inputs times `cpu_s`.
"""

from __future__ import annotations

import os
import signal
import time
from mmap import mmap
from typing import NamedTuple

from verifiers.zygote import wire

_CHILD = {signal.SIGCHLD}
_NEVER = 3600.0


class End(NamedTuple):
    """How a child ended: one of `wire`'s ends, a signal number or exit status, and the CPU seconds it used in all."""

    end: int
    number: int
    cpu_s: float


def block_child_signals() -> None:
    """Once, before the first fork: `wait` collects SIGCHLD itself."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _CHILD)


def wait(pid: int, page: mmap, inputs: int, cpu_s: float, wall_s: float, enforce: bool = True) -> End:
    """Until the child `pid` is gone and reaped, by itself or by us."""
    clock = (~pid << 3) | 2  # the kernel's name for that process's CPU clock
    current, base = 0, 0.0
    born = began = time.monotonic()
    pause = cpu_s if enforce else _NEVER
    killed = wire.FINISHED
    while True:
        signal.sigtimedwait(_CHILD, pause)
        gone, status, usage = os.wait4(pid, os.WNOHANG)
        if gone:
            return _end(status, usage.ru_utime + usage.ru_stime, killed)
        if killed:
            continue
        try:
            used = time.clock_gettime(clock)
        except OSError:  # it ended a moment ago, or this kernel does not show the clock: CPU time is at most wall time
            used = time.monotonic() - born
        now = time.monotonic()
        _, _, index, start = wire.PAGE.unpack_from(page)
        if current < index < inputs:
            current, began = index, now
            base = min(max(start, base), used) if start == start else used
        if used - base >= cpu_s:
            killed = wire.CPU
        elif now - began >= wall_s:
            killed = wire.WALL
        if killed:
            os.kill(pid, signal.SIGKILL)
        pause = min(max(cpu_s - (used - base), 0.001), max(wall_s - (now - began), 0.001))


def _end(status: int, cpu_s: float, killed: int) -> End:
    if os.WIFEXITED(status):
        code = os.WEXITSTATUS(status)
        return End(wire.EXIT if code else wire.FINISHED, code, cpu_s)
    number = os.WTERMSIG(status)
    if number == signal.SIGKILL and killed:
        return End(killed, number, cpu_s)
    if number == signal.SIGXCPU:
        return End(wire.CPU, number, cpu_s)
    return End(wire.SIGNAL, number, cpu_s)
