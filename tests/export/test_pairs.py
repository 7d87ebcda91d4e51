from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from selfplay.export.pairs import preferences, sft
from selfplay.records import Completion, Refusal, StepRecord, Stop, Turn
from selfplay.store.reader import Reader
from tests.export import made as runs
from tests.store import made

Rows = list[dict[str, Any]]


def graded(tmp_path: Path, kind: str, *records: StepRecord) -> Rows:
    with Reader(runs.run(tmp_path, *records).path) as reader:
        return list(reader.graded(kind))


def says(turn: Turn, text: str, stop: Stop = Stop.STOP) -> Turn:
    return dataclasses.replace(turn, completion=dataclasses.replace(turn.completion, text=text, stop=stop))


def attempts(record: StepRecord, *said: tuple[str, bool]) -> StepRecord:
    """The record, with these answers to its first task and no others."""
    (one, *_), task = record.attempts, record.tasks[0]
    tries = made.attempts(record.step, [task], [len(said)], len(said))
    kept = [
        dataclasses.replace(a, turn=says(one.turn, text), verdict="correct" if right else "wrong")
        for a, (text, right) in zip(tries, said, strict=True)
    ]
    return dataclasses.replace(record, attempts=tuple(kept), learnability={})


def test_right_attempts_are_imitated_once_each_with_how_often_they_were_written(tmp_path: Path) -> None:
    record = attempts(made.record(1), ("7", True), (" 7", True), ("7", True), ("7 \n", True), ("8", False))
    rows = list(sft(graded(tmp_path, "attempt", record), 4))
    assert [(row["completion"], row["count"]) for row in rows] == [("7", 3), (" 7", 1)]
    assert {row["task"] for row in rows} == {made.task(1, 0).id}
    assert {row["why"] for row in rows} == {"correct"} and rows[0]["solve_rate"] == 0.8


def test_an_answer_that_was_judged_both_ways_is_in_neither(tmp_path: Path) -> None:
    rows = graded(tmp_path, "attempt", attempts(made.record(1), ("7", True), ("7", False), ("8", False), ("9", True)))
    assert [row["completion"] for row in sft(rows, 4)] == ["9"]
    assert [(row["chosen"], row["rejected"]) for row in preferences(rows, 4)] == [("9", "8")]


def test_a_text_that_the_token_limit_cut_is_in_neither(tmp_path: Path) -> None:
    whole, cut = graded(tmp_path / "a", "proposal"), runs.with_turns(made.record(1), _cut)
    assert whole and graded(tmp_path / "b", "proposal", cut) == graded(tmp_path / "c", "attempt", cut) == []


def _cut(turn: Turn) -> Turn:
    return says(turn, turn.completion.text, Stop.LENGTH)


def test_a_move_of_one_token_is_whole_though_the_limit_ended_it(tmp_path: Path) -> None:
    def answer(turn: Turn) -> Turn:
        return says(turn, {"[bet]": " bet"}.get(turn.completion.text, "!"), Stop.LENGTH)

    rows = graded(tmp_path, "episode", runs.with_turns(made.record(1), answer))
    assert [(row["completion"], row["good"]) for row in rows] == [(" bet", 1), ("!", 0)]
    cut = runs.with_turns(made.record(1), lambda turn: says(turn, " bet because", Stop.LENGTH))
    assert graded(tmp_path / "cut", "episode", cut) == []


def test_a_refusal_for_novelty_says_nothing_of_the_words(tmp_path: Path) -> None:
    rows = graded(tmp_path, "proposal", made.record(1))
    assert "novelty" not in {row["why"] for row in rows}
    refused = {row["rejected_why"] for row in preferences(rows, 100)}
    assert refused == {"parse", "safety", "run", "curriculum", "determinism"}


def test_what_belongs_to_a_task_whose_truth_did_not_hold_is_left_out(tmp_path: Path) -> None:
    task, gone = made.task(1, 6).id, Refusal("determinism", "its output differed")
    kept = dataclasses.replace(made.record(1), evicted={task: Refusal("capacity", "a full bank")})
    lost = dataclasses.replace(made.record(1), evicted={task: gone})
    assert task in {row["task"] for row in graded(tmp_path / "a", "attempt", kept)}
    assert task not in {row["task"] for row in graded(tmp_path / "b", "attempt", lost)}
    found = [
        [row["owner"] for row in sft(graded(tmp_path / name, "proposal", record), None)]
        for name, record in (("c", kept), ("d", lost))
    ]
    assert found == [[1, 7], [1]]


