from __future__ import annotations

from collections import Counter
from typing import Any

from selfplay.config import Config
from selfplay.curriculum.bank import Bank
from selfplay.curriculum.plan import Plan, plan
from selfplay.curriculum.scorers.variance import Variance
from selfplay.records import Task

FAMILIES: Any = {"deduction": None, "maths": None}
"""Only their names matter to a plan."""
CONFIG = Config.model_validate(
    {
        "curriculum": {"families": list(FAMILIES), "proposals": 24, "prompts": 3, "references": 2, "replays": 5},
        "games": {"names": ["kuhn_poker", "tic_tac_toe"], "episodes": 10},
    }
)


def full_bank() -> Bank:
    bank = Bank(lambda task: task.id, Variance())
    for family in FAMILIES:
        for place in range(20):
            bank.admit(Task(f"{family}{place}", family, {}, "1"))
    return bank


def planned(step: int = 1, config: Config = CONFIG, families: Any = FAMILIES) -> Plan:
    return plan(step, config, full_bank(), families, list(config.games.names))


def test_proposals_are_shared_evenly_over_families_and_sets_of_references() -> None:
    requests = planned().requests
    assert [request.index for request in requests] == list(range(24))
    assert Counter(request.family for request in requests) == {"deduction": 12, "maths": 12}
    assert set(Counter(request.group for request in requests).values()) == {4}
    assert len({request.group for request in requests}) == 6


def test_proposals_of_a_group_share_their_references_which_are_of_their_family() -> None:
    shown: dict[str, set[tuple[str, ...]]] = {}
    for request in planned().requests:
        shown.setdefault(request.group, set()).add(tuple(task.id for task in request.references))
        assert [task.family for task in request.references] == [request.family] * 2
    assert all(len(references) == 1 for references in shown.values())
    assert len(set.union(*shown.values())) > 3, "groups differ in what they are shown"


def test_games_are_shared_evenly_and_every_one_has_a_deal_of_its_own() -> None:
    matches = planned().matches
    assert [match.index for match in matches] == list(range(10))
    assert Counter(match.game for match in matches) == {"kuhn_poker": 5, "tic_tac_toe": 5}
    assert len({match.seed for match in matches}) == 10


def test_a_plan_is_decided_by_the_bank_the_seed_and_the_step() -> None:
    assert planned() == planned()
    for other in (planned(step=2), planned(config=CONFIG.model_copy(update={"seed": 1}))):
        assert other.matches != planned().matches
        assert other.requests != planned().requests
        assert other.replays != planned().replays


def test_replays_are_as_many_as_asked_for() -> None:
    assert len({task.id for task in planned().replays}) == 5


def test_without_families_nothing_is_proposed_and_without_games_nothing_is_played() -> None:
    alone = planned(families={})
    assert alone.requests == () and alone.replays == () and len(alone.matches) == 10
    silent = CONFIG.model_copy(update={"games": CONFIG.games.model_copy(update={"names": ()})})
    assert planned(config=silent).matches == ()


def test_an_empty_bank_gives_requests_without_references() -> None:
    requests = plan(1, CONFIG, Bank(lambda task: task.id, Variance()), FAMILIES, ["kuhn_poker"]).requests
    assert len(requests) == 24 and all(request.references == () for request in requests)
