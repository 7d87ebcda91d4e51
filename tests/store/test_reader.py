from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from selfplay.errors import UserError
from selfplay.store.queries import ORDERS
from selfplay.store.reader import Reader
from selfplay.store.writer import Writer
from tests.store import made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made.run(tmp_path_factory.mktemp("runs"), steps=6).path


def test_the_funnel_of_the_run_is_the_sum_of_its_steps(folder: Path) -> None:
    with Reader(folder) as reader:
        steps = [reader.funnel(n) for n in range(1, 7)]
        whole = reader.funnel()
        for stage in ("proposed", "parsed", "valid", "new", "admitted"):
            assert whole[stage] == sum(step[stage] for step in steps)
        assert whole["admitted"] + sum(whole["refusals"].values()) == whole["proposed"] == 48
        assert whole["admitted"] == reader.count_tasks() == 12
        assert list(whole["refusals"]) == ["parse", "safety", "run", "determinism", "novelty", "curriculum"]


def test_a_step_carries_its_funnel_seconds_metrics_and_events(folder: Path) -> None:
    with Reader(folder) as reader:
        step = reader.step(2)
    assert step["funnel"] == {"proposed": 8, "parsed": 7, "valid": 4, "new": 3, "admitted": 2}
    assert step["seconds"] == dict(made.record(2).seconds)
    assert step["metrics"]["proposer/reward/mean"] == 0.2
    assert [event["detail"] for event in step["events"]] == ["entropy fell"]


def test_metrics_come_by_key_from_a_step_on_and_not_a_number_is_none(folder: Path) -> None:
    with Reader(folder) as reader:
        found = reader.metrics(["policy/parity/max", "loss/nan", "no/such"], since=5)
        assert found == {"policy/parity/max": [(5, 0.1), (6, 0.1)], "loss/nan": [(5, None), (6, None)]}
        assert set(reader.metrics()) == set(made.record(1).metrics)


@pytest.mark.parametrize("order", ORDERS)
def test_pages_of_any_order_join_to_the_whole_without_overlap(folder: Path, order: str) -> None:
    with Reader(folder) as reader:
        whole = reader.tasks(limit=100, order=order)
        pages = [task for offset in range(0, 15, 5) for task in reader.tasks(5, offset, order)]
        assert pages == whole
        assert len({task["id"] for task in whole}) == len(whole) == reader.count_tasks(order)
        assert len(whole) == (5 if order == "fertile" else 12)


def test_orders_mean_what_they_say(folder: Path) -> None:
    with Reader(folder) as reader:
        rates = [task["solve_rate"] for task in reader.tasks(100, order="hardest")]
        assert rates == sorted(rates) and rates[0] < rates[-1]
        worth = [task["learnability"] for task in reader.tasks(100, order="learnable")]
        assert worth == sorted(worth, reverse=True)
        assert reader.tasks(1, order="newest")[0]["step"] == 6
        assert reader.tasks(1, order="oldest")[0]["step"] == 1
        with pytest.raises(UserError, match="no order 'best'; choose one of newest"):
            reader.tasks(order="best")


def test_tasks_never_measured_are_left_out_of_orders_by_difficulty_only(tmp_path: Path) -> None:
    record = dataclasses.replace(made.record(1), attempts=(), learnability={})
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(record)
    with Reader(tmp_path) as reader:
        assert reader.count_tasks() == 2 and reader.count_tasks("hardest") == 0
        assert reader.tasks(order="hardest") == []
        assert reader.tasks()[0]["solve_rate"] is None


def test_a_task_is_found_by_the_beginning_of_its_id_and_knows_its_family_tree(folder: Path) -> None:
    with Reader(folder) as reader:
        task = reader.task("003000")
        assert task["parents"] == [made.task(2, 0).id]
        assert task["children"] == [made.task(4, 0).id, made.task(4, 6).id]
        assert [entry["step"] for entry in task["history"]] == [3, 4]
        with pytest.raises(UserError, match="Several tasks begin with '003': 003000c0ffee, 003006c0ffee"):
            reader.task("003")
        with pytest.raises(
            UserError, match="No task of this run has the id '0035'; the nearest are 003006c0ffee and 004000c0ffee"
        ):
            reader.task("0035")


def test_the_bank_can_be_filled_again_with_tasks_parents_and_counts(folder: Path) -> None:
    with Reader(folder) as reader:
        back = {task.id: (task, serial, visits) for task, serial, visits in reader.active_tasks()}
        assert reader.admitted() == len(back)
    assert list(back) == [t.id for step in range(1, 7) for t in made.record(step).tasks]
    for step in range(1, 7):
        for task in made.record(step).tasks:
            assert back[task.id][0] == task
    _, serial, visits = back[made.task(1, 0).id]
    assert serial == 1 and [visit[:2] for visit in visits] == [(4, 0), (4, 2)]


def test_parents_keep_their_order(tmp_path: Path) -> None:
    record = made.record(1)
    task = dataclasses.replace(made.task(1, 9), parents=("zz", "aa", "mm"))
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(dataclasses.replace(record, tasks=(*record.tasks, task)))
    with Reader(tmp_path) as reader:
        assert [t.parents for t, _, _ in reader.active_tasks()][2] == ("zz", "aa", "mm")
        assert reader.task(task.id)["parents"] == ["zz", "aa", "mm"]


def test_proposals_are_found_by_gate_and_step_with_their_words(folder: Path) -> None:
    with Reader(folder) as reader:
        (one,) = reader.proposals(gate="determinism", step=3)
        assert one["turn"]["text"] == made.HOSTILE and one["detail"] == "refused by determinism"
        assert len(reader.proposals(100, gate="any")) == 36
        assert len(reader.proposals(100)) == 48


def test_episodes_are_found_by_game_and_step(folder: Path) -> None:
    with Reader(folder) as reader:
        assert [e["id"] for e in reader.episodes(3)] == [12, 11, 10]
        assert [e["end"] for e in reader.episodes(step=2)] == ["invalid", "finished"]
        assert reader.episodes(game="chess") == []
        with pytest.raises(UserError, match="Episode 99 is not in this run; it has episodes 1 to 12"):
            reader.episode(99)
        with pytest.raises(UserError, match="Step 7 is not in this run; it has steps 1 to 6"):
            reader.step(7)


def test_evaluations_are_given_back_under_the_keys_they_were_stored_by(folder: Path) -> None:
    with Reader(folder) as reader:
        assert reader.evaluations() == {"before": made.BEFORE, "after": made.AFTER}
        assert list(reader.evaluations()) == ["before", "after"]


def test_what_a_reader_gives_is_data_that_json_can_hold(folder: Path) -> None:
    with Reader(folder) as reader:
        given = [
            reader.step(1),
            reader.steps(),
            reader.funnel(),
            reader.metrics(),
            reader.tasks(),
            reader.meta(),
            reader.events(),
        ]
        given += [
            reader.task("001000"),
            reader.attempts("001000c0ffee"),
            reader.episodes(),
            reader.episode(2),
            reader.proposals(),
        ]
    assert json.loads(json.dumps(given)) is not None


def test_a_reader_cannot_write(folder: Path) -> None:
    with Reader(folder) as reader, pytest.raises(UserError, match="readonly"):
        reader._rows("DELETE FROM tasks")
