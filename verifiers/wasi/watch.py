"""Interrupts a guest whose CPU time is up.

The clock is this process's CPU clock, which only the guest moves while it runs: like the fork server's, it does not
tick while other programs have the processor. A guest checks for an interruption at every loop and call it makes, in C
as well as in Python.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_PAUSE_S = 0.02


class Watchdog(threading.Thread):
    """`bark` is called once from this thread when a budget is over. Sleeps while nobody is watched for a while."""

    def __init__(self, bark: Callable[[], None]) -> None:
        super().__init__(name="watchdog", daemon=True)
        self._bark = bark
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._deadline: float | None = None
        self.start()

    def watch(self, cpu_s: float, prepare: Callable[[], None]) -> None:
        """From now on, until `release`. `prepare` is called first; no bark comes between."""
        with self._lock:
            prepare()
            self._deadline = time.process_time() + cpu_s
        self._wake.set()

    def release(self) -> None:
        with self._lock:
            self._deadline = None

    def run(self) -> None:
        while True:
            if self._deadline is None:
                self._wake.clear()
                if self._deadline is None:
                    self._wake.wait()
            with self._lock:
                left = self._left()
                if left <= 0:
                    self._bark()
                    self._deadline = None
            time.sleep(min(max(left, 0.001), _PAUSE_S))

    def _left(self) -> float:
        return _PAUSE_S if self._deadline is None else self._deadline - time.process_time()
