"""Fewer rows for the same gradient, in expectation: a step's compute goes to the rows that move it.

A row's share of the gradient grows with its advantage, and most rows of a small model's step say little (a refused
proposal among refused ones). Rows are kept with a probability proportional to |advantage| (Poisson sampling) and
weighted by its inverse, so that the expected gradient is that of the whole batch. Rows without advantage carry none and
go first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from selfplay.records import Sample


def thin(samples: Sequence[Sample], budget: int, rng: Random) -> list[Sample]:
    """Samples of about `budget` completion tokens in expectation, advantages scaled by 1 / probability; 0: only what
    carries nothing goes."""
    heard = [sample for sample in samples if sample.advantage and sample.turn.completion.ids]
    if not budget:
        return heard
    costs = [len(sample.turn.completion.ids) for sample in heard]
    rate = _rate([abs(sample.advantage) for sample in heard], costs, budget)
    kept = []
    for sample in heard:
        probability = min(1.0, rate * abs(sample.advantage))
        if rng.random() < probability:
            kept.append(replace(sample, advantage=sample.advantage / probability))
    return kept


def _rate(sizes: list[float], costs: list[int], budget: int) -> float:
    """The factor c for which the sum of cost x min(1, c x size) is `budget`; infinite where all fits."""
    if budget >= sum(costs):
        return float("inf")
    left, open_ = float(budget), sorted(zip(sizes, costs, strict=True), reverse=True)
    total = sum(size * cost for size, cost in open_)
    for size, cost in open_:  # the largest reach probability 1 first
        if total <= 0 or left / total * size < 1:
            break
        left, total = left - cost, total - size * cost
    else:
        return float("inf")
    return max(left, 0.0) / total if total > 0 else float("inf")
