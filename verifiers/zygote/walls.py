"""The walls a server builds round itself once, before it serves: they hold for all its children.

Each returns what it achieved and raises nothing: a machine that forbids one still has the others, and the level that is
reported comes from probes afterwards (`verifiers.zygote.probes`), not from these answers.
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
from contextlib import suppress

from verifiers.zygote import kernel

_NEW_USER, _NEW_MOUNT, _NEW_NET, _NEW_IPC = 0x10000000, 0x00020000, 0x40000000, 0x08000000
_NEW_UTS, _NEW_PID, _NEW_CGROUP = 0x04000000, 0x20000000, 0x02000000
_NEW_ALL = _NEW_USER | _NEW_MOUNT | _NEW_NET | _NEW_IPC | _NEW_UTS | _NEW_PID | _NEW_CGROUP
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_RDONLY, _MS_REMOUNT, _MS_REC, _MS_PRIVATE = 2, 4, 8, 1, 32, 16384, 1 << 18
_MNT_DETACH = 2
_CREATE_RULESET, _RESTRICT_SELF = 444, 446
_NOBODY = 65534


def limit_server() -> None:
    """No core dumps, no files, an ordinary stack; where memory runs out, this process and its children go first."""
    most_of = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: 16,
        resource.RLIMIT_STACK: 8 << 20,
    }
    for which, most in most_of.items():
        _, hard = resource.getrlimit(which)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (most, most))
    with suppress(OSError):
        _write("/proc/self/oom_score_adj", "1000")


def become_nobody() -> bool:
    """Drops root, where the server was started by root. True when the process has an ordinary user id afterwards."""
    if os.geteuid() != 0:
        return True
    try:
        os.setgroups([])
        os.setresgid(_NOBODY, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, _NOBODY)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # else /proc/self/uid_map stays root's and no namespace can be made
    except OSError:
        return False
    return True


def new_namespaces() -> tuple[bool, bool]:
    """An own user, mount, network, process, IPC, host name and cgroup view, with an empty read-only root.

    (entered, complete). Once entered, the next fork is process 1 of the new view, and must be the one that serves.
    """
    user, group = os.geteuid(), os.getegid()
    if kernel.libc.unshare(_NEW_ALL) != 0:
        return False, False
    try:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{_NOBODY} {user} 1")
        _write("/proc/self/gid_map", f"{_NOBODY} {group} 1")
        flags = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC
        _mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None)
        _mount(b"none", b"/tmp", b"tmpfs", flags, b"size=4k,mode=555")
        os.chdir("/tmp")
        kernel.check(kernel.libc.pivot_root(b".", b"."))
        kernel.check(kernel.libc.umount2(b".", _MNT_DETACH))
        os.chdir("/")
        _mount(b"none", b"/", None, flags | _MS_REMOUNT | _MS_RDONLY, None)
    except OSError:
        return True, False
    return True, True


def landlock() -> int:
    """Denies every file access, TCP, and signals and abstract sockets outward, as far as the kernel's Landlock goes.

    The ABI version enforced, 0 where there is none. Needs `no_new_privs`.
    """
    call = kernel.libc.syscall
    abi = call(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if abi < 1:
        return 0
    files = (1 << (13 + (abi >= 2) + (abi >= 3) + (abi >= 5))) - 1
    rules = struct.pack("QQQ", files, 3, 3)[: 8 if abi < 4 else 16 if abi < 6 else 24]
    ruleset = call(_CREATE_RULESET, rules, ctypes.c_size_t(len(rules)), 0)
    if ruleset < 0:
        return 0
    done = call(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return abi if done == 0 else 0


def drop_privileges() -> None:
    """No capability, none to be had again, and no look into this process from outside by an ordinary user."""
    for capability in range(64):
        kernel.libc.prctl(kernel.PR_CAPBSET_DROP, capability, 0, 0, 0)
    kernel.libc.capset(struct.pack("Ii", 0x20080522, 0), struct.pack("IIIIII", 0, 0, 0, 0, 0, 0))
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)


def _write(path: str, text: str) -> None:
    file = os.open(path, os.O_WRONLY)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)


def _mount(source: bytes | None, target: bytes, kind: bytes | None, flags: int, data: bytes | None) -> None:
    kernel.check(kernel.libc.mount(source, target, kind, ctypes.c_ulong(flags), data))
