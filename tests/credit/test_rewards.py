from __future__ import annotations

from dataclasses import replace

import pytest

import games
from selfplay.config import Config, CreditConfig, RewardConfig
from selfplay.credit import Credit
from selfplay.credit.reinforce import Reinforce
from selfplay.credit.rewards import attempt_reward, proposal_reward, rewards, task_rewards
from selfplay.records import Verdict
from tests.credit import made

TABLE = RewardConfig(refused=-1.0, repeat=0.2, valid=0.5, learnability=0.4, correct=1.0, wrong=0.1, unparsed=-0.5)
GAMES = {"kuhn_poker": games.find("kuhn_poker")}


def test_a_refused_proposal_a_repeated_one_and_a_new_one_earn_what_the_table_says() -> None:
    for gate in ("parse", "safety", "run", "determinism"):
        assert proposal_reward(TABLE, made.proposal(0, gate), {}, 0.0) == -1.0
    assert proposal_reward(TABLE, made.proposal(0, "novelty"), {}, 0.9) == 0.2
    assert task_rewards(TABLE, [], {"t": 1.0, "u": 0.0}) == pytest.approx({"t": 0.9, "u": 0.5})
    assert proposal_reward(TABLE, made.proposal(0, None), {"t": 0.9}, 0.0) == 0.9


def test_by_default_a_proposal_earns_what_its_task_is_worth_and_nothing_for_being_valid() -> None:
    proposals = [made.proposal(0, None, "t"), made.proposal(1, None, "u"), made.proposal(2, "novelty")]
    found = rewards(RewardConfig(), GAMES, [*proposals, made.proposal(3, "parse")], [], [], {"t": 0.7, "u": 0.0})
    assert [scored.reward for scored in found] == [0.7, 0.0, 0.0, 0.0]


def test_a_new_task_that_nobody_attempted_is_worth_what_is_typical() -> None:
    proposals = [made.proposal(0, None, "t"), made.proposal(1, None, "u")]
    found = rewards(TABLE, GAMES, proposals, [], [], {"t": 1.0, "x": 0.5})
    assert [scored.reward for scored in found] == pytest.approx([0.9, 0.5 + 0.4 * 0.75])


def test_where_nothing_was_measured_a_new_task_earns_only_that_it_is_valid() -> None:
    (found,) = rewards(TABLE, GAMES, [made.proposal(0, None)], [], [], {})
    assert found.reward == 0.5


def test_where_the_ends_have_a_price_all_alike_attempts_pay_it_and_a_task_not_attempted_its_share() -> None:
    config = TABLE.model_copy(update={"ends": -0.5})
    verdicts = {
        "t": [Verdict.WRONG, Verdict.UNPARSED],
        "u": [Verdict.CORRECT] * 2,
        "v": [Verdict.CORRECT, Verdict.WRONG],
    }
    attempts = [made.attempt(0, verdict, task) for task, those in verdicts.items() for verdict in those]
    proposals = [made.proposal(place, None, task) for place, task in enumerate("tuvw")]
    found = rewards(config, GAMES, proposals, attempts, [], {"t": 0.1, "u": 0.2, "v": 1.0})
    assert [scored.reward for scored in found[:4]] == pytest.approx([-0.5, -0.5, 0.9, -0.1 / 3])
    free = rewards(TABLE, GAMES, proposals, attempts, [], {"t": 0.1, "u": 0.2, "v": 1.0})
    assert [scored.reward for scored in free[:3]] == pytest.approx([0.54, 0.58, 0.9])


def test_every_reward_says_of_what_kind_it_is() -> None:
    attempts, episodes = [made.attempt(0, Verdict.CORRECT)], [made.episode(0, (2.0, -2.0), (0, 1))]
    found = rewards(TABLE, GAMES, [made.proposal(0, None)], attempts, episodes, {})
    assert [scored.family for scored in found] == ["deduction", "deduction", "kuhn_poker/0", "kuhn_poker/1"]


