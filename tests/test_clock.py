from __future__ import annotations

import time

from selfplay.clock import Clock


def test_overlapping_stretches_count_once() -> None:
    clock, started = Clock(), time.perf_counter()
    with clock:
        with clock:
            time.sleep(0.02)
        time.sleep(0.02)
    assert 0.04 <= clock.seconds <= time.perf_counter() - started


def test_the_overlap_is_the_time_in_which_both_ran() -> None:
    other = Clock()
    clock = Clock(beside=other)
    with other, clock:
        time.sleep(0.02)
    with clock:
        time.sleep(0.02)
    with other:
        time.sleep(0.02)
    assert 0.02 <= clock.overlap <= clock.seconds - 0.02
