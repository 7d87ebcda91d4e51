"""The fork backend: each worker is a `verifiers.zygote`, which forks one child for each program. Linux."""

from __future__ import annotations

import sys

from verifiers.sandbox.pool import Pool
from verifiers.sandbox.records import SandboxUnavailable
from verifiers.sandbox.worker import Launch


class ForkSandbox(Pool):
    """Servers differ in hash seed and address layout. `without`: walls to leave out, to act as a machine that lacks
    them. `preload`: modules, from this process's `sys.path`, that programs may import as well."""

    def __init__(
        self,
        workers: int,
        witnesses: int = 0,
        without: tuple[str, ...] = (),
        preload: tuple[str, ...] = (),
        seed: int = 0,
    ) -> None:
        if not sys.platform.startswith("linux"):
            raise SandboxUnavailable("The fork sandbox needs Linux: use a Linux machine, a container or WSL 2.")
        paths = [f"@{path}" for path in sys.path if path] if preload else []
        arguments = (*without, *paths, *(f"+{name}" for name in preload))
        super().__init__(workers, witnesses, Launch("verifiers.zygote.server", arguments, seed=seed))