def test_every_proposal_that_became_a_task_is_imitated(tmp_path: Path) -> None:
    rows = graded(tmp_path, "proposal")
    assert len(list(sft(rows, None))) == 6 and len(list(sft(rows, 1))) == 3


def test_of_moves_those_are_imitated_that_were_made_in_a_game_that_the_seat_won(tmp_path: Path) -> None:
    lost = dataclasses.replace(made.episode(1, 2), returns=(-1.0, 1.0))
    lost = dataclasses.replace(lost, plies=(dataclasses.replace(lost.plies[0], turn=says(lost.plies[0].turn, "bet")),))
    record = made.record(1)
    record = dataclasses.replace(record, episodes=(*record.episodes, lost))
    rows = graded(tmp_path, "episode", record)
    assert [(r["completion"], r["wins"], r["value"]) for r in sft(rows, 4)] == [("[bet]", 1, 1.0)]
    assert [(r["completion"], r["wins"], r["value"]) for r in sft(rows, 4, "legal")] == [
        ("[bet]", 1, 1.0),
        ("bet", 0, -1.0),
    ]
    assert {(r["chosen"], r["rejected"]) for r in preferences(rows, 4)} == {("[bet]", made.HOSTILE)}
    assert {r["chosen"] for r in preferences(rows, 4, "legal")} == {"[bet]", "bet"}


def test_a_win_by_the_other_seat_s_forfeit_or_a_draw_is_no_win(tmp_path: Path) -> None:
    record = made.record(1)
    drawn = dataclasses.replace(made.episode(1, 0), returns=(0.0, 0.0))
    given = dataclasses.replace(made.episode(1, 1), end=made.End.INVALID, offender=1, returns=(0.0, -2.0))
    rows = graded(tmp_path, "episode", dataclasses.replace(record, episodes=(drawn, given)))
    assert [row["wins"] for row in rows] == [0]
    assert list(sft(rows, 4)) == []


def test_two_legal_moves_are_never_ranked(tmp_path: Path) -> None:
    record, folds = made.record(1), dataclasses.replace(made.episode(1, 1), returns=(-2.0, 2.0))
    ply = dataclasses.replace(folds.plies[0], turn=says(folds.plies[0].turn, "[check]"), action="check")
    folds = dataclasses.replace(folds, plies=(ply,))
    rows = graded(tmp_path, "episode", dataclasses.replace(record, episodes=(record.episodes[0], folds)))
    assert len(rows) == 2 and list(preferences(rows, 4, "legal")) == []


def answers(good: int, bad: int, question: int = 0) -> Rows:
    common = {"task_n": None, "prompt_id": question, "wins": None, "step": 1, "count": 1, "prompt": str(question)}
    sides = [("g", 1, good), ("b", 0, bad)]
    return [
        common | {"completion": f"{side}{n}", "good": which, "why": side}
        for side, which, count in sides
        for n in range(count)
    ]


@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 12))
def test_pairs_are_bounded_different_and_use_every_text_about_as_often(good: int, bad: int, most: int) -> None:
    found = [(row["chosen"], row["rejected"]) for row in preferences(answers(good, bad), most)]
    assert len(found) == len(set(found)) == min(most, min(good, most) * min(bad, most))
    assert all(one[0] == "g" and other[0] == "b" for one, other in found)
    for side in zip(*found, strict=True):
        uses = [side.count(text) for text in set(side)]
        assert max(uses) - min(uses) <= 1


def test_answers_to_different_questions_are_never_paired() -> None:
    rows = answers(2, 0, 1) + answers(0, 2, 2) + answers(1, 1, 3)
    assert [row["prompt"] for row in preferences(rows, 4)] == ["3"]


def test_the_oldest_turn_is_the_origin(tmp_path: Path) -> None:
    early = attempts(made.record(1), ("7", True))
    late = dataclasses.replace(made.record(2), attempts=())
    again = [
        dataclasses.replace(a, turn=says(early.attempts[0].turn, "7"), index=0, verdict="correct")
        for a in made.attempts(2, [made.task(1, 0)], [1], 1)
    ]
    rows = list(sft(graded(tmp_path, "attempt", early, dataclasses.replace(late, attempts=tuple(again))), 4))
    assert [(row["step"], row["count"], row["owner"]) for row in rows] == [(1, 2, 1)]
    assert isinstance(early.attempts[0].turn.completion, Completion)
