"""Rock, paper, scissors, three times over (OpenSpiel: `matrix_rps` in `repeated_game`)."""

from __future__ import annotations

from games.repeated import RepeatedMatrixGame


class RockPaperScissors(RepeatedMatrixGame):
    name = "rock_paper_scissors"
    rules = (
        "Both choose at once, three times. Rock beats scissors, scissors beats paper, paper beats rock; each win is a "
        "point."
    )
    choices = ("rock", "paper", "scissors")

    def payoff(self, first: str, second: str) -> float:
        ahead = (self.choices.index(first) - self.choices.index(second)) % 3
        return (0.0, 1.0, -1.0)[ahead]
