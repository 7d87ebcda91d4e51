from __future__ import annotations

from selfplay.bench.sandbox import measure


def test_the_bench_measures_every_figure_it_promises_and_the_hostile_batch_ends_right() -> None:
    figures = measure()
    assert figures["level"] in ("strict", "strict+")
    assert figures["hostile_mix_right"] is True
    rates = ("programs_per_s", "inputs_per_s", "vs_fresh_interpreter", "vs_bare_interpreter", "hostile_mix_s")
    assert set(figures) == {"level", "hostile_mix_right", *rates}
    assert all(figures[key] > 0 for key in rates)
    assert figures["inputs_per_s"] > figures["programs_per_s"]
