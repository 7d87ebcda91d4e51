"""The built-in games: what the README says of them, and thousands of games of players who know nothing."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

import games
from games import Game, available, find
from games.exploitability import exploitability, information_states, uniform

README = (Path(games.__file__).parent / "README.md").read_text()
GAMES = 10_000
SIGNS = "0123456789 abcdefghxXOJQKs[](){}.,!?\n\t-+"
ROWS = {
    cells[0].strip("`"): cells[1:]
    for line in README.splitlines()
    if line.startswith("| `") and len(cells := [cell.strip() for cell in line.strip("|").split("|")]) == 6
}


def shares() -> dict[str, int]:
    """How many games of each: the shorter they can get, the more; GAMES in all."""
    weights = {name: 1 / find(name).max_plies for name in available()}
    many = {name: round(GAMES * weight / sum(weights.values())) for name, weight in weights.items()}
    shortest = max(many, key=lambda name: many[name])
    return many | {shortest: many[shortest] + GAMES - sum(many.values())}


def garbage(legal: list[str], everywhere: list[str], rng: Random) -> str:
    """Random signs, a legal move or one that may be legal elsewhere; whole, dressed up or broken."""
    word = rng.choice(["".join(rng.choices(SIGNS, k=rng.randrange(8))), rng.choice(legal), rng.choice(everywhere)])
    cut = rng.randrange(len(word) + 1)
    return rng.choice([word, f" [{word}].", word.upper(), f"I play {word}", word[:cut], word[cut:] + word[:cut]])


def play(game: Game, rng: Random, everywhere: list[str], babble: bool) -> tuple[list[float], int]:
    """A random game: the returns, and how often babble named a move. Where it names none, the move is random."""
    state, plies, understood = game.initial(rng), 0, 0
    while (seat := game.to_move(state)) is not None:
        assert plies < game.max_plies and 0 <= seat < len(game.roles)
        legal = game.legal(state)
        assert legal and len(set(legal)) == len(legal)
        assert all(game.observe(state, each) for each in range(len(game.roles)))
        move = None
        if babble:
            move = game.parse(garbage(legal, everywhere, rng), state)
            assert move in [None, *legal]
            understood += move is not None
            everywhere[rng.randrange(len(everywhere))] = rng.choice(legal)
        state, plies = game.step(state, move or rng.choice(legal), rng), plies + 1
    return game.returns(state), understood


def test_ten_thousand_random_and_garbage_games_end_in_time_with_returns_of_the_declared_kind():
    assert sum(shares().values()) == GAMES and min(shares().values()) >= 50
    everywhere, rng = ["-"] * 40, Random(0)
    for name, many in shares().items():
        game, outcomes, understood = find(name), set(), 0
        low, high = game.utility_range
        for number in range(many):
            returns, named = play(game, rng, everywhere, babble=number % 2 == 1)
            assert len(returns) == len(game.roles) and all(low <= value <= high for value in returns)
            assert sum(returns) == 0 or not game.zero_sum
            outcomes.add(tuple(returns))
            understood += named
        assert len(outcomes) > 1 and understood > many / 4  # babble is a mixture: some of it has to be understood


@pytest.mark.parametrize("name", available())
def test_what_a_seat_sees_and_says_is_short(name):
    game, rng = find(name), Random(0)
    for _ in range(20):
        state = game.initial(rng)
        while (seat := game.to_move(state)) is not None:
            assert len(game.observe(state, seat)) <= 80
            assert len(game.legal(state)) <= 62 and max(map(len, game.legal(state))) <= 8  # 62: the labels of a player
            state = game.step(state, rng.choice(game.legal(state)), rng)
    assert len(game.rules) <= 300


def test_the_readme_lists_every_built_in_game_as_it_declares_itself():
    assert sorted(ROWS) == available()
    for name, (roles, sees, plies, *_) in ROWS.items():
        game = find(name)
        assert roles == ", ".join(game.roles) and plies == str(game.max_plies)
        assert sees == ("all" if game.perfect_information else "part")


@pytest.mark.parametrize("name", [name for name in available() if "states" in ROWS[name][3] and name != "liars_dice"])
def test_the_exact_figures_of_the_readme_are_so(name):
    """All but liar's dice, whose size takes too long here: its figures are compared with OpenSpiel's."""
    game = find(name)
    many, figure = re.fullmatch(r"([\d ]+) states, ([\d.]+)", ROWS[name][3]).groups()
    assert len(information_states(game)) == int(many.replace(" ", ""))
    assert exploitability(game, uniform(game)) == pytest.approx(float(figure), abs=1e-4)


@pytest.mark.parametrize("name", ["rock_paper_scissors", "matching_pennies", "goofspiel", "first_price_auction"])
def test_of_a_simultaneous_move_the_later_seat_learns_nothing_before_it_has_moved(name):
    game, rng, met = find(name), Random(0), 0
    for _ in range(50):
        state = game.initial(rng)
        while game.to_move(state) is not None:
            if game.to_move(state) == 0 and len(game.legal(state)) > 1:
                after = [game.step(state, move, None) for move in game.legal(state)]
                assert {game.to_move(each) for each in after} == {1}
                assert len({(game.observe(each, 1), game.infostate_key(each, 1)) for each in after}) == 1
                assert len({tuple(game.legal(each)) for each in after}) == 1
                met += 1
            state = game.step(state, rng.choice(game.legal(state)), rng)
    assert met > 30
