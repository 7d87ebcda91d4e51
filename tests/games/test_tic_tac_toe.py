from __future__ import annotations

import pytest

from games import find

GAME = find("tic_tac_toe")


def play(cells: str) -> str:
    state = GAME.initial(None)
    for ply, cell in enumerate(cells):
        assert GAME.to_move(state) == ply % 2
        assert cell in GAME.legal(state)
        state = GAME.step(state, cell, None)
    return state


# Cells in the order they are taken, and the returns: by hand, from the rules.
@pytest.mark.parametrize(
    ("cells", "returns"),
    [
        ("14253", [1, -1]),  # X: top row
        ("41526", [1, -1]),  # X: middle row
        ("71829", [1, -1]),  # X: bottom row
        ("12437", [1, -1]),  # X: left column
        ("21538", [1, -1]),  # X: middle column
        ("31629", [1, -1]),  # X: right column
        ("12539", [1, -1]),  # X: one diagonal
        ("31527", [1, -1]),  # X: the other diagonal
        ("415273", [-1, 1]),  # O: top row
        ("123548", [-1, 1]),  # O: middle column
        ("213549", [-1, 1]),  # O: diagonal
        ("512846379", [0, 0]),  # a full board without a line
        ("123457698", [0, 0]),
        ("135274689", [1, -1]),  # X: a line with the ninth and last mark
    ],
)
def test_a_game_played_by_the_rules_ends_as_the_rules_say(cells, returns):
    state = play(cells)
    assert GAME.to_move(state) is None
    assert GAME.returns(state) == returns


def test_marks_alternate_and_a_taken_cell_is_no_longer_legal():
    state = play("519")
    assert state == "O234X678X"
    assert GAME.to_move(state) == 1
    assert GAME.legal(state) == ["2", "3", "4", "6", "7", "8"]
    assert GAME.parse("5", state) is None
    assert GAME.parse("[6]", state) == "6"


def test_what_a_player_sees_is_its_mark_and_the_board_with_the_free_cells_numbered():
    assert GAME.observe(play("51"), 0) == "You are X.\nO 2 3\n4 X 6\n7 8 9"
    assert GAME.observe(play("51"), 1).startswith("You are O.")
    assert len(GAME.observe(play("51"), 0)) <= 60
