from __future__ import annotations

import dataclasses
import json
import sqlite3
from pathlib import Path

import pytest

from selfplay.errors import UserError
from selfplay.records import Directive, Event, Refusal, Sample
from selfplay.store.reader import Reader
from selfplay.store.schema import APPLICATION_ID, SCHEMA
from selfplay.store.writer import Writer
from tests.store import made


def everything(path: Path) -> dict[str, list[tuple]]:
    """Every row of every table but events, without times."""
    db = sqlite3.connect(path)
    tables = [
        name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'events'")
    ]
    content = {}
    for table in tables:
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] != "time"]
        content[table] = sorted(db.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall(), key=repr)
    return content


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in (path / "metrics.jsonl").read_text().splitlines()]


def test_every_turn_comes_back_with_the_very_ids_that_were_sampled(tmp_path: Path) -> None:
    record = made.record(1)
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(record)
    with Reader(tmp_path) as reader:
        stored = sorted(reader.proposals(100), key=lambda p: p["idx"])
        for proposal, kept in zip(record.proposals, stored, strict=True):
            said, turn = proposal.turn.completion, kept["turn"]
            assert turn["ids"] == list(said.ids)
            assert turn["prompt_ids"] == list(proposal.turn.prompt_ids)
            assert turn["logprobs"] == pytest.approx(said.logprobs)
            assert (turn["text"], turn["prompt"], turn["stop"]) == (said.text, proposal.turn.prompt, said.stop)
            assert (turn["role"], turn["group"], turn["version"]) == ("proposer", "deduction", said.version)
        episode = reader.episode(1)
        assert episode["seed"] == 2**63
        assert episode["plies"][0]["turn"]["ids"] == list(record.episodes[0].plies[0].turn.completion.ids)
        assert episode["plies"][1]["turn"] is None and episode["plies"][1]["action"] == "fold"


def test_rewards_and_advantages_stand_beside_the_turns_they_belong_to(tmp_path: Path) -> None:
    record = made.record(1)
    turn = record.attempts[3].turn
    samples = {**record.samples, ("attempt", 3, 0): Sample(turn, reward=0.125, advantage=-2.5)}
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(dataclasses.replace(record, samples=samples))
    with Reader(tmp_path) as reader:
        tries = [a for t in record.tasks for a in reader.attempts(t.id)]
        worth = {a["idx"]: (a["turn"]["reward"], a["turn"]["advantage"]) for a in tries}
        assert worth[3] == (0.125, -2.5)
        assert worth[2] == (samples["attempt", 2, 0].reward, -0.25)
        assert reader.episode(2)["plies"][0]["turn"]["reward"] is None


def test_the_totals_of_a_task_are_the_sums_over_its_attempts(tmp_path: Path) -> None:
    made.run(tmp_path, steps=5)
    with Reader(tmp_path / "made-001") as reader:
        for task in reader.tasks(limit=100):
            verdicts = [attempt["verdict"] for attempt in reader.attempts(task["id"])]
            assert (task["attempts"], task["correct"]) == (len(verdicts), verdicts.count("correct"))
            assert task["solve_rate"] == verdicts.count("correct") / len(verdicts)
            assert task["learnability"] == reader.task(task["id"])["history"][-1]["learnability"]


def test_a_step_out_of_turn_is_our_bug_and_stores_nothing(tmp_path: Path) -> None:
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(made.record(1))
        for step in (1, 3, 0):
            with pytest.raises(ValueError, match=f"step {step} cannot follow step 1"):
                writer.commit(made.record(step))
        assert writer.last_step() == 1


def test_a_record_that_cannot_be_stored_leaves_no_trace_of_its_step(tmp_path: Path) -> None:
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(made.record(1))
        before = everything(tmp_path / "run.db")
        record = made.record(2)
        twice = dataclasses.replace(record, episodes=(record.episodes[0], record.episodes[0]))
        with pytest.raises(sqlite3.IntegrityError):
            writer.commit(twice)
        assert everything(tmp_path / "run.db") == before
        writer.commit(record)
        assert writer.last_step() == 2


def test_going_back_leaves_what_a_run_without_those_steps_would_have_left(tmp_path: Path) -> None:
    for name, steps in (("short", 2), ("long", 6)):
        (tmp_path / name).mkdir()
        with Writer(tmp_path / name / "run.db") as writer:
            writer.evaluation("before", 0, made.BEFORE, seconds=1.0)
            for step in range(1, steps + 1):
                writer.commit(made.record(step))
            if name == "long":
                writer.evaluation("after", 6, made.AFTER, seconds=1.0)
                assert writer.rollback_to(2) == 4
                assert writer.last_step() == 2
    assert everything(tmp_path / "long/run.db") == everything(tmp_path / "short/run.db")
    assert [line["step"] for line in lines(tmp_path / "long")] == [1, 2]


def test_a_run_goes_on_after_going_back_as_if_it_had_never_been_further(tmp_path: Path) -> None:
    for name in ("straight", "back"):
        (tmp_path / name).mkdir()
        with Writer(tmp_path / name / "run.db") as writer:
            for step in range(1, 5):
                writer.commit(made.record(step))
            if name == "back":
                writer.rollback_to(1)
                for step in range(2, 5):
                    writer.commit(made.record(step))
    assert everything(tmp_path / "straight/run.db") == everything(tmp_path / "back/run.db")


