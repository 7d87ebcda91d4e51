"""System call numbers and the lists that make the walls, for x86_64 and aarch64.

`CHILD` is everything a program's process can do: memory, its own clock, waking its own threads, and leaving. `SOFT`
fails with EPERM, so that library code which asks for a file or for randomness sees an ordinary error. Anything else
ends the process. `SERVER` is what the server itself needs beside those; whatever else it asks for is refused.
"""

from __future__ import annotations

import os

NUMBERS = {
    "x86_64": dict(
        munmap=11, brk=12, mremap=25, madvise=28, futex=202, exit=60, exit_group=231, clock_gettime=228,
        gettimeofday=96, rt_sigreturn=15, sched_yield=24, getpid=39, gettid=186, restart_syscall=219, mmap=9,
        mprotect=10, read=0, write=1, readv=19, open=2, openat=257, close=3, stat=4, fstat=5, lstat=6, newfstatat=262,
        lseek=8, ioctl=16, access=21, readlink=89, readlinkat=267, getcwd=79, getdents64=217, rt_sigaction=13,
        rt_sigprocmask=14, getrandom=318, nanosleep=35, clock_nanosleep=230, prlimit64=302, setrlimit=160, wait4=61,
        rt_sigtimedwait=128, clone=56, fork=57, set_robust_list=273, rseq=334, kill=62, prctl=157, sigaltstack=131,
        getppid=110, set_tid_address=218, pivot_root=155, capset=126, socket=41, execve=59,
    ),
    "aarch64": dict(
        munmap=215, brk=214, mremap=216, madvise=233, futex=98, exit=93, exit_group=94, clock_gettime=113,
        gettimeofday=169, rt_sigreturn=139, sched_yield=124, getpid=172, gettid=178, restart_syscall=128, mmap=222,
        mprotect=226, read=63, write=64, readv=65, openat=56, close=57, fstat=80, newfstatat=79, lseek=62, ioctl=29,
        readlinkat=78, getcwd=17, getdents64=61, rt_sigaction=134, rt_sigprocmask=135, getrandom=278, nanosleep=101,
        clock_nanosleep=115, prlimit64=261, setrlimit=164, wait4=260, rt_sigtimedwait=137, clone=220,
        set_robust_list=99, rseq=293, kill=129, prctl=167, sigaltstack=132, getppid=173, set_tid_address=96,
        pivot_root=41, capset=91, socket=198, execve=221,
    ),
}  # fmt: skip

AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

CHILD = (
    "futex", "munmap", "brk", "mremap", "madvise", "exit", "exit_group", "clock_gettime", "gettimeofday",
    "rt_sigreturn", "sched_yield", "getpid", "gettid", "restart_syscall",
)  # fmt: skip
NO_EXEC = ("mmap", "mprotect")  # allowed as long as they ask for no executable memory
SOFT = (
    "read", "write", "open", "openat", "close", "stat", "fstat", "lstat", "newfstatat", "lseek", "ioctl", "access",
    "readlink", "readlinkat", "getcwd", "getdents64", "rt_sigaction", "rt_sigprocmask", "getrandom", "nanosleep",
    "clock_nanosleep", "prlimit64", "setrlimit",
)  # fmt: skip
SERVER = (
    "read", "readv", "write", "close", "wait4", "rt_sigtimedwait", "rt_sigaction", "rt_sigprocmask", "clone", "fork",
    "set_robust_list", "rseq", "kill", "prctl", "prlimit64", "setrlimit", "sigaltstack", "getppid", "set_tid_address",
)  # fmt: skip


def machine() -> str:
    """The architecture's name as in `NUMBERS`, or another name when there is no table for it."""
    return os.uname().machine


def number(name: str) -> int:
    """This machine's number of a call. Raises `KeyError` where it has none."""
    return NUMBERS[machine()][name]


def numbers(names: tuple[str, ...]) -> list[int]:
    """The numbers of those calls that this machine has."""
    table = NUMBERS[machine()]
    return [table[name] for name in names if name in table]
