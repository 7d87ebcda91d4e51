"""Hand-made turns, proposals, attempts and games for the tests of credit."""

from __future__ import annotations

from selfplay.credit.rewards import Scored
from selfplay.records import (
    Attempt,
    Completion,
    End,
    Episode,
    Ply,
    Proposal,
    Refusal,
    Stop,
    Task,
    Turn,
    Verdict,
)


def turn(role: str, group: str) -> Turn:
    return Turn(role, group, "?", (63,), Completion((97,), (-1.0,), "a", Stop.STOP, 0))


def scored(group: str, *returns: float) -> list[Scored]:
    return [Scored(("episode", place, 0), turn("player", group), value) for place, value in enumerate(returns)]


def proposal(index: int, gate: str | None, task: str = "t") -> Proposal:
    asked = turn("proposer", "deduction/0")
    if gate:
        return Proposal(index, "deduction", asked, refusal=Refusal(gate))
    return Proposal(index, "deduction", asked, task=Task(task, "deduction", {}, "1"))


def attempt(index: int, verdict: Verdict, task: str = "t") -> Attempt:
    return Attempt(task, "deduction", index, turn("solver", task), None, verdict)


def episode(index: int, returns: tuple[float, float], seats: tuple[int, ...], offender: int | None = None) -> Episode:
    """A game of Kuhn poker in which `seats` decided, one after the other."""
    plies = tuple(Ply(seat, "", None, "pass", turn("player", f"kuhn_poker/{seat}")) for seat in seats)
    end = End.FINISHED if offender is None else End.INVALID
    return Episode(index, "kuhn_poker", index, ("policy", "policy"), plies, returns, end, offender)
