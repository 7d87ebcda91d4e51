"""A seccomp filter, assembled as classic BPF, built once and installed by every child.

The filter is an allow-list. It ends the process on a foreign architecture or on an x32 number, lets `mmap` and
`mprotect` through only without PROT_EXEC, answers EPERM to the soft list, and treats every other call as its default
says.
"""

from __future__ import annotations

import ctypes
import struct

from verifiers.zygote import kernel, syscalls

KILL, EPERM, ALLOW = 0x80000000, 0x00050001, 0x7FFF0000
_LOAD, _EQUAL, _AT_LEAST, _BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _THIRD_ARGUMENT = 0, 4, 32
_X32, _PROT_EXEC = 0x40000000, 4


class Filter:
    """A program for the kernel. Keeps its own memory alive."""

    def __init__(self, code: list[tuple[int, int, int, int]]) -> None:
        self.length = len(code)
        self._text = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
        self._program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", self.length, ctypes.addressof(self._text)))
        self._address = ctypes.addressof(self._program)
        self._call = kernel.libc.prctl
        rest = (ctypes.c_ulong(0), ctypes.c_ulong(0))
        self._arguments = (kernel.PR_SET_SECCOMP, ctypes.c_ulong(2), ctypes.c_void_p(self._address), *rest)

    def install(self) -> None:
        """For this process and its descendants, for good. Needs `no_new_privs`. Raises `OSError`."""
        kernel.check(self._call(*self._arguments))


def child_filter() -> Filter:
    """What a program's process may do. Everything unnamed ends it."""
    return Filter(_assemble(syscalls.CHILD, syscalls.SOFT, KILL))


def server_filter() -> Filter:
    """What the server may do. Everything unnamed fails with EPERM."""
    return Filter(_assemble(syscalls.CHILD + syscalls.SERVER, (), EPERM))


def _assemble(allowed: tuple[str, ...], soft: tuple[str, ...], default: int) -> list[tuple[int, int, int, int]]:
    guarded, free, eperm = map(syscalls.numbers, (syscalls.NO_EXEC, allowed, soft))
    head = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, syscalls.AUDIT[syscalls.machine()]),
        (_RETURN, 0, 0, KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, KILL),
    ]
    tail = [
        (_RETURN, 0, 0, default),
        (_LOAD, 0, 0, _THIRD_ARGUMENT),
        (_BITS, 0, 1, _PROT_EXEC),
        (_RETURN, 0, 0, default),
        (_RETURN, 0, 0, ALLOW),
        (_RETURN, 0, 0, EPERM),
    ]
    targets = [(n, 1) for n in guarded] + [(n, 4) for n in free] + [(n, 5) for n in eperm]
    tests = [(_EQUAL, len(targets) - 1 - i + place, 0, n) for i, (n, place) in enumerate(targets)]
    return head + tests + tail
