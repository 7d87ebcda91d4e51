"""Matching pennies, three times over (OpenSpiel: `matrix_mp` in `repeated_game`)."""

from __future__ import annotations

from games.repeated import RepeatedMatrixGame


class MatchingPennies(RepeatedMatrixGame):
    name = "matching_pennies"
    roles = ("even", "odd")
    rules = "Both show a side of a coin at once, three times. Equal sides are a point for even, unequal ones for odd."
    choices = ("heads", "tails")

    def payoff(self, first: str, second: str) -> float:
        return 1.0 if first == second else -1.0
