from __future__ import annotations

import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from selfplay.store.digest import GATES, SPREAD, STAGES, digest, funnel, spread, total
from tests.store import made


def test_each_gate_takes_its_refusals_out_at_its_own_stage() -> None:
    assert funnel({"parse": 1}, 10) == {"proposed": 10, "parsed": 9, "valid": 9, "new": 9, "admitted": 9}
    assert funnel({"novelty": 2}, 10) == {"proposed": 10, "parsed": 10, "valid": 10, "new": 8, "admitted": 8}
    assert funnel({"quota": 3}, 10) == {"proposed": 10, "parsed": 10, "valid": 10, "new": 10, "admitted": 7}
    for gate in ("size", "safety", "run", "determinism", "budget", "value", "trivial"):
        assert funnel({gate: 4}, 10) == {"proposed": 10, "parsed": 10, "valid": 6, "new": 6, "admitted": 6}


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([None, *GATES, "curriculum", "quota"])))
def test_a_funnel_never_widens_and_all_that_was_proposed_is_accounted_for(gates: list[str | None]) -> None:
    proposals = tuple(made.proposal(1, i, gate, "x") for i, gate in enumerate(gates))
    one = digest(dataclasses.replace(made.record(1), proposals=proposals))
    widths = [one["funnel"][stage] for stage in STAGES]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] == len(gates)
    assert widths[-1] == gates.count(None)
    assert sum(one["refusals"].values()) + widths[-1] == widths[0]


def test_solve_rates_fall_into_the_bins_their_names_say() -> None:
    def bin_of(n: int, correct: int) -> str:
        return next(name for name, count in spread([(n, correct)]).items() if count)

    assert [bin_of(8, correct) for correct in range(9)] == [
        "0", "(0,.25]", "(0,.25]", "(.25,.5]", "(.25,.5]", "(.5,.75]", "(.5,.75]", "(.75,1)", "1",
    ]  # fmt: skip
    assert bin_of(1, 0) == "0" and bin_of(1, 1) == "1" and bin_of(3, 1) == "(.25,.5]"
    assert spread([(0, 0)]) == dict.fromkeys(SPREAD, 0)


def test_illegal_moves_are_counted_among_those_the_policy_was_asked_for() -> None:
    one = digest(made.record(1))
    assert (one["moves"], one["illegal"]) == (2, 1)
    assert one["ends"] == {"finished": 1, "invalid": 1}
    assert one["turns"] == 8 + len(made.record(1).attempts) + 2


def test_the_total_of_digests_has_their_form_and_their_sums() -> None:
    one, two = digest(made.record(1)), digest(made.record(2))
    both = total([one, two])
    assert both.keys() == one.keys()
    assert both["funnel"]["proposed"] == 16 and both["turns"] == one["turns"] + two["turns"]
    assert total([one])["refusals"] == one["refusals"]
