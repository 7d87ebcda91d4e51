"""Credit to the turn, by the values of positions."""

from __future__ import annotations

import json
from random import Random

import pytest

from selfplay.config import CreditConfig
from selfplay.credit.means import Means
from selfplay.credit.rae import Rae
from selfplay.credit.rewards import Scored
from selfplay.credit.turn_gae import TurnGae
from selfplay.records import Completion, Stop, Turn


def scored(game: int, ply: int, prompt: int, reward: float, seat: int = 0, legal: bool = True) -> Scored:
    turn = Turn("player", f"tic_tac_toe/{seat}", "", (prompt,), Completion((1,), (-1.0,), "a", Stop.STOP, 0))
    return Scored(("episode", game, ply), turn, reward, legal=legal)


def estimator(mix: float = 0.5, memory: int = 50) -> TurnGae:
    return TurnGae(CreditConfig(gae_lambda=mix, value_memory=memory))


def test_where_no_prompt_comes_twice_it_is_the_role_s_baseline() -> None:
    chance, own, rae = Random(0), estimator(0.3), Rae(CreditConfig())
    for step in range(4):
        rollouts = []
        for game in range(8):
            won = chance.choice([-1.0, 1.0])
            prompts = [1000 * step + 10 * game + ply for ply in range(4)]
            rollouts += [scored(game, ply, prompts[ply], won * (1 - 2 * (ply % 2)), ply % 2) for ply in range(4)]
        assert own.advantages(rollouts) == pytest.approx(rae.advantages(rollouts))


def test_a_turn_is_worth_the_position_it_led_to() -> None:
    credit = estimator(mix=0.0)
    for _ in range(2):  # from position 1 a move leads to 2, which is won, or to 3, which is lost
        won = [scored(0, 0, 1, 1.0), scored(0, 2, 2, 1.0)]
        lost = [scored(1, 0, 1, -1.0), scored(1, 2, 3, -1.0)]
        found = credit.advantages([*won, *lost])
    assert found == pytest.approx([1.0, 0.0, -1.0, 0.0]), "the choice at 1 decided, what came after did not"


def test_a_good_move_is_not_blamed_for_a_blunder_after_it() -> None:
    """The same game, by lambda: 1 believes the end, 0 the position."""
    found = {}
    for mix in (0.0, 0.5, 1.0):
        credit = estimator(mix)
        credit.advantages([scored(0, 0, 1, 0.0), *(scored(game, 2, 2, 1.0) for game in range(1, 11))])
        found[mix] = credit.advantages([scored(0, 0, 1, -1.0), scored(0, 2, 2, -1.0)])
    assert [found[mix][0] for mix in (0.0, 0.5, 1.0)] == pytest.approx([1.0, 0.0, -1.0])
    assert {round(both[1], 6) for both in found.values()} == {-2.0}, "the blunder itself is, whatever lambda is"


def test_the_same_prompt_in_the_other_seat_is_another_position() -> None:
    credit = estimator()
    credit.advantages([scored(0, 0, 1, 1.0), scored(0, 1, 1, -1.0, seat=1)])
    assert credit.advantages([scored(0, 0, 1, 1.0), scored(0, 1, 1, -1.0, seat=1)]) == [0.0, 0.0]


def test_an_illegal_move_is_not_the_fault_of_the_turn_before_it() -> None:
    credit = estimator()
    for _ in range(30):
        found = credit.advantages([scored(0, 0, 1, 0.5), scored(0, 2, 2, -1.0, legal=False)])
    assert found[0] == pytest.approx(0.0)
    credit.advantages([scored(0, 2, 2, 0.5)])
    assert credit.advantages([scored(0, 0, 1, 0.5), scored(0, 2, 2, 0.5)])[0] == pytest.approx(0.0), (
        "nor is a position worth less to lead to because half of what was said there was no move"
    )


def test_the_advantages_of_a_position_are_centred_illegal_moves_included() -> None:
    credit = estimator()
    step = [scored(game, 0, 1, 0.5) for game in range(3)] + [scored(3, 0, 1, -1.0, legal=False)]
    for _ in range(2):
        found = credit.advantages(step)
    assert found == pytest.approx([0.375, 0.375, 0.375, -1.125])


def test_a_value_forgets_what_a_weaker_policy_made_of_its_position() -> None:
    short, long = estimator(memory=4), estimator(memory=1000)
    for credit in (short, long):
        for reward in (-1.0, 1.0):
            for _ in range(5):
                credit.advantages([scored(game, 0, 1, reward) for game in range(4)])
    probe = [scored(0, 0, 1, 0.0)]
    assert short.advantages(probe)[0] < -0.9
    assert long.advantages(probe)[0] == pytest.approx(0.0)


def test_it_goes_on_from_a_checkpoint_as_if_it_had_never_stopped() -> None:
    first, second = estimator(), estimator()
    first.advantages([scored(0, 0, 1, 1.0), scored(0, 2, 2, 1.0), scored(1, 0, 1, -1.0)])
    second.load_state_dict(json.loads(json.dumps(first.state_dict())))
    after = [scored(0, 0, 1, -1.0), scored(0, 2, 2, -1.0), scored(1, 0, 3, 1.0)]
    assert first.advantages(after) == second.advantages(after)
    assert first.state_dict() == second.state_dict()


def test_the_order_of_rollouts_changes_nothing() -> None:
    rollouts = [scored(game, 2 * ply, 10 * (game % 3) + ply, game / 9) for game in range(9) for ply in range(3)]
    mixed = Random(0).sample(range(len(rollouts)), len(rollouts))
    straight, shuffled = estimator(), estimator()
    for _ in range(3):
        one = straight.advantages(rollouts)
        other = shuffled.advantages([rollouts[place] for place in mixed])
        assert [one[place] for place in mixed] == pytest.approx(other)


def test_what_has_not_been_met_for_longest_leaves_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("selfplay.credit.means._MOST", 2)
    means = Means(memory=10)
    means.learn([("a", 1.0), ("b", 2.0)])
    means.learn([("a", 3.0), ("c", 4.0)])
    assert [means.get(name, 0.0) for name in "abc"] == [2.0, 0.0, 4.0]


def test_names_met_once_leave_before_names_met_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("selfplay.credit.means._ONCE", 2)
    means = Means(memory=10)
    means.learn([("again", 1.0), ("again", 3.0)])
    for name in "abc":
        means.learn([(name, 5.0)])
    assert [means.get(name, 0.0) for name in ("again", *"abc")] == [2.0, 0.0, 5.0, 5.0]
