"""`negotiation` has no counterpart in OpenSpiel. Its witness is a referee who hands fruits over one by one and works
from what is said aloud."""

from __future__ import annotations

from random import Random

import pytest

from games import find
from games.exploitability import exploitability, information_states
from games.negotiation import Negotiation

GAME = find("negotiation")


class Long(Negotiation):
    name = "long_negotiation"
    offers = 4
    max_plies = 8
    utility_range = (-10.0, 10.0)


class Free(Negotiation):
    name = "free_negotiation"
    toll = 0.0


class Referee:
    """Two baskets of fruit with names, and a purse each."""

    def __init__(self, baskets: list[list[str]], prices: list[dict[str, int]]):
        self.baskets, self.prices, self.purses = baskets, prices, [0.0, 0.0]
        self.start = [self.worth(0), self.worth(1)]

    def worth(self, seat: int) -> int:
        return sum(self.prices[seat][fruit] for fruit in self.baskets[seat])

    def may_ask(self, seat: int) -> list[str]:
        kinds = {"apple": "pear", "pear": "apple"}
        return [kind for kind in kinds if kind in self.baskets[1 - seat] and kinds[kind] in self.baskets[seat]]

    def settle(self, asker: int, kind: str, answer: str) -> None:
        if answer == "no":
            self.purses[1 - asker] -= 1
            return
        given = "pear" if kind == "apple" else "apple"
        for fruit, giver in ((kind, 1 - asker), (given, asker)):
            self.baskets[giver].remove(fruit)
            self.baskets[1 - giver].append(fruit)

    def scores(self) -> list[float]:
        gained = [self.purses[seat] + self.worth(seat) - self.start[seat] for seat in (0, 1)]
        return [gained[0] - gained[1], gained[1] - gained[0]]


@pytest.mark.parametrize("game", [GAME, Long()], ids=lambda game: game.name)
def test_a_referee_who_hands_the_fruits_over_one_by_one_agrees(game):
    rng, scores = Random(0), set()
    for _ in range(3000):
        state = game.initial(rng)
        apples = [state.apples, 3 - state.apples]
        baskets = [["apple"] * apples[seat] + ["pear"] * (3 - apples[seat]) for seat in (0, 1)]
        referee = Referee(baskets, [dict(zip(("apple", "pear"), state.values[seat], strict=True)) for seat in (0, 1)])
        for turn in range(game.offers):
            asker = turn % 2
            assert game.to_move(state) == asker and game.legal(state) == referee.may_ask(asker)
            for seat in (0, 1):
                own, other = (
                    f"{basket.count('apple')}a {basket.count('pear')}p" for basket in baskets[:: 1 - 2 * seat]
                )
                assert game.observe(state, seat).startswith(f"You have {own}, other {other}\n")
            kind = rng.choice(game.legal(state))
            state = game.step(state, kind, rng)
            assert game.to_move(state) == 1 - asker and game.legal(state) == ["yes", "no"]
            answer = rng.choice(["yes", "no"])
            state = game.step(state, answer, rng)
            referee.settle(asker, kind, answer)
        assert game.to_move(state) is None and game.returns(state) == referee.scores()
        scores.add(referee.scores()[0])
    assert len(scores) == 15


def test_every_deal_is_equally_likely_and_both_seats_are_dealt_alike():
    deals = GAME.chance(None)
    assert len({state for _, state in deals}) == len(deals) == 2 * 9 * 9
    assert {odds for odds, _ in deals} == {1 / 162}


def test_with_the_toll_to_agree_to_everything_is_safer_than_to_refuse_everything_and_without_it_the_other_way_round():
    def blind(game: Negotiation, answer: str) -> float:
        infos = information_states(game)
        policy = {info.key: {answer if answer in info.legal else info.legal[0]: 1.0} for info in infos}
        return exploitability(game, policy)

    assert blind(GAME, "yes") == pytest.approx(11 / 18) and blind(GAME, "no") == pytest.approx(10 / 9)
    assert blind(Free(), "yes") == pytest.approx(10 / 9) and blind(Free(), "no") == pytest.approx(4 / 9)
