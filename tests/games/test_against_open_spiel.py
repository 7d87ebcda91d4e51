"""Rules compared with OpenSpiel's, move by move, on random playouts. Skipped where OpenSpiel is not installed.

A bridge says which OpenSpiel game is meant and how actions and words of chance are numbered there; one driver walks
both games side by side. `negotiation` has no counterpart and a referee of its own (test_negotiation.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from games import Game, State, available, find
from games.exploitability import expected_value, exploitability, information_states, uniform
from games.first_price_auction import FirstPriceAuction
from games.goofspiel import Goofspiel
from games.hex import Hex
from games.leduc_poker import LeducPoker
from games.liars_dice import LiarsDice
from games.nim import Nim
from games.othello import Othello
from games.pig import Pig

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")

PLAYOUTS = 2000


@dataclass(frozen=True)
class Bridge:
    """action: the number of one of our actions at a state. chance: the numbers of the words with which chance leads
    from one of our states (None: from the start) to another. zero_summed: OpenSpiel pays each seat its own gain, we the
    difference. distinct: its information states are met one for one by ours."""

    ours: Game
    theirs: str
    action: Callable[[State, str], int]
    chance: Callable[[State | None, State], list[int]] = lambda before, after: []
    zero_summed: bool = False
    distinct: bool = False

    def __str__(self) -> str:
        return f"{self.ours.name} {self.theirs}"


def small(base: type[Game], called: str, **attributes: Any) -> Game:
    return type(base.__name__, (base,), {"name": called, **attributes})()


def cell(columns: int) -> Callable[[State, str], int]:
    return lambda state, word: (
        columns**2 if word == "pass" else "abcdefgh".index(word[0]) + columns * (int(word[1]) - 1)
    )


def pick(*words: str) -> Callable[[State, str], int]:
    return lambda state, word: words.index(word)


def poker_card(game: LeducPoker) -> Callable[[State | None, State], list[int]]:
    return lambda before, after: [game.deck.index(card) for card in ([after.board] if before else after.cards)]


def nim(game: Nim) -> Bridge:
    parameters = f"pile_sizes={';'.join(map(str, game.heaps))},is_misere={game.misere}"
    number = lambda state, word: (int(word[1:]) - 1) * len(game.heaps) + "ABCDEFGH".index(word[0])  # noqa: E731
    return Bridge(game, f"nim({parameters})", number)


def liars_dice(game: LiarsDice) -> Bridge:
    def bid(state: State, word: str) -> int:
        if word == "liar":
            return 2 * game.sides
        number, face = map(int, word.split("x"))
        return (number - 1) * game.sides + face - 1

    theirs = f"liars_dice(dice_sides={game.sides})"
    return Bridge(game, theirs, bid, lambda before, after: [die - 1 for die in after.dice], distinct=True)


def pig(game: Pig) -> Bridge:
    def face(before: State | None, after: State) -> list[int]:
        assert before is not None
        return [0 if after.seat != before.seat else after.pot - before.pot - 1]

    return Bridge(game, f"pig(winscore={game.goal},horizon={game.max_plies})", pick("roll", "stop"), face)


def goofspiel(game: Goofspiel) -> Bridge:
    theirs = f"turn_based_simultaneous_game(game=goofspiel(num_cards={game.cards}))"
    return Bridge(game, theirs, lambda state, word: int(word) - 1, lambda before, after: [after.prizes[-1] - 1])


def auction(game: FirstPriceAuction) -> Bridge:
    def words(before: State | None, after: State) -> list[int]:
        return list(after.values) if before is None else [after.winner]

    theirs = f"first_sealed_auction(max_value={game.greatest})"
    return Bridge(game, theirs, lambda state, word: int(word), words, game.zero_sum, distinct=True)


def repeated(name: str, stage: str, *choices: str) -> Bridge:
    theirs = f"turn_based_simultaneous_game(game=repeated_game(stage_game={stage}(),num_repetitions=3))"
    return Bridge(find(name), theirs, pick(*choices), distinct=True)


KUHN = Bridge(
    find("kuhn_poker"),
    "kuhn_poker",
    lambda state, word: int(word in ("bet", "call")),
    lambda before, after: ["JQK".index(card) for card in after.cards],
    distinct=True,
)
LEDUC = Bridge(
    find("leduc_poker"),
    "leduc_poker",
    lambda state, word: {"fold": 0, "raise": 2}.get(word, 1),
    poker_card(find("leduc_poker")),
    distinct=True,
)
OTHELLO_8 = small(Othello, "othello_8", size=8, max_plies=120)
HEX_3, HEX_5 = (small(Hex, f"hex_{size}", size=size, max_plies=size**2) for size in (3, 5))
NORMAL_NIM = small(Nim, "normal_nim", heaps=(1, 2, 3), misere=False, max_plies=6)
DICE_3 = small(LiarsDice, "liars_dice_3", sides=3, max_plies=7)
SHORT_PIG = small(Pig, "short_pig", goal=6, max_plies=12)
SMALL_GOOFSPIEL = small(Goofspiel, "small_goofspiel", cards=3, max_plies=4)
TRUE_AUCTION = small(FirstPriceAuction, "true_auction", zero_sum=False, greatest=5)
RPS = repeated("rock_paper_scissors", "matrix_rps", "rock", "paper", "scissors")
PENNIES = repeated("matching_pennies", "matrix_mp", "heads", "tails")

BRIDGES = [
    Bridge(find("tic_tac_toe"), "tic_tac_toe", lambda state, word: int(word) - 1),
    Bridge(find("connect_four"), "connect_four", lambda state, word: int(word) - 1),
    Bridge(OTHELLO_8, "othello", cell(8)),
    *(Bridge(game, f"hex(board_size={game.size})", cell(game.size)) for game in (find("hex"), HEX_3, HEX_5)),
    nim(find("nim")),
    nim(NORMAL_NIM),
    pig(find("pig")),
    pig(SHORT_PIG),
    KUHN,
    LEDUC,
    liars_dice(find("liars_dice")),
    liars_dice(DICE_3),
    goofspiel(find("goofspiel")),
    goofspiel(SMALL_GOOFSPIEL),
    auction(find("first_price_auction")),
    auction(TRUE_AUCTION),
    RPS,
    PENNIES,
]


def spoken(bridge: Bridge, other: Any, before: State | None, after: State) -> tuple[float, Any]:
    """The odds with which OpenSpiel's chance goes the way of ours, and where it then is."""
    other, odds = other.clone(), 1.0
    for word in bridge.chance(before, after):
        assert other.is_chance_node()
        odds *= dict(other.chance_outcomes())[word]
        other.apply_action(word)
    return odds, other


