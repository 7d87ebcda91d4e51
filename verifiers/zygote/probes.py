"""Attempts on the walls that a server makes from inside a child before it serves anyone.

Each is a function that tries one thing an honest program never needs. It *holds* when the child was killed for it or
was told no. A level is what the probes measured, not what was set up.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable

from verifiers.zygote import kernel, syscalls, wire
from verifiers.zygote.watch import End

REFUSED = 3  # exit status: the call failed
_SIGSYS = 31


def open_file() -> None:
    os.open("/", os.O_RDONLY)


def open_socket() -> None:
    kernel.check(kernel.libc.syscall(syscalls.number("socket"), 2, 1, 0))


def fork() -> None:
    if kernel.check(kernel.libc.fork()) == 0:
        os._exit(0)


def execute() -> None:
    os.execve("/bin/true", ["true"], {})


def executable_memory() -> None:
    kernel.libc.mmap.restype = ctypes.c_long
    kernel.check(kernel.libc.mmap(None, ctypes.c_size_t(4096), 7, 0x22, -1, ctypes.c_long(0)))


def hog_memory() -> None:
    bytearray(1 << 29)


def loop() -> None:
    while True:
        pass


PROBES: tuple[Callable[[], None], ...] = (open_file, open_socket, fork, execute, executable_memory, hog_memory, loop)


def attempt(probe: Callable[[], None]) -> int:
    """Exit status for the child that ran `probe`: 0 when it succeeded, `REFUSED` when it was told no."""
    try:
        probe()
    except (OSError, MemoryError):
        return REFUSED
    return 0


def held(probe: Callable[[], None], end: End) -> bool:
    """Whether the wall that `probe` tried stood."""
    if probe is loop:
        return end.end == wire.CPU and end.cpu_s < 0.5
    return (end.end == wire.SIGNAL and end.number == _SIGSYS) or (end.end == wire.EXIT and end.number == REFUSED)
