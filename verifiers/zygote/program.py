"""Calls a model's program on one input. Whatever it does, the result is a record's kind and payload.

Shared by a forked child and by the guest of a virtual machine. Everything used after foreign code has run is bound
beforehand.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from verifiers.codec import BadValue, decode, encode
from verifiers.zygote import surroundings, wire


def compiled(text: bytes) -> tuple[Any, bytes]:
    """A code object, or None and the payload of the record that says why there is none."""
    try:
        return compile(text.decode(), "<program>", "exec", dont_inherit=True), b""
    except SyntaxError as error:
        return None, b"SyntaxError\0" + _named(error).partition(b"\0")[2]
    except (ValueError, MemoryError, RecursionError, OverflowError):
        return None, b"SyntaxError\0too complex, or not text"


def call(
    code: Any,
    names: dict[str, Any],
    entry: str,
    data: bytes,
    caps: dict[str, int],
    _module: Any = ModuleType,
    _modules: dict[str, Any] = sys.modules,
    _run: Any = exec,
    _decode: Any = decode,
    _encode: Any = encode,
    _failed: type[BaseException] = BadValue,
    _refresh: Any = surroundings.refresh,
) -> tuple[int, bytes]:
    """Executes `code` afresh with the builtins `names`, and calls its `entry` on the arguments in `data`."""
    try:
        _refresh()
        module = _module("program")
        space = module.__dict__
        space["__builtins__"] = names
        _modules["program"] = module
        arguments = _decode(data, ordered=None)
        _run(code, space)
        if entry not in space:
            return wire.RAISED, b"NameError\0the program defines no " + entry.encode()
        value = space[entry](*arguments)
    except MemoryError:
        return wire.MEMORY, b""
    except BaseException as error:
        return wire.RAISED, _named(error)
    try:
        return wire.OK, _encode(value, **caps)
    except MemoryError:
        return wire.MEMORY, b""
    except _failed as error:
        return wire.BAD_VALUE, str(error).encode()
    except BaseException:
        return wire.BAD_VALUE, b"it changes while it is read"


def _named(error: BaseException, _name: Any = type.__dict__["__name__"].__get__) -> bytes:
    try:
        message = str(error)[:200].encode("utf-8", "backslashreplace")
    except BaseException:
        message = b""
    name = _name(type(error))
    if not name.isidentifier() or len(name) > 60:
        name = "Exception"
    return (name.encode() + b"\0" + message)[: wire.DETAIL_BYTES]
