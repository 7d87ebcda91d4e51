"""The sandboxes of a run: one for programs, and one more for each set of libraries that a family's own programs use."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from selfplay.config import SandboxConfig
from selfplay.errors import UserError
from verifiers.sandbox import Sandbox, SandboxUnavailable, open_sandbox
from verifiers.sandbox.levels import LEVELS


class Sandboxes:
    """Opened when first asked for, closed together."""

    def __init__(self, config: SandboxConfig, seed: int = 0) -> None:
        self._config, self._seed = config, seed
        self._open: dict[tuple[str, ...], Sandbox] = {}

    def open(self, modules: tuple[str, ...] | None) -> Sandbox | None:
        """The sandbox whose programs may import `modules` beside the usual ones; None for None. Programs that bring
        their own library are not the model's, so they get fewer servers, and no witnesses. Raises UserError, in one
        sentence, where this machine cannot contain programs."""
        if modules is None:
            return None
        if modules not in self._open:
            level, servers = self._config.min_level, self._config.servers
            try:
                self._open[modules] = open_sandbox(
                    servers=max(1, servers // 2) if modules else servers,
                    min_level=level,
                    allow_weak=level == "weak",
                    preload=modules,
                    witnesses=0 if modules else None,
                    seed=self._seed,
                )
            except SandboxUnavailable as error:
                raise UserError(str(error)) from error
        return self._open[modules]

    @property
    def level(self) -> str | None:
        """The lowest level among those that are open; None where none is."""
        return min((box.level for box in self._open.values()), key=LEVELS.index, default=None)

    def close(self) -> None:
        for box in self._open.values():
            box.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
