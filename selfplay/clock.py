"""How long something that many coroutines do at once was going on at all, and how much of that beside another thing."""

from __future__ import annotations

import time


class Clock:
    """`with clock:` around each of many overlapping stretches; `seconds` is the wall time in which at least one ran.

    beside: another clock. `overlap` is the part of `seconds` in which that one ran too.
    """

    def __init__(self, beside: Clock | None = None) -> None:
        self.overlap = 0.0
        self._beside = beside
        self._closed = 0.0
        self._inside = 0
        self._since = self._other = 0.0

    @property
    def seconds(self) -> float:
        return self._closed + (time.perf_counter() - self._since if self._inside else 0.0)

    def __enter__(self) -> None:
        if not self._inside:
            self._since = time.perf_counter()
            self._other = self._beside.seconds if self._beside else 0.0
        self._inside += 1

    def __exit__(self, *_: object) -> None:
        self._inside -= 1
        if not self._inside:
            self._closed += time.perf_counter() - self._since
            self.overlap += (self._beside.seconds if self._beside else 0.0) - self._other
