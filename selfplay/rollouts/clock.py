"""How long something that many rollouts do at once was going on at all."""

from __future__ import annotations

import time


class Clock:
    """`with clock:` around each of many overlapping stretches; `seconds` is the wall time in which at least one ran."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._inside = 0
        self._since = 0.0

    def __enter__(self) -> None:
        if not self._inside:
            self._since = time.perf_counter()
        self._inside += 1

    def __exit__(self, *_: object) -> None:
        self._inside -= 1
        if not self._inside:
            self.seconds += time.perf_counter() - self._since
