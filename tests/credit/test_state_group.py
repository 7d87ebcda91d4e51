"""Leave-one-out among turns that saw the same position."""

from __future__ import annotations

from selfplay.config import CreditConfig
from selfplay.credit.rewards import Scored
from selfplay.credit.state_group import StateGroup
from selfplay.records import Completion, Stop, Turn


def scored(index: int, prompt: tuple[int, ...], reward: float, group: str = "kuhn_poker/0") -> Scored:
    turn = Turn("player", group, "", prompt, Completion((1,), (-1.0,), "a", Stop.STOP, 0))
    return Scored(("episode", index, 0), turn, reward)


def test_a_turn_is_compared_with_others_that_saw_the_same() -> None:
    rollouts = [scored(0, (1,), 1.0), scored(1, (1,), 0.0), scored(2, (2,), -1.0), scored(3, (2,), -0.5)]
    assert StateGroup(CreditConfig()).advantages(rollouts) == [1.0, -1.0, -0.5, 0.5]


def test_the_luck_that_a_position_brings_to_all_its_turns_is_taken_out() -> None:
    good, bad = [scored(i, (1,), 1.0) for i in range(3)], [scored(3 + i, (2,), -1.0) for i in range(3)]
    assert StateGroup(CreditConfig()).advantages([*good, *bad]) == [0.0] * 6


def test_a_position_seen_once_falls_back_to_the_other_turns_of_its_seat() -> None:
    rollouts = [scored(0, (1,), 1.0), scored(1, (2,), 0.0), scored(2, (2,), 0.5), scored(3, (9,), -1.0, "kuhn_poker/1")]
    found = StateGroup(CreditConfig()).advantages(rollouts)
    assert found[0] == 1.0 - 0.25
    assert found[3] == 0.0, "alone in its seat, it has nothing to be compared with"
