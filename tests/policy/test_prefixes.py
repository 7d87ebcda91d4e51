from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from selfplay.policy.prefixes import BLOCK, Prefixes


def prompt(*blocks: int, rest: int = 3) -> tuple[int, ...]:
    """One number a block, and a few tokens that fill none."""
    return tuple(number for number in blocks for _ in range(BLOCK)) + (99,) * rest


prompts = st.lists(st.lists(st.integers(0, 2), max_size=4).map(lambda blocks: prompt(*blocks)), max_size=12)


def blocks(of: tuple[int, ...]) -> set[tuple[int, ...]]:
    return {of[:end] for end in range(BLOCK, len(of) + 1, BLOCK)}


def test_of_those_that_share_a_block_one_goes_first() -> None:
    assert Prefixes().admit([prompt(1), prompt(1), prompt(2), prompt(1, 2)]) == [True, False, True, False]


def test_what_was_computed_holds_up_nobody() -> None:
    order = Prefixes()
    order.admit([prompt(1)])
    order.computed()
    assert order.admit([prompt(1), prompt(1), prompt(1)]) == [True, True, True]


def test_a_longer_prompt_that_goes_on_from_a_known_one_still_goes_alone() -> None:
    order = Prefixes()
    order.admit([prompt(1)])
    order.computed()
    assert order.admit([prompt(1, 2), prompt(1, 2), prompt(1, 3)]) == [True, False, True]


def test_a_prompt_shorter_than_a_block_never_waits() -> None:
    assert Prefixes().admit([prompt(rest=BLOCK - 1)] * 3) == [True] * 3


def test_the_same_block_in_another_place_is_another_one() -> None:
    assert Prefixes().admit([prompt(1, 2), prompt(2, 1)]) == [True, True]


def test_after_the_cache_was_emptied_prefixes_are_computed_anew() -> None:
    order = Prefixes()
    order.admit([prompt(1)])
    order.computed()
    order.forget()
    assert order.admit([prompt(1), prompt(1)]) == [True, False]


@given(prompts)
def test_no_block_is_computed_twice_and_everyone_starts_in_the_end(waiting: list[tuple[int, ...]]) -> None:
    order, known = Prefixes(), set()
    for _ in range(len(waiting)):
        starts = order.admit(waiting)
        assert starts[:1] in ([], [True]), "the first in the queue always starts"
        fresh = [block for one, start in zip(waiting, starts, strict=True) if start for block in blocks(one) - known]
        assert len(fresh) == len(set(fresh))
        known.update(fresh)
        order.computed()
        waiting = [one for one, start in zip(waiting, starts, strict=True) if not start]
    assert not waiting
