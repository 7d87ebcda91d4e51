from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from selfplay.errors import UserError
from selfplay.store.reader import Reader
from selfplay.store.writer import Writer
from selfplay.views import tasks
from tests.store import made
from tests.views.shown import STEERING, printed


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with Reader(made.run(tmp_path_factory.mktemp("runs"), steps=4).path) as reader:
        yield reader


def test_a_page_of_tasks_says_which_part_it_is_and_how_often_each_was_solved(reader: Reader) -> None:
    page = tasks.page(reader, limit=3, offset=3, order="hardest")
    assert (page["total"], len(page["tasks"]), page["page"], page["pages"]) == (8, 3, 2, 3)
    lines = printed(tasks.render_page(page)).splitlines()
    assert lines[0].rstrip() == "4 to 6 of 8 tasks, hardest first (page 2 of 3)"
    assert [line.split()[4] for line in lines[2:]] == ["0.250"] * 3


def test_a_page_that_begins_between_pages_has_no_number(reader: Reader) -> None:
    page = tasks.page(reader, limit=3, offset=2, order="hardest")
    assert page["page"] is None
    assert printed(tasks.render_page(page)).startswith("3 to 5 of 8 tasks, hardest first \n".rstrip())
    assert "page" not in printed(tasks.render_page(page)).splitlines()[0]


def test_behind_the_last_page_the_sentence_says_how_many_there_are(reader: Reader) -> None:
    assert printed(tasks.render_page(tasks.page(reader, offset=99))).split("\n")[0].rstrip() == (
        "Nothing is left there: the run has 8 such tasks, which make 1 page of 20."
    )
    assert "The run has 8 such tasks." in printed(tasks.render_page(tasks.page(reader, limit=0)))


def test_where_nothing_matches_the_page_says_what_was_asked_and_what_there_is(reader: Reader) -> None:
    page = tasks.page(reader, family="math", solved=(0.5, 1.0))
    assert page["total"] == 0 and page["kinds"] == {"family": ["deduction"], "theme": []}
    assert printed(tasks.render_page(page)).strip() == (
        "No such tasks (family math, solve rate 0.500 to 1). What the run made of late has families deduction."
    )


def test_only_descendants_of_a_task_are_listed_when_asked(reader: Reader) -> None:
    page = tasks.page(reader, order="oldest", ancestor="003000")
    assert [task["id"] for task in page["tasks"]] == ["004000c0ffee", "004006c0ffee"]
    assert page["only"] == {"ancestor": "003000c0ffee"} and not page["cut"]
    assert "from 003000c0ffee" in printed(tasks.render_page(page))
    with pytest.raises(UserError, match="Several tasks begin with '003'"):
        tasks.page(reader, ancestor="003")


def test_in_a_narrow_terminal_every_task_stays_one_line(reader: Reader) -> None:
    text = printed(tasks.render_page(tasks.page(reader)), width=80)
    assert len(text.splitlines()) == 10 and all(len(line) <= 80 for line in text.splitlines())
    assert text.splitlines()[2].endswith("…")


def test_refused_proposals_are_listed_with_the_reason_and_hostile_words_as_text(reader: Reader) -> None:
    page = tasks.refused(reader, "determinism")
    text = printed(tasks.render_refused(page))
    assert page["total"] == 4 and text.startswith("1 to 4 of 4 refused proposals")
    assert text.count("\\x1b[31mred\\x1b[0m [bold red]loud[/] \\x07bell") == 4
    assert not set(text) & STEERING
    assert tasks.refused(reader, "any")["total"] == 24
    assert "the gates refused: parse 4, safety 4" in printed(tasks.render_refused(tasks.refused(reader, "nosuch")))


def test_refused_proposals_are_filtered_by_family_and_steps_and_counted_so(reader: Reader) -> None:
    page = tasks.refused(reader, "any", limit=4, offset=8, step=(2, 3))
    assert page["total"] == 12 and {p["step"] for p in page["proposals"]} == {2}
    assert "9 to 12 of 12 refused proposals, step 2 to 3 (page 3 of 3)" in printed(tasks.render_refused(page))
    assert tasks.refused(reader, "any", family="math")["total"] == 0


def test_a_hostile_task_is_shown_as_text_in_the_list(tmp_path: Path) -> None:
    hostile = dataclasses.replace(
        made.task(1, 0), family=made.HOSTILE, body={"program": made.HOSTILE}, gold=made.HOSTILE, themes=(made.HOSTILE,)
    )
    with Writer(tmp_path / "run.db") as writer:
        writer.commit(dataclasses.replace(made.record(1), proposals=(), tasks=(hostile,)))
    with Reader(tmp_path) as reader:
        for page in (
            tasks.page(reader),
            tasks.page(reader, theme=made.HOSTILE),
            tasks.page(reader, family="no\x1b[2J"),
        ):
            text = printed(tasks.render_page(page))
            assert not set(text) & STEERING
            assert "\\x1b[31mred\\x1b[0m [bold red]loud[/]" in text
