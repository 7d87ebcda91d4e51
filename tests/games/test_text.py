from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.text import match

MOVES = ["check", "bet", "Take 2", "5"]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("check", "check"),
        (" CHECK \n", "check"),
        ("[check]", "check"),
        ('"check".', "check"),
        ("**Bet!**", "bet"),
        ("`bet`", "bet"),
        ("take   2", "Take 2"),
        ("(5)", "5"),
        ("5.", "5"),
    ],
)
def test_case_white_space_and_surroundings_do_not_matter(text, action):
    assert match(text, MOVES) == action


@pytest.mark.parametrize(
    "text", ["", "  ", "[]", "chek", "check bet", "bet or check", "5 I think", "55", "-5", "che ck"]
)
def test_what_is_no_action_names_none(text):
    assert match(text, MOVES) is None


def test_two_candidates_name_none_but_an_exact_spelling_names_its_action():
    assert match("a", ["A", "[a]"]) == "A"
    assert match("[A]", ["A", "[a]"]) is None
    assert match("[a]", ["A", "[a]"]) == "[a]"
    assert match("Bet", ["bet", "BET"]) is None


def test_a_sign_that_belongs_to_an_action_is_never_supplied():
    assert match("1", ["-1", "+1"]) is None
    assert match("1", ["-1"]) is None
    assert match("5", [".5"]) is None
    assert match("(-1)", ["-1", "+1"]) == "-1"


def test_free_text_is_given_back_without_white_space_around_it():
    assert match("  anything at all ", None) == "anything at all"
    assert match(" \n", None) is None


@given(st.lists(st.text(string.printable, min_size=1).map(str.strip).filter(bool), min_size=1, unique=True))
def test_every_action_names_itself(legal):
    assert [match(action, legal) for action in legal] == legal


@given(st.text(), st.lists(st.text(min_size=1), unique=True))
def test_any_text_names_a_legal_action_or_none(text, legal):
    assert match(text, legal) in [None, *legal]
