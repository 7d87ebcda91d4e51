"""The family `logic`: gates, verdicts, and what its solver is shown."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfplay.records import Draft, Refusal, Task, Verdict
from solvers.logic import LogicSolver
from verifiers.logic import Logic
from verifiers.puzzles import KINDS, exhaustive, generate

LOGIC, SOLVER = Logic(), LogicSolver()
EVERY_KIND = pytest.mark.parametrize("kind", list(KINDS))


def examine(kind: str, puzzle: str, logic: Logic = LOGIC) -> Task | Refusal:
    return asyncio.run(logic.examine(Draft("logic", {"kind": kind, "puzzle": puzzle})))


def task(kind: str, puzzle: str) -> Task:
    found = examine(kind, puzzle)
    assert isinstance(found, Task), found
    return found


def judge(one: Task, *answers: str | None) -> list[Verdict]:
    return asyncio.run(LOGIC.judge(one, answers))


ADMITTED = [
    (
        "knights",
        "Bob: Bob and Ann are the same; Ann: Ann is a liar or Bob lies",
        "A: A or B lies; B: A and B are the same",
        "A = knight, B = knave",
    ),
    ("colouring", "a, b in mon, tue; a > b", "x y in 1 2; y < x", "x = 2, y = 1"),
    ("entailment", "rain -> wet; rain; dry | ~wet", "r; not p or q; r -> p", "p = true, q = true, r = true"),
    ("grid", "1../..2/...", "1 _ _ / _ _ 2 / _ _ _", "1 2 3 / 3 1 2 / 2 3 1"),
]


@pytest.mark.parametrize(("kind", "puzzle", "normal", "gold"), ADMITTED)
def test_an_admitted_puzzle_is_in_normal_form_with_its_cost_and_its_one_answer(
    kind: str, puzzle: str, normal: str, gold: str
) -> None:
    found = task(kind, puzzle)
    assert found.family == "logic" and found.gold == gold and found.themes == (kind,)
    assert found.body["kind"] == kind and found.body["puzzle"] == normal and int(found.body["cost"]) > 0
    assert found.body.keys() == {"kind", "puzzle", "cost"}


REFUSED = [
    ("sudoku", "1", "parse", "knights, colouring, entailment, grid"),
    ("", "", "parse", "knights"),
    ("knights", "A lies", "parse", "colon"),
    ("knights", "A: B lies; " * 40, "size", "16 clauses"),
    ("knights", "A: A lies; B: A lies", "consistent", "No answer"),
    ("knights", "A: B lies; B: A lies", "unique", "A = knave, B = knight"),
    ("colouring", "x y in red blue; x != y", "unique", "Both"),
    ("colouring", "x y in red blue; x = red; y = blue", "trivial", "outright"),
    ("colouring", "x y in red blue; x = red; x = y; y != x", "consistent", "No answer"),
    ("colouring", "x y in red blue; x != blue; y = red; x = y", "trivial", "outright"),
    ("entailment", "p; not p; q or r", "consistent", "No answer"),
    ("entailment", "p; q or r", "trivial", "outright"),
    ("entailment", "p and not q; p or q", "trivial", "outright"),
    ("entailment", "p or not p; q or not q", "trivial", "outright"),
    ("grid", "1 1 _ / _ _ _ / _ _ _", "consistent", "No answer"),
    ("grid", "1 _ _ / _ _ _ / _ _ _", "unique", "/"),
    ("grid", "1 2 3 / 2 3 1 / 3 1 2", "trivial", "outright"),
]


@pytest.mark.parametrize(("kind", "puzzle", "gate", "said"), REFUSED)
def test_each_gate_refuses_with_a_sentence(kind: str, puzzle: str, gate: str, said: str) -> None:
    found = examine(kind, puzzle)
    assert isinstance(found, Refusal) and found.gate == gate and said in found.detail and found.detail.endswith(".")


def test_a_puzzle_that_needs_over_the_node_budget_is_refused_at_the_gate_budget() -> None:
    hard = "x y z u v w in 1 2 3 4 5; " + "; ".join(
        f"{a} != {b}" for a, b in ("xy", "xz", "xu", "xv", "xw", "yz", "yu", "yv", "yw", "zu", "zv", "zw", "uv", "uw")
    )
    found = examine("colouring", hard + "; v != w", Logic(nodes=20))
    assert isinstance(found, Refusal) and found.gate == "budget" and "20 nodes" in found.detail
    followed = examine("entailment", "p; q or r; q -> s; r -> s; s -> p", Logic(nodes=2))
    assert isinstance(followed, Refusal) and followed.gate == "budget"


def test_the_body_may_lack_anything() -> None:
    found = asyncio.run(LOGIC.examine(Draft("logic", {})))
    assert isinstance(found, Refusal) and found.gate == "parse"


@EVERY_KIND
def test_exactly_the_gold_is_judged_correct(kind: str) -> None:
    rng = random.Random(0)
    for level in (1, 2, 3):
        for _ in range(4):
            one = task(kind, generate(kind, rng, level))
            puzzle = KINDS[kind].parse(one.body["puzzle"])
            assert [puzzle.say(answer) for answer in exhaustive.answers(puzzle)] == [one.gold]
            said = [puzzle.say(answer) for answer in puzzle.every_answer()]
            verdicts = judge(one, *said)
            assert [answer for answer, verdict in zip(said, verdicts, strict=True) if verdict is Verdict.CORRECT] == [
                one.gold
            ]
            assert verdicts.count(Verdict.WRONG) == len(said) - 1


def test_an_answer_scores_in_any_order_and_legal_spelling() -> None:
    one = task("knights", "A: A or B lies; B: A and B are the same")
    right = [one.gold, "B: knave; A: knight", "knight, knave", "A is a knight and B is a knave."]
    assert judge(one, *right) == [Verdict.CORRECT] * 4
    assert judge(one, "A = knave, B = knight", "knave, knave") == [Verdict.WRONG] * 2
    assert judge(one, None, "", "A = knight", "the first one") == [Verdict.UNPARSED] * 4


COPIES = [
    ("knights", "A: A or B lies; B: A and B are the same", "Bob: Bob and Ann are the same; Ann: Bob or Ann lies"),
    ("colouring", "x y in red blue; x = red; x != y", "b a in left right; a != b; a = right"),
    ("entailment", "p; p -> q; r -> q", "d -> b; a implies b; a"),
    ("grid", "1 _ _ / _ _ 2 / _ _ _", "_ _ _ / 3 _ _ / _ 1 _"),
]


@pytest.mark.parametrize(("kind", "one", "copy"), COPIES)
def test_renamed_and_reordered_puzzles_share_every_identity_and_others_none(kind: str, one: str, copy: str) -> None:
    first, second = task(kind, one), task(kind, copy)
    assert first.identities == second.identities and len(set(first.identities)) == 2
    assert all(identity.startswith("logic ") for identity in first.identities)
    if kind != "grid":
        assert first == second
    for level in (3, 4):
        other = task(kind, generate(kind, random.Random(level), level))
        assert not set(first.identities) & set(other.identities)


def test_an_id_tells_bodies_apart() -> None:
    one, other = task("entailment", "p; p -> q"), task("entailment", "p; p <-> q")
    assert one.id != other.id and one.gold == other.gold and not set(one.identities) & set(other.identities)


@pytest.mark.parametrize(
    ("kind", "puzzle", "rate"),
    [
        ("knights", "A: A or B lies; B: A and B are the same", 1 / 4),
        ("colouring", "x y z in 1 2 3; x = 2; x < y; z != x; z != y", 1 / 9),
        ("entailment", "p; p -> q; r -> q", 1 / 8),
        ("grid", "1 _ _ / _ _ 2 / _ _ _", 1 / 24),
    ],
)
def test_a_blind_guess_copies_what_is_given_and_draws_the_rest(kind: str, puzzle: str, rate: float) -> None:
    assert LOGIC.guess(task(kind, puzzle)) == pytest.approx(rate)


@EVERY_KIND
def test_a_recheck_keeps_a_task_and_evicts_one_whose_gold_is_another(kind: str) -> None:
    one = task(kind, generate(kind, random.Random(0), 2))
    assert asyncio.run(LOGIC.recheck(one)) is None
    found = asyncio.run(LOGIC.recheck(replace(one, gold="other")))
    assert isinstance(found, Refusal) and found.gate == "determinism" and one.gold in found.detail


WORDS = [
    *"ABCpqrxyz123_/;:,=!<>()~\n .",
    *["A:", "B:", " and ", " or ", " lies", " lie", " tells the truth", "exactly 1", "knight", "knave"],
    *[" not ", "->", "<->", "p -> q;", "true", "unknown", " in ", "!=", "red", "blue", "x != y;", "; "],
    *["1 _ _ / _ 2 _ / _ _ _", "a1 < b2"],
]
TEXT = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=30).map("".join))


@settings(max_examples=400)
@given(st.sampled_from([*KINDS, "other"]), TEXT, st.lists(TEXT, max_size=3))
def test_any_words_get_a_refusal_or_a_task_whose_gold_is_right(kind: str, puzzle: str, answers: list[str]) -> None:
    found = examine(kind, puzzle)
    if isinstance(found, Refusal):
        assert found.gate in {"parse", "size", "budget", "consistent", "unique", "trivial"} and found.detail
        return
    assert judge(found, found.gold) == [Verdict.CORRECT]
    assert all(isinstance(verdict, Verdict) for verdict in judge(found, *answers))


@settings(max_examples=200)
@given(st.sampled_from(list(KINDS)), TEXT)
def test_any_words_get_a_verdict(kind: str, answer: str) -> None:
    one = task(kind, generate(kind, random.Random(0), 1))
    (verdict,) = judge(one, answer)
    assert verdict in (Verdict.CORRECT, Verdict.WRONG, Verdict.UNPARSED)


@EVERY_KIND
def test_the_worked_examples_are_normal_and_right_and_no_tasks(kind: str) -> None:
    for text, answer in KINDS[kind].examples:
        puzzle = KINDS[kind].parse(text)
        assert puzzle.normal().text() == text and len(puzzle.solve().answers) == 1 and puzzle.solve().inferred
        read = puzzle.read(answer)
        assert read is not None and puzzle.holds(read) and puzzle.say(read) == answer
        found = examine(kind, text)
        assert isinstance(found, Refusal) and found.gate == "trivial" and "example" in found.detail
    assert "example" in str(examine("knights", "Bob: Ann and Bob lie; Ann: Bob is a liar"))


@EVERY_KIND
@pytest.mark.parametrize("style", ["completion", "chat"])
def test_a_solver_is_shown_the_rules_and_the_puzzle_and_nothing_of_the_truth(kind: str, style: str) -> None:
    one = replace(task(kind, generate(kind, random.Random(3), 3)), gold="SECRET")
    asked = str(SOLVER.prompt(one, style))
    assert one.body["puzzle"] in asked and KINDS[kind].rules in asked and "SECRET" not in asked
    assert "cost" not in asked


@EVERY_KIND
def test_a_solver_s_line_or_last_box_is_its_answer(kind: str) -> None:
    one = task(kind, generate(kind, random.Random(3), 2))
    prompt = SOLVER.prompt(one, "completion")
    assert isinstance(prompt, str) and prompt.endswith(f"Puzzle: {one.body['puzzle']}\nAnswer:")
    assert SOLVER.stop("completion") == ("\n",) and SOLVER.stop("chat") == ()
    line, box = SOLVER.read(f" {one.gold}", "completion"), SOLVER.read(f"So: \\boxed{{{one.gold}}}.", "chat")
    assert judge(one, line, box) == [Verdict.CORRECT] * 2
    assert SOLVER.read("  ", "completion") is None and SOLVER.read("no box", "chat") is None


def test_text_commands_in_a_box_are_taken_off() -> None:
    assert SOLVER.read("\\boxed{A = \\text{knight}, B = \\text{knave}}", "chat") == "A = knight, B = knave"
    assert SOLVER.read("\\boxed{\\text{ }}", "chat") is None
