"""Absolute Zero's table of rewards (arXiv 2505.03335), as one setting of ours: the paper's, and its released code's."""

from __future__ import annotations

import pytest

import games
from selfplay.config import RewardConfig
from selfplay.credit.rewards import rewards
from selfplay.curriculum.posterior import Posterior
from selfplay.curriculum.scorers.one_minus import OneMinus
from selfplay.records import Verdict
from tests.credit import made

PAPER = RewardConfig(refused=-1.0, repeat=-1.0, valid=0.0, learnability=1.0, correct=1.0, wrong=-0.5, unparsed=-1.0)
CODE = PAPER.model_copy(update={"ends": -0.5})
GAMES = {"kuhn_poker": games.find("kuhn_poker")}


def earned(config: RewardConfig, solved: int, gate: str | None = None) -> tuple[float, list[float]]:
    """What the proposal of a task that 8 attempts solved so often earned, and what they did."""
    attempts = [made.attempt(place, Verdict.CORRECT if place < solved else Verdict.WRONG) for place in range(8)]
    learnability = {"t": OneMinus()(Posterior(solved, 8))}
    proposal, *rest = rewards(config, GAMES, [made.proposal(0, gate)], attempts, [], learnability)
    return proposal.reward, [one.reward for one in rest]


@pytest.mark.parametrize("solved", range(9))
def test_a_proposal_earns_one_minus_its_solve_rate_in_the_paper_and_nothing_at_the_ends(solved: int) -> None:
    assert earned(PAPER, solved)[0] == (0.0 if solved in (0, 8) else 1 - solved / 8)


@pytest.mark.parametrize("solved", range(9))
def test_a_proposal_earns_one_minus_its_solve_rate_in_the_code_and_minus_a_half_at_the_ends(solved: int) -> None:
    assert earned(CODE, solved)[0] == (-0.5 if solved in (0, 8) else 1 - solved / 8)


@pytest.mark.parametrize("config", [PAPER, CODE], ids=["paper", "code"])
@pytest.mark.parametrize("gate", ["parse", "safety", "run", "determinism"])
def test_an_unformed_or_invalid_proposal_earns_minus_1(config: RewardConfig, gate: str) -> None:
    assert earned(config, 4, gate)[0] == -1.0


@pytest.mark.parametrize("config", [PAPER, CODE], ids=["paper", "code"])
def test_an_attempt_earns_1_minus_a_half_or_minus_1(config: RewardConfig) -> None:
    assert earned(config, 3)[1] == [1.0] * 3 + [-0.5] * 5
    unformed = rewards(config, GAMES, [], [made.attempt(0, Verdict.UNPARSED)], [], {})
    assert [one.reward for one in unformed] == [-1.0]