def test_an_attempt_earns_by_its_verdict() -> None:
    earned = {verdict: attempt_reward(TABLE, verdict) for verdict in Verdict}
    assert earned.pop(Verdict.CORRECT) == 1.0
    assert earned.pop(Verdict.UNPARSED) == -0.5
    assert set(earned.values()) == {0.1} and len(earned) == 4


def test_returns_are_divided_by_the_game_s_largest_utility() -> None:
    episodes = [made.episode(0, (2.0, -2.0), (0, 1, 0)), made.episode(1, (-1.0, 1.0), (0, 1))]
    found = rewards(TABLE, GAMES, [], [], episodes, {})
    assert [scored.reward for scored in found] == [1.0, -1.0, 1.0, -0.5, 0.5]
    owners = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]
    assert [scored.owner for scored in found] == [("episode", *owner) for owner in owners]


def test_an_invalid_move_trains_only_the_one_who_made_it() -> None:
    found = rewards(TABLE, GAMES, [], [], [made.episode(3, (0.0, -2.0), (0, 1), offender=1)], {})
    assert [(scored.owner, scored.reward) for scored in found] == [(("episode", 3, 1), -1.0)]


def test_legal_moves_that_an_invalid_one_cut_short_can_be_worth_what_the_recipe_says() -> None:
    cut = made.episode(3, (0.0, -2.0), (0, 1, 0, 1), offender=1)
    cut = replace(cut, plies=(*cut.plies[:-1], replace(cut.plies[-1], action=None)))
    found = rewards(TABLE.model_copy(update={"cut_short": 0.25}), GAMES, [], [], [cut], {})
    assert [scored.reward for scored in found] == [0.25, 0.25, 0.25, -1.0]
    assert [scored.reward for scored in rewards(TABLE, GAMES, [], [], [cut], {})] == [-1.0, -1.0]


def test_credit_gives_every_trained_turn_a_sample_and_weighs_roles() -> None:
    weights = {"solver": 2.0, "player": 0.5}
    config = Config.model_validate({"reward": TABLE.model_dump(), "credit": {"weights": weights}})
    proposals = [made.proposal(0, None), made.proposal(1, "parse")]
    attempts = [made.attempt(0, Verdict.CORRECT), made.attempt(1, Verdict.WRONG)]
    episodes = [made.episode(0, (2.0, -2.0), (0, 1))]
    samples = Credit(config, GAMES).assign(proposals, attempts, episodes, {"t": 1.0})
    assert {owner: (sample.reward, sample.advantage) for owner, sample in samples.items()} == {
        ("proposal", 0, 0): (pytest.approx(0.9), pytest.approx(1.9)),
        ("proposal", 1, 0): (-1.0, pytest.approx(-1.9)),
        ("attempt", 0, 0): (1.0, pytest.approx(2 * 0.9)),
        ("attempt", 1, 0): (0.1, pytest.approx(2 * -0.9)),
        ("episode", 0, 0): (1.0, 0.5),
        ("episode", 0, 1): (-1.0, -0.5),
    }
    assert samples["attempt", 1, 0].turn is attempts[1].turn


def test_credit_resumes_with_its_baselines() -> None:
    episodes = [made.episode(0, (2.0, -2.0), (0, 1))]
    first, second = Credit(Config(), GAMES), Credit(Config(), GAMES)
    first.assign([], [], episodes, {})
    second.load_state_dict(first.state_dict())
    assert second.assign([], [], episodes, {}) == first.assign([], [], episodes, {})
    assert Credit(Config(), GAMES).assign([], [], episodes, {}) != second.assign([], [], episodes, {})


def test_without_a_baseline_the_advantage_is_the_reward() -> None:
    found = made.scored("kuhn_poker/0", 1.0, -0.5, 0.0)
    assert Reinforce(CreditConfig()).advantages(found) == [1.0, -0.5, 0.0]
