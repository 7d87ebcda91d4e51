"""Leave-one-out among games of one deal."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from selfplay.config import CreditConfig
from selfplay.credit.deal_group import DealGroup
from selfplay.credit.rewards import Scored
from selfplay.credit.rloo import Rloo
from tests.credit.made import turn


def scored(game: int, deal: int, reward: float, seat: int = 0, ply: int = 0) -> Scored:
    return Scored(("episode", game, ply), turn("player", f"kuhn_poker/{seat}"), reward, deal=deal)


def advantages(*rollouts: Scored) -> list[float]:
    return DealGroup(CreditConfig()).advantages(rollouts)


def test_a_turn_is_compared_with_the_other_games_of_its_deal_in_its_seat() -> None:
    found = advantages(
        scored(0, 7, 1.0), scored(1, 7, 0.0), scored(0, 7, -1.0, seat=1), scored(1, 7, -0.5, seat=1), scored(2, 8, 9.0)
    )
    assert found[:4] == [1.0, -1.0, -0.5, 0.5]


def test_two_turns_of_one_game_are_not_each_other_s_baseline() -> None:
    assert advantages(scored(0, 7, 1.0), scored(0, 7, 1.0, ply=2), scored(1, 7, 0.0)) == [1.0, 1.0, -1.0]


def test_a_deal_seen_in_one_game_falls_back_to_the_other_games_of_its_seat() -> None:
    assert advantages(scored(0, 7, 1.0), scored(1, 8, 0.0), scored(2, 9, 0.5)) == [0.75, -0.75, 0.0]
    assert advantages(scored(0, 7, 1.0), scored(0, 7, 1.0, ply=2)) == [0.0, 0.0], "one game alone says nothing"


def test_the_luck_of_the_deal_drops_out_where_a_group_over_all_games_keeps_it() -> None:
    chance = Random(0)
    luck = {deal: chance.choice([-2.0, 2.0]) for deal in range(32)}
    played = [scored(game, game // 8, luck[game // 8] + chance.gauss(0, 0.1)) for game in range(256)]

    def spread(found: list[float]) -> float:
        return sum(value**2 for value in found) / len(found)

    everyone = [replace(one, owner=("episode", place, 0)) for place, one in enumerate(played)]
    assert spread(advantages(*played)) < 0.02
    assert spread(Rloo(CreditConfig()).advantages(everyone)) > 3.5
