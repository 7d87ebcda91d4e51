"""The few kernel calls that the standard library lacks, through ctypes."""

from __future__ import annotations

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38


def prctl(option: int, value: int = 0, pointer: object = 0) -> None:
    """Raises `OSError`."""
    check(libc.prctl(option, ctypes.c_ulong(value), pointer, ctypes.c_ulong(0), ctypes.c_ulong(0)))


def check(result: int) -> int:
    """`result`, unless it reports a failure: then `OSError` with the call's errno."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
