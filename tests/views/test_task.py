from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from selfplay.records import StepRecord
from selfplay.store.reader import Reader
from selfplay.store.writer import Writer
from selfplay.views import task
from tests.store import made
from tests.views.shown import STEERING, printed


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with Reader(made.run(tmp_path_factory.mktemp("runs"), steps=4).path) as reader:
        yield reader


def test_a_task_is_shown_with_text_truth_and_every_attempt(reader: Reader) -> None:
    text = printed(task.render_one(task.one(reader, "002000")))
    for fact in (
        "task 002000c0ffee, deduction, made in step 2",
        "def f(n):\n      return n * 2 + 0",
        "truth: 0",
        "solved 2 of 8 (0.250)",
        "step 2: 0 of 4  step 3: 2 of 4",
    ):
        assert fact in text
    assert sum(line.split()[1:2] in (["correct"], ["wrong"]) for line in text.splitlines()) == 8


def test_how_its_solve_rate_moved_is_drawn_between_never_and_always(reader: Reader) -> None:
    assert "solve rate ▁▅ (0 to 1) over 2 steps, 2 to 3" in printed(task.render_one(task.one(reader, "002000")))


def test_its_family_tree_is_told_up_and_down_with_counts(reader: Reader) -> None:
    lines = [line.rstrip() for line in printed(task.render_one(task.one(reader, "002000"))).splitlines()]
    assert lines[lines.index("made from 1, 1 ancestors in all:") + 1] == (
        "  └─ 001000c0ffee  deduction, step 1, solved 2 of 8"
    )
    down = lines.index("led to 2, 4 descendants in all:")
    assert lines[down + 1 : down + 5] == [
        "  ├─ 003000c0ffee  deduction, step 3, solved 2 of 8",
        "  │  ├─ 004000c0ffee  deduction, step 4, solved 0 of 4",
        "  │  └─ 004006c0ffee  deduction, step 4, solved 1 of 4",
        "  └─ 003006c0ffee  deduction, step 3, solved 1 of 4",
    ]


def test_a_tree_is_cut_where_it_gets_large_and_says_how_much_is_left_out(tmp_path: Path) -> None:
    seed = made.task(1, 0)
    children = [made.task(2, i, (seed.id,)) for i in range(9)]
    grandchild = made.task(3, 0, (children[0].id, children[1].id, "unknown"))
    great = made.task(4, 0, (grandchild.id,))
    far = made.task(5, 0, (great.id,))
    with Writer(tmp_path / "run.db") as writer:
        for step, tasks in enumerate(([seed], children, [grandchild], [great], [far]), 1):
            writer.commit(only_tasks(step, *tasks))
    with Reader(tmp_path) as reader:
        data = task.one(reader, seed.id)
        up = printed(task.render_one(task.one(reader, grandchild.id)))
    assert data["kin"] == {"ancestors": 0, "descendants": 12}
    assert [node["id"] for node in data["descendants"]] == [child.id for child in children[:4]]
    text = printed(task.render_one(data))
    assert "made from nothing" in text and "└─ … and 5 more" in text
    assert f"{great.id}  deduction, step 4, never attempted  (1 further)" in text
    assert f"{grandchild.id}  deduction, step 3, never attempted  (as above)" in text
    assert text.count(great.id) == 1
    assert "unknown  not a task of this run" in up and "made from 3, 4 ancestors in all" in up


def test_a_family_tree_that_bites_its_tail_ends_all_the_same(tmp_path: Path) -> None:
    one, other = made.task(1, 0, (made.task(1, 1).id,)), made.task(1, 1, (made.task(1, 0).id,))
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(only_tasks(1, one, other))
    with Reader(tmp_path) as reader:
        assert task.one(reader, one.id)["kin"] == {"ancestors": 2, "descendants": 2}


def test_a_hostile_task_is_shown_as_text_in_full(tmp_path: Path) -> None:
    hostile = dataclasses.replace(
        made.task(1, 0),
        family=made.HOSTILE,
        body={made.HOSTILE: made.HOSTILE},
        gold=made.HOSTILE,
        parents=(made.HOSTILE,),
    )
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(only_tasks(1, hostile))
    with Reader(tmp_path) as reader:
        text = printed(task.render_one(task.one(reader, hostile.id)))
    assert not set(text) & STEERING
    assert text.count("\\x1b[31mred\\x1b[0m [bold red]loud[/]") >= 4


def only_tasks(step: int, *tasks: made.Task) -> StepRecord:
    return dataclasses.replace(made.record(step), proposals=(), attempts=(), learnability={}, tasks=tasks)
