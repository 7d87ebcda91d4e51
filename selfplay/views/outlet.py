"""A file whose writes are made by a thread of its own: who writes never waits for a terminal that is held (Ctrl-S), a
slow line, or a pager that nobody scrolls."""

from __future__ import annotations

import io
import queue
import threading
from typing import IO


class Outlet(io.TextIOBase):
    """`write` returns at once; `close` waits until all is written. What goes wrong in the thread is raised by the next
    `write` or by `close`, and what was to be written after it is lost."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._error: Exception | None = None
        self._idle = threading.Event()
        self._idle.set()
        self._thread = threading.Thread(target=self._work, name="outlet", daemon=True)
        self._thread.start()

    @property
    def idle(self) -> bool:
        """Whether all that was written has arrived: time to draw the next picture."""
        return self._idle.is_set()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return getattr(self._file, "encoding", None) or "utf-8"

    def isatty(self) -> bool:
        return self._file.isatty()

    def fileno(self) -> int:
        return self._file.fileno()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._check()
        self._idle.clear()
        self._waiting.put(text)
        return len(text)

    def close(self) -> None:
        if not self.closed:
            self._waiting.put(None)
            self._thread.join()
            super().close()
            self._check()

    def _work(self) -> None:
        while (text := self._waiting.get()) is not None:
            if self._error is None:
                try:
                    self._file.write(text)
                    self._file.flush()
                except Exception as error:
                    self._error = error
            if self._waiting.empty():
                self._idle.set()

    def _check(self) -> None:
        if self._error is not None:
            raise self._error
