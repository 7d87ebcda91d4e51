from __future__ import annotations


class Uniform:
    """Every snapshot alike: the average of the past, as in fictitious play."""

    name = "uniform"

    def weight(self, score: float) -> float:
        return 1.0
