"""Games of perfect information, held to known counts, to theorems, and to second implementations by other means."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from games import Game, State, find
from games.hex import Hex
from games.nim import Nim
from games.opponents import Minimax
from games.othello import Othello


class Othello8(Othello):
    name = "othello_8"
    size = 8
    max_plies = 120


class Hex3(Hex):
    name = "hex_3"
    size = 3
    max_plies = 9


class NormalNim(Nim):
    name = "normal_nim"
    misere = False


def children(game: Game, state: State) -> list[State]:
    return [] if game.to_move(state) is None else [game.step(state, move, None) for move in game.legal(state)]


def test_connect_four_has_the_known_number_of_positions_after_each_of_six_discs():
    game = find("connect_four")
    positions, counts = {game.initial(None)}, []
    for _ in range(6):
        positions = {after for state in positions for after in children(game, state)}
        counts.append(len(positions))
    assert counts == [7, 49, 238, 1120, 4263, 16422]  # OEIS A212693


def test_connect_four_sees_a_line_of_four_wherever_it_lies():
    game, rng = find("connect_four"), Random(0)
    for _ in range(300):
        state = game.initial(rng)
        while game.to_move(state) is not None:
            assert not any(fours(state))
            state = game.step(state, rng.choice(game.legal(state)), rng)
        winners = set(fours(state))
        assert game.returns(state) == [("X" in winners) - ("O" in winners), ("O" in winners) - ("X" in winners)]


def fours(board: str) -> Iterator[str]:
    """Whose four cells in a row, column or diagonal."""
    rows = board.split("\n")
    for row in range(6):
        for column in range(7):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + n * down, column + n * right) for n in range(4)]
                if all(r < 6 and 0 <= c < 7 for r, c in line) and len(marks := {rows[r][c] for r, c in line}) == 1:
                    yield from marks - {"."}


def test_othello_has_the_known_number_of_lines_of_play():
    game = Othello8()
    states, counts = [game.initial(None)], []
    for _ in range(6):
        states = [after for state in states for after in children(game, state)]
        counts.append(len(states))
    assert counts == [4, 12, 56, 244, 1396, 8200]


def test_othello_agrees_with_discs_turned_one_by_one_on_a_grid():
    game, rng, passes = find("othello"), Random(0), 0
    for _ in range(40):
        state, mark = game.initial(rng), "X"
        grid = {(2, 2): "O", (2, 3): "X", (3, 2): "X", (3, 3): "O"}
        while turning(grid, "X") or turning(grid, "O"):
            turned = turning(grid, mark)
            assert game.roles[game.to_move(state)] == mark
            assert game.legal(state) == (sorted(turned, key=lambda name: (name[1], name[0])) or ["pass"])
            move = rng.choice(game.legal(state))
            state, passes = game.step(state, move, rng), passes + (move == "pass")
            grid |= dict.fromkeys(turned.get(move, ()), mark)
            mark = "O" if mark == "X" else "X"
        assert game.to_move(state) is None
        shown = "".join(line[1:] for line in game.observe(state, 0).splitlines()[2:])
        assert shown == "".join(grid.get((row, column), ".") for row in range(6) for column in range(6))
        more = shown.count("X") - shown.count("O")
        assert game.returns(state) == [(more > 0) - (more < 0), (more < 0) - (more > 0)]
    assert passes > 3


def turning(grid: dict[tuple[int, int], str], mark: str) -> dict[str, list[tuple[int, int]]]:
    """Each cell that `mark` may take, by its name, and all cells that then bear the mark."""
    found: dict[str, list[tuple[int, int]]] = {}
    for row in range(6):
        for column in range(6):
            for down in (-1, 0, 1):
                for right in (-1, 0, 1):
                    line = [(row + n * down, column + n * right) for n in range(1, 6)]
                    marks = "".join(grid.get(cell, ".") for cell in line)
                    caught = len(marks) - len(marks.lstrip("O" if mark == "X" else "X"))
                    if (row, column) not in grid and caught and marks[caught : caught + 1] == mark:
                        name = f"{'abcdef'[column]}{row + 1}"
                        found.setdefault(name, [(row, column)]).extend(line[:caught])
    return found


def test_hex_is_never_drawn_and_the_first_to_move_wins_on_a_small_board_but_not_from_every_cell():
    game, perfect = Hex3(), Minimax()
    assert perfect.value(game, game.initial(None)) == 1
    opening = {move: perfect.value(game, game.step(game.initial(None), move, None)) for move in game.legal("." * 9)}
    assert opening["b2"] == 1 and opening["a1"] == -1
    assert opening == {move: opening[turned] for move, turned in zip(opening, reversed(opening), strict=True)}
    rng, large = Random(0), find("hex")
    for _ in range(300):
        board = "".join(rng.sample("X" * 8 + "O" * 8, 16))
        assert large._joined(board, 0) != large._joined(board, 1)


@pytest.mark.parametrize("game", [find("nim"), NormalNim()], ids=lambda game: game.name)
def test_perfect_play_of_nim_is_what_bouton_proved(game):
    """The seat to move loses where the sum without carry is 0; under misère, where all heaps are 0 or 1, the other way
    round."""
    perfect = Minimax()
    for heaps in ((a, b, c, d) for a in range(2) for b in range(4) for c in range(6) for d in range(8)):
        if any(heaps):
            balanced = heaps[0] ^ heaps[1] ^ heaps[2] ^ heaps[3] == 0
            wins = balanced if game.misere and max(heaps) == 1 else not balanced
            assert perfect.value(game, (heaps, 0)) == -perfect.value(game, (heaps, 1)) == (1 if wins else -1)


def test_pig_is_worth_what_a_recursion_from_the_mover_s_side_says():
    game = find("pig")
    assert Minimax().value(game, game.initial(None)) == pytest.approx(lead(0, 0, 0, game.max_plies), abs=1e-12)
    assert lead(0, 0, 0, game.max_plies) > 0


@cache
def lead(own: int, other: int, pot: int, left: int) -> float:
    """How much likelier the seat to move is to win than to lose, under perfect play."""
    if other >= 10:
        return -1.0
    if left == 0:
        return 0.0
    stopped = -lead(other, own + pot, 0, left - 1)
    if own + pot >= 10:
        return stopped
    if left == 1:
        return max(stopped, 0.0)
    rolled = [-lead(other, own, 0, left - 1), *(lead(own, other, pot + face, left - 1) for face in range(2, 7))]
    return max(stopped, sum(rolled) / 6)
