"""A value that was sampled, with its 95 % interval, and how both are stored: a measure `KEY`, its bounds `KEY/low` and
`KEY/high`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

BOUNDS = ("/low", "/high")
Z = 1.96


@dataclass(frozen=True, slots=True)
class Estimate:
    """`low` and `high` bound the 95 % interval."""

    value: float
    low: float
    high: float

    def measures(self, key: str) -> dict[str, float]:
        return {key: self.value, key + BOUNDS[0]: self.low, key + BOUNDS[1]: self.high}


def wilson(count: int, total: int) -> Estimate:
    """A share with Wilson's score interval. It takes trials as independent, which is cautious for two games of one
    deal: what luck gives one seat it takes from the other."""
    share, weight = count / total, Z * Z / total
    centre = (share + weight / 2) / (1 + weight)
    half = math.sqrt(share * (1 - share) * weight + weight * weight / 4) / (1 + weight)
    return Estimate(share, max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share)))


def mean(deals: Sequence[Sequence[float]]) -> Estimate:
    """The mean of scores in [0, 1] with a normal interval whose unit is the deal: games of one deal are not
    independent.

    Four deals that were not played, two all 0 and two all 1, are counted in for the interval (Agresti and Coull's plus
    four, which does for a mean what Wilson does for a share): a few equal scores prove little.
    """
    scores = [score for deal in deals for score in deal]
    value, size = math.fsum(scores) / len(scores), max(map(len, deals))
    padded = [*deals, *([[0.0] * size] * 2), *([[1.0] * size] * 2)]
    total = len(scores) + 4 * size
    centre = (math.fsum(scores) + 2 * size) / total
    half = Z * math.sqrt(math.fsum((sum(deal) - len(deal) * centre) ** 2 for deal in padded)) / total
    return Estimate(value, max(0.0, min(centre - half, value)), min(1.0, max(centre + half, value)))