def test_going_back_is_told_and_earlier_resumptions_are_not_forgotten(tmp_path: Path) -> None:
    with Writer(tmp_path / "run.db") as writer:
        for step in (1, 2, 3):
            writer.commit(made.record(step))
        writer.event(Event("resumed", "after a kill", {"pid": 1}), 3)
        writer.rollback_to(1)
    with Reader(tmp_path) as reader:
        events = [(event["kind"], event["detail"]) for event in reader.events()]
    assert events == [("resumed", "after a kill"), ("rollback", "undid 2 steps after step 1")]


def test_going_back_to_the_newest_step_or_beyond_changes_nothing(tmp_path: Path) -> None:
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(made.record(1))
        assert writer.rollback_to(1) == 0
        assert writer.rollback_to(9) == 0
        assert writer.last_step() == 1


def test_the_twin_has_one_line_a_step_with_the_same_figures(tmp_path: Path) -> None:
    folder = made.run(tmp_path, steps=3)
    with folder.reader() as reader:
        for line in lines(folder.path):
            step = reader.step(line["step"])
            assert line["funnel"] == step["funnel"] and line["metrics"] == step["metrics"]
            assert line["seconds"] == step["seconds"]
    assert [line["step"] for line in lines(folder.path)] == [1, 2, 3]


@pytest.mark.parametrize(
    "damage", ["", '{"step": 1}\n', '{"step": 1}\n{"step": 2}\n{"st', "\xff junk", '{"step": 9}\n', "[]\n"]
)
def test_a_twin_that_disagrees_with_the_database_is_written_anew_when_the_run_is_opened(
    tmp_path: Path, damage: str
) -> None:
    folder = made.run(tmp_path, steps=3)
    whole = (folder.path / "metrics.jsonl").read_text()
    (folder.path / "metrics.jsonl").write_text(damage, encoding="latin-1")
    Writer(folder.database).close()
    assert (folder.path / "metrics.jsonl").read_text() == whole


def test_a_second_evaluation_of_the_same_moment_replaces_the_first(tmp_path: Path) -> None:
    with Writer(tmp_path / "run.db") as writer:
        writer.evaluation("before", 0, {"a/b": 1.0, "c/d": 2.0}, seconds=1.0)
        writer.evaluation("before", 0, {"a/b": 3.0}, seconds=2.0)
    with Reader(tmp_path) as reader:
        assert reader.evaluations() == {"before": {"a/b": 3.0}}
        assert reader.evaluation_steps() == [{"label": "before", "step": 0, "seconds": 2.0}]


def test_a_file_that_is_no_run_database_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_bytes(b"not a database, but long enough to be looked at " * 100)
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE t (x)")
    db.close()
    for path, words in ((text, "is not a readable run database"), (other, "is not the database of a run")):
        before = path.read_bytes()
        with pytest.raises(UserError, match=words):
            Writer(path)
        assert path.read_bytes() == before


def test_a_run_of_another_schema_is_refused_with_both_numbers(tmp_path: Path) -> None:
    folder = made.run(tmp_path)
    with sqlite3.connect(folder.database) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    db.close()
    for opener in (Writer, Reader):
        with pytest.raises(UserError, match=f"schema {SCHEMA + 1}, and this version reads schema {SCHEMA}"):
            opener(folder.database)


def test_an_empty_file_left_by_a_kill_at_the_very_start_becomes_a_run_database(tmp_path: Path) -> None:
    (tmp_path / "run.db").touch()
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(made.record(1))
        assert writer.last_step() == 1


def test_text_that_utf8_cannot_hold_is_kept_as_its_escape(tmp_path: Path) -> None:
    record = made.record(1)
    odd = made.proposal(1, 0, "parse", "lone \ud800 surrogate")
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(dataclasses.replace(record, proposals=(odd, *record.proposals[1:])))
    with Reader(tmp_path) as reader:
        assert reader.proposals(gate="parse", limit=9)[-1]["turn"]["text"] == "lone \\ud800 surrogate"


def test_identities_are_known_from_the_commit_on_those_of_evicted_tasks_too(tmp_path: Path) -> None:
    one = dataclasses.replace(made.task(1, 7), identities=("program:1", "behaviour:1"))
    gone = Refusal("determinism", "it changed")
    with Writer(tmp_path / "run.db") as writer:
        assert not writer.knows(["program:1"])
        writer.commit(dataclasses.replace(made.record(1), tasks=(one,)))
        writer.commit(dataclasses.replace(made.record(2), evicted={one.id: gone}))
        assert writer.knows(["new", "behaviour:1"]) and not writer.knows(["new"])
        with Reader(tmp_path) as reader:
            assert one.id not in [task.id for task, _, _ in reader.active_tasks()]
            assert reader.task(one.id)["reason"] == {"gate": "determinism", "detail": "it changed"}
        writer.rollback_to(1)
        with Reader(tmp_path) as reader:
            assert one.id in [task.id for task, _, _ in reader.active_tasks()], "its eviction was undone"
        writer.rollback_to(0)
        assert not writer.knows(["program:1"]), "so was its admission"


def test_what_a_proposer_was_asked_for_is_stored_beside_what_came_back(tmp_path: Path) -> None:
    record = made.record(1)
    asked = Directive("theme", "about text", theme="text")
    first, *others = record.proposals
    with Writer(tmp_path / "run.db") as writer:
        proposals = (dataclasses.replace(first, directive=asked), *others)
        writer.commit(dataclasses.replace(record, proposals=proposals))
    with Reader(tmp_path) as reader:
        stored = {p["idx"]: p["directive"] for p in reader.proposals(limit=99)}
    assert stored[first.index] == dataclasses.asdict(asked)
    assert {directive for index, directive in stored.items() if index != first.index} == {None}
