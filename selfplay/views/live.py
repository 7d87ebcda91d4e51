"""The view of a run while it runs: a panel that is redrawn on a terminal, plain lines anywhere else.

It watches and never takes part: whatever goes wrong in here is said once on stderr, and the run goes on; and it waits
for nobody who reads it (see `outlet`).
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import IO, Any, Self, cast

from selfplay.records import StepRecord
from selfplay.store import digest as digests
from selfplay.views.outlet import Outlet
from selfplay.views.panel import panel
from selfplay.views.steps import game_line, step_line, task_line
from selfplay.views.text import console, duration, safe

REDRAW = 0.25
"""Seconds between two pictures, if the terminal has taken the last one."""


def _harmless(method: Callable[..., None]) -> Callable[..., None]:
    """The border at which this view's own failures end."""

    @functools.wraps(method)
    def guarded(self: Live, *args: Any, **kwargs: Any) -> None:
        try:
            method(self, *args, **kwargs)
        except Exception as error:
            self._failed(error)

    return guarded


class Live:
    """`with Live(total_steps, title) as live:` then `phase`, `progress`, `step`, `note`, in any order.

    plain: lines instead of a panel; by default, whenever `file` (stdout) is no terminal.
    started, curves: the steps that were done before and their metrics, as a reader gives them (a resumed run).
    """

    def __init__(
        self,
        total_steps: int,
        title: str,
        plain: bool | None = None,
        *,
        file: IO[str] | None = None,
        started: int = 0,
        curves: Mapping[str, Sequence[tuple[int, float | None]]] | None = None,
    ) -> None:
        self.total_steps, self.title, self.done = total_steps, title, started
        self.file = file or sys.stdout
        self.plain = plain if plain is not None else not _is_terminal(self.file)
        self.step_seconds = 0.0
        self.begun = self.phase_begun = time.monotonic()
        self.phase_name, self.progress_text = "starting", ""
        self.digest: dict[str, Any] | None = None
        self.seconds: dict[str, float] = {}
        self.curves: dict[str, deque[float | None]] = {
            key: deque((value for _, value in pairs), maxlen=512) for key, pairs in (curves or {}).items()
        }
        self.last_task = self.last_game = ""
        self._took: deque[float] = deque(maxlen=16)
        self._told = False
        self._outlet: Outlet | None = None
        self._live: Any = None
        self._ended = threading.Event()
        self._painter = threading.Thread(target=self._paint, name="live view", daemon=True)

    @_harmless
    def phase(self, name: str) -> None:
        """What the run does now."""
        self.phase_name, self.progress_text, self.phase_begun = safe(name), "", time.monotonic()

    @_harmless
    def progress(self, text: str) -> None:
        """How far the phase is. Lines stay silent about it."""
        self.progress_text = safe(text)

    @_harmless
    def step(self, record: StepRecord) -> None:
        """One committed step."""
        self.done, self.digest, self.seconds = record.step, digests.digest(record), dict(record.seconds)
        self._took.append(sum(self.seconds.values()))
        self.step_seconds = sum(self._took) / len(self._took)
        for key, value in record.metrics.items():
            self.curves.setdefault(key, deque(maxlen=512)).append(float(value))
        task, game = digests.last_task(record.proposals), digests.last_game(record.episodes)
        self.last_task = task_line(task) if task else self.last_task
        self.last_game = game_line(game) if game else self.last_game
        self._print(step_line(record.step, self.total_steps, self.digest, self.seconds))
        if self.plain:
            for name, line in (
                ("last task", self.last_task if task else ""),
                ("last game", self.last_game if game else ""),
            ):
                if line:
                    self._print(f"  {name}: {line}")
        for event in record.events:
            self._print(f"  {safe(event.kind)}: {safe(event.detail)}")

    @_harmless
    def note(self, text: str) -> None:
        """One line that stays."""
        self._print(safe(text))

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def __rich__(self) -> Any:
        try:
            return panel(self)
        except Exception as error:
            self._failed(error)
            return ""

    @_harmless
    def _start(self) -> None:
        self._outlet = Outlet(self.file)
        if self.plain:
            self._print(safe(self.title))
            return
        from rich.live import Live as Screen

        screen = console(cast(IO[str], self._outlet))
        self._live = Screen(self, console=screen, auto_refresh=False, transient=True, vertical_overflow="crop")
        self._live.start(refresh=True)
        self._painter.start()

    @_harmless
    def _paint(self) -> None:
        """Draws the panel now and then, in a thread of its own, but no picture on top of one that is still waiting."""
        while not self._ended.wait(REDRAW):
            if self._outlet is not None and self._outlet.idle:
                self._live.refresh()

    @_harmless
    def _stop(self) -> None:
        self._ended.set()
        if self._painter.is_alive():
            self._painter.join()
        live, self._live = self._live, None
        if live is not None:
            live.stop()
        self._print(f"{self.done} of {self.total_steps} steps in {duration(time.monotonic() - self.begun)}")
        outlet, self._outlet = self._outlet, None
        if outlet is not None:
            outlet.close()

    def _print(self, line: str) -> None:
        if self._live is not None:
            from rich.text import Text

            self._live.console.print(Text(line))
        else:
            print(line, file=self._outlet or self.file)

    def _failed(self, error: Exception) -> None:
        if not self._told:
            self._told = True
            with suppress(Exception):
                print(f"The live view failed and the run goes on ({type(error).__name__}: {error}).", file=sys.stderr)


def _is_terminal(file: IO[str]) -> bool:
    return file.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
