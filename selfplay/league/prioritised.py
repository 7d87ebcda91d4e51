from __future__ import annotations


class Prioritised:
    """Those that still win, by the square of how often (prioritised fictitious self-play of AlphaStar)."""

    name = "prioritised"

    def weight(self, score: float) -> float:
        return (1.0 - score) ** 2
