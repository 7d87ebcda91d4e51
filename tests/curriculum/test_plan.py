from __future__ import annotations

from collections import Counter
from typing import Any

from selfplay.config import Config
from selfplay.curriculum.bank import Bank
from selfplay.curriculum.plan import Plan, plan
from selfplay.curriculum.posterior import Posterior
from selfplay.curriculum.scorers.variance import Variance
from selfplay.families import Family
from selfplay.records import Task


class Plain:
    """A part that says nothing about itself."""

    name = "maths"


class FromSources(Plain):
    name = "deduction"
    sources = ("maths",)
    themes = ("text", "numbers")


FAMILIES: Any = {
    "deduction": Family("deduction", FromSources(), FromSources(), FromSources()),  # type: ignore[arg-type]
    "maths": Family("maths", Plain(), Plain(), Plain()),  # type: ignore[arg-type]
}
CONFIG = Config.model_validate(
    {
        "curriculum": {"families": list(FAMILIES), "proposals": 24, "prompts": 3, "references": 2, "replays": 5},
        "games": {"names": ["kuhn_poker", "tic_tac_toe"], "episodes": 10},
    }
)


def full_bank() -> Bank:
    bank = Bank(Variance())
    for family in FAMILIES:
        for place in range(20):
            bank.admit(Task(f"{family}{place}", family, {}, "1", themes=("text",)))
    return bank


def planned(step: int = 1, config: Config = CONFIG, families: Any = FAMILIES) -> Plan:
    return plan(step, config, full_bank(), families, list(config.games.names))


def test_proposals_are_shared_evenly_over_families_and_sets_of_references() -> None:
    assignments = planned().assignments
    assert [asked.index for asked in assignments] == list(range(24))
    assert Counter(asked.brief.family for asked in assignments) == {"deduction": 12, "maths": 12}
    assert set(Counter(asked.group for asked in assignments).values()) == {4}
    assert len({asked.group for asked in assignments}) == 6


def test_proposals_of_a_group_share_their_references_which_are_of_their_family() -> None:
    shown: dict[str, set[tuple[str, ...]]] = {}
    for asked in planned().assignments:
        shown.setdefault(asked.group, set()).add(tuple(task.id for task in asked.brief.references))
        assert [task.family for task in asked.brief.references] == [asked.brief.family] * 2
    assert all(len(references) == 1 for references in shown.values())
    assert len(set.union(*shown.values())) > 3, "groups differ in what they are shown"


def test_games_are_shared_evenly_and_every_one_has_a_deal_of_its_own() -> None:
    matches = planned().matches
    assert [match.index for match in matches] == list(range(10))
    assert Counter(match.game for match in matches) == {"kuhn_poker": 5, "tic_tac_toe": 5}
    assert len({match.seed for match in matches}) == 10


def test_games_that_share_a_deal_are_of_one_game_and_only_as_many_as_asked_for() -> None:
    games = CONFIG.games.model_copy(update={"episodes": 16, "same_deal": 4})
    matches = planned(config=CONFIG.model_copy(update={"games": games})).matches
    assert sorted(Counter(match.seed for match in matches).values()) == [4, 4, 4, 4]
    assert len({(match.seed, match.game) for match in matches}) == 4
    assert Counter(match.game for match in matches) == {"kuhn_poker": 8, "tic_tac_toe": 8}


def test_a_plan_is_decided_by_the_bank_the_seed_and_the_step() -> None:
    assert planned() == planned()
    for other in (planned(step=2), planned(config=CONFIG.model_copy(update={"seed": 1}))):
        assert other.matches != planned().matches
        assert other.assignments != planned().assignments
        assert other.replays != planned().replays


def test_replays_are_as_many_as_asked_for() -> None:
    assert len({task.id for task in planned().replays}) == 5


def test_without_families_nothing_is_proposed_and_without_games_nothing_is_played() -> None:
    alone = planned(families={})
    assert alone.assignments == () and alone.replays == () and len(alone.matches) == 10
    silent = CONFIG.model_copy(update={"games": CONFIG.games.model_copy(update={"names": ()})})
    assert planned(config=silent).matches == ()


def test_an_empty_bank_gives_assignments_without_references() -> None:
    assignments = plan(1, CONFIG, Bank(Variance()), FAMILIES, ["kuhn_poker"]).assignments
    assert len(assignments) == 24 and all(asked.brief.references == () for asked in assignments)


def directed(kind: str, share: float = 1.0) -> Plan:
    wanted = CONFIG.curriculum.model_copy(update={"directives": {kind: share}, "prompts": 10, "proposals": 40})
    bank = full_bank()
    bank.record("deduction7", Posterior(1, 8))
    return plan(1, CONFIG.model_copy(update={"curriculum": wanted}), bank, FAMILIES, [])


def test_a_family_that_works_from_a_source_is_given_one_of_the_families_it_names() -> None:
    for asked in planned().assignments:
        source = asked.brief.source
        assert (source and source.family) == ("maths" if asked.brief.family == "deduction" else None)


def test_a_theme_is_drawn_for_coverage_and_only_where_a_family_has_themes() -> None:
    briefs = [asked.brief for asked in directed("theme").assignments]
    assert all(brief.directive is None for brief in briefs if brief.family == "maths")
    found = Counter(brief.directive.theme for brief in briefs if brief.directive)
    assert found["numbers"] > 3 * found["text"], "twenty tasks are about text and none about numbers"


def test_a_difficulty_is_asked_for_with_the_solve_rate_that_it_means() -> None:
    found = {asked.brief.directive for asked in directed("difficulty").assignments}
    assert {each.target for each in found if each} == {0.25, 0.5, 0.75} and None not in found


def test_a_variation_shows_the_failed_task_last() -> None:
    for asked in directed("variation").assignments:
        if asked.brief.family == "deduction":
            assert asked.brief.directive and asked.brief.directive.task == "deduction7"
            assert asked.brief.references[-1].id == "deduction7"
            assert len({task.id for task in asked.brief.references}) == len(asked.brief.references) <= 2


def test_a_directive_is_asked_for_as_often_as_its_share_says() -> None:
    groups = {asked.group: asked.brief.directive for asked in directed("difficulty", 0.5).assignments}
    assert 4 <= sum(directive is not None for directive in groups.values()) <= 16
