"""The system that a guest sees. WASI has 45 calls; this answers eight of them, and the rest with an error number.

Nothing here opens, reads, writes, waits or draws a random number, so there is nothing that a guest could reach by
calling it. A guest's pointers are checked against its own memory.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

_OK, _BAD_FILE, _FAULT, _NOT_PERMITTED = 0, 8, 21, 63
_NOW_NS = 10**18  # 2001-09-09, for ever
_CHARACTER_DEVICE = 2
_FILESTAT = struct.Struct("<QQB7xQQQQQ")


class Left(Exception):
    """The guest called exit. `status` is what it said."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status & 0xFFFFFFFF


def linker(engine: Any, module: Any, arguments: list[bytes], environment: list[bytes]) -> Any:
    """A wasmtime linker that defines all that `module` imports."""
    import wasmtime

    answers: dict[str, Callable[..., int]] = {
        "clock_res_get": lambda caller, clock, at: _put(caller, at, struct.pack("<Q", 1)),
        "clock_time_get": lambda caller, clock, precision, at: _put(caller, at, struct.pack("<Q", _NOW_NS)),
        "fd_filestat_get": _filestat,
        "proc_exit": _leave,
    }
    answers["args_sizes_get"], answers["args_get"] = _texts(arguments)
    answers["environ_sizes_get"], answers["environ_get"] = _texts(environment)
    system = wasmtime.Linker(engine)
    for wanted in module.imports:
        no = _BAD_FILE if wanted.name in ("fd_prestat_get", "fd_fdstat_get") else _NOT_PERMITTED
        answer = answers.get(wanted.name, lambda *anything, no=no: no)
        system.define_func(wanted.module, wanted.name, wanted.type, answer, access_caller=True)
    return system


def _put(caller: Any, at: int, data: bytes) -> int:
    try:
        caller["memory"].write(caller, data, at & 0xFFFFFFFF)
    except IndexError:
        return _FAULT
    return _OK


def _leave(caller: Any, status: int) -> int:
    raise Left(status)


def _filestat(caller: Any, file: int, at: int) -> int:
    """Standard input, output and error look like a terminal's: the interpreter will not start without them."""
    if not 0 <= file <= 2:
        return _BAD_FILE
    return _put(caller, at, _FILESTAT.pack(0, 0, _CHARACTER_DEVICE, 1, 0, 0, 0, 0))


def _texts(texts: list[bytes]) -> tuple[Callable[..., int], Callable[..., int]]:
    """How WASI hands over a list of strings: first the sizes, then pointers and bytes."""
    whole = b"".join(text + b"\0" for text in texts)

    def sizes(caller: Any, count_at: int, bytes_at: int) -> int:
        return _put(caller, count_at, struct.pack("<I", len(texts))) or _put(
            caller, bytes_at, struct.pack("<I", len(whole))
        )

    def get(caller: Any, pointers_at: int, bytes_at: int) -> int:
        pointers, at = [], bytes_at & 0xFFFFFFFF
        for text in texts:
            pointers.append(at)
            at = at + len(text) + 1 & 0xFFFFFFFF
        return _put(caller, bytes_at, whole) or _put(caller, pointers_at, struct.pack(f"<{len(texts)}I", *pointers))

    return sizes, get
