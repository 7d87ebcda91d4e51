"""How much the solve rate moved since the task was last measured."""

from __future__ import annotations

from selfplay.curriculum.posterior import Posterior


class Progress:
    """Source: learning progress; in absolute value, so that what is being forgotten counts too, as in teacher-student
    curricula (arXiv 1707.00183).

    The distance from the previous rate to the central 80 % of the posterior: movement that chance does not explain. The
    plain difference, which the source has, pays a task that never moves for its noise, 0.2 for 8 coin flips and 8 more.
    Deviation also from the expectation that the other scorers are, which has the same fault. A sample that is all alike
    counts as reaching its end: from 0 to 0 of 8 nothing moved. 0 where nothing was measured before. In [0, 1].
    """

    name = "progress"

    def __call__(self, posterior: Posterior) -> float:
        if posterior.previous is None or not posterior.attempts:
            return 0.0
        low, high = posterior.interval(0.8)
        low *= min(1.0, posterior.correct)
        high = 1 - (1 - high) * min(1.0, posterior.attempts - posterior.correct)
        return max(0.0, low - posterior.previous, posterior.previous - high)
