from __future__ import annotations

from selfplay.health.alarms import SIGNS, Alarms

DEAD = {"proposer/valid_rate": 0.0}
WELL = {"proposer/valid_rate": 0.5}


def names(alarms: Alarms, *steps: dict[str, float]) -> list[list[str]]:
    return [[event.data["alarm"] for event in alarms.check(step)] for step in steps]


def test_an_alarm_is_raised_once_when_its_sign_has_stood_for_the_patience() -> None:
    raised = names(Alarms(3), DEAD, DEAD, DEAD, DEAD, DEAD)
    assert raised == [[], [], ["no_valid_proposals"], [], []]


def test_it_is_raised_again_only_after_the_sign_was_gone() -> None:
    raised = names(Alarms(2), DEAD, WELL, DEAD, DEAD, WELL, DEAD, DEAD)
    assert raised == [[], [], [], ["no_valid_proposals"], [], [], ["no_valid_proposals"]]


def test_a_role_that_does_nothing_raises_nothing() -> None:
    assert names(Alarms(1), {}, {"bank/tasks": 0.0}) == [[], []]


def test_every_sign_can_be_raised_and_says_what_it_means() -> None:
    (found,) = [Alarms(1).check({sign.metric: sign.most for sign in SIGNS})]
    assert [event.data["alarm"] for event in found] == [sign.name for sign in SIGNS]
    assert all(event.kind == "alarm" and len(event.detail) > 40 for event in found)
    assert Alarms(1).check({sign.metric: sign.most + 0.01 for sign in SIGNS}) == []


def test_a_resumed_run_goes_on_counting_where_it_was() -> None:
    curves = {"proposer/valid_rate": [(1, 0.5), (2, 0.0), (3, 0.0)]}
    assert names(Alarms(3, curves), DEAD, DEAD) == [["no_valid_proposals"], []]