def paid(bridge: Bridge, other: Any) -> list[float]:
    first, second = other.returns()
    return [first - second, second - first] if bridge.zero_summed else [first, second]


def compare(bridge: Bridge, other: Any, state: State) -> None:
    """At a decision or at the end."""
    seat = bridge.ours.to_move(state)
    if seat is None:
        assert other.is_terminal() and paid(bridge, other) == bridge.ours.returns(state)
    else:
        assert not other.is_terminal() and other.current_player() == seat
        assert sorted(bridge.action(state, word) for word in bridge.ours.legal(state)) == other.legal_actions()


def play(bridge: Bridge, root: Any, rng: Random, compared: set[State | None], keys: set[tuple[str, str]]) -> None:
    """One random game. Of chance, every outcome is compared, at each state once."""
    game, other = bridge.ours, root.clone()
    state = None if game.chance(None) else game.initial(rng)
    while True:
        while outcomes := game.chance(state):
            if state not in compared:
                compared.add(state)
                assert sum(odds for odds, _ in outcomes) == pytest.approx(1)
                for odds, after in outcomes:
                    assert spoken(bridge, other, state, after)[0] == pytest.approx(odds)
            after = rng.choices([after for _, after in outcomes], [odds for odds, _ in outcomes])[0]
            state, other = after, spoken(bridge, other, state, after)[1]
        compare(bridge, other, state)
        seat = game.to_move(state)
        if seat is None:
            return
        if bridge.distinct:
            keys.add((game.infostate_key(state, seat), other.information_state_string(seat)))
        word = rng.choice(game.legal(state))
        other.apply_action(bridge.action(state, word))
        state = game.step(state, word, None)


@pytest.mark.parametrize("bridge", BRIDGES, ids=str)
def test_a_game_agrees_with_open_spiel_at_every_move(bridge):
    root, rng = pyspiel.load_game(bridge.theirs).new_initial_state(), Random(0)
    compared: set[State | None] = set()
    keys: set[tuple[str, str]] = set()
    for _ in range(PLAYOUTS):
        play(bridge, root, rng, compared, keys)
    assert len(keys) == len({own for own, _ in keys}) == len({other for _, other in keys})
    assert bool(keys) == bridge.distinct


def test_every_built_in_game_but_one_is_compared():
    assert {bridge.ours.name for bridge in BRIDGES} | {"othello", "negotiation"} >= set(available())


def all_keys(bridge: Bridge) -> dict[str, tuple[str, dict[str, int]]]:
    """Every information state of OpenSpiel's: our key, and our actions with their numbers. Compares on the way."""
    game, found = bridge.ours, {}
    start = None if game.chance(None) else game.initial(None)
    pending = [(start, pyspiel.load_game(bridge.theirs).new_initial_state())]
    while pending:
        state, other = pending.pop()
        if outcomes := game.chance(state):
            pending.extend((after, spoken(bridge, other, state, after)[1]) for _, after in outcomes)
            continue
        compare(bridge, other, state)
        seat = game.to_move(state)
        if seat is None:
            continue
        words = {word: bridge.action(state, word) for word in game.legal(state)}
        found.setdefault((other.information_state_string(seat), seat), (game.infostate_key(state, seat), words))
        pending.extend((game.step(state, word, None), other.child(number)) for word, number in words.items())
    assert len({theirs for theirs, _ in found}) == len(found)
    return {theirs: own for (theirs, _), own in found.items()}


@pytest.mark.parametrize(
    "bridge",
    [KUHN, LEDUC, liars_dice(DICE_3), nim(NORMAL_NIM), RPS, PENNIES, auction(find("first_price_auction"))],
    ids=str,
)
def test_values_and_exploitability_of_random_policies_agree_with_open_spiel(bridge):
    game, rng = bridge.ours, Random(0)
    theirs = pyspiel.load_game(f"zerosum(game={bridge.theirs})" if bridge.zero_summed else bridge.theirs)
    scale = 2 if bridge.zero_summed else 1  # `zerosum` takes the mean from each, which is half the difference
    keys = all_keys(bridge)
    for _ in range(3):
        policy: dict[str, dict[str, float]] = {}
        for own, words in keys.values():
            weights = [rng.random() ** 3 for _ in words]
            policy.setdefault(own, {word: weight / sum(weights) for word, weight in zip(words, weights, strict=True)})
        table = {
            other: [(number, policy[own][word]) for word, number in words.items()]
            for other, (own, words) in keys.items()
        }
        measured = scale * pyspiel.exploitability(theirs, table)
        assert exploitability(game, policy) == pytest.approx(measured, abs=1e-9)
        value = pyspiel.expected_returns(theirs.new_initial_state(), pyspiel.TabularPolicy(table), -1, True)[0]
        assert expected_value(game, policy) == pytest.approx(scale * value, abs=1e-9)


@pytest.mark.parametrize("bridge", [liars_dice(find("liars_dice")), goofspiel(find("goofspiel"))], ids=str)
def test_the_exploitability_of_uniform_play_agrees_with_open_spiel_where_there_are_thousands_of_keys(bridge):
    theirs = pyspiel.load_game(bridge.theirs)
    measured = pyspiel.exploitability(theirs, pyspiel.UniformRandomPolicy(theirs))
    assert exploitability(bridge.ours, uniform(bridge.ours)) == pytest.approx(measured, abs=1e-9)
    if bridge.ours.name == "liars_dice":
        assert measured == pytest.approx(0.7807, abs=1e-4)  # as in the README
        assert len(information_states(bridge.ours)) == 24_576
