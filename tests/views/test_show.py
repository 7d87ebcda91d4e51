from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest

from selfplay.records import Event
from selfplay.store.folder import RunFolder
from selfplay.views import league
from selfplay.views.ending import better, compare, print_ending
from selfplay.views.show import render, summary
from selfplay.views.text import console
from tests.store import made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made.run(tmp_path_factory.mktemp("runs"), steps=4).path


def printed(renderable: Any) -> str:
    out = io.StringIO()
    console(out).print(renderable)
    return out.getvalue()


def test_the_summary_carries_the_evaluation_parity_and_seconds_as_the_run_wrote_them(folder: Path) -> None:
    data = json.loads(json.dumps(summary(folder)))
    assert data["evaluation"] == {"before": made.BEFORE, "after": made.AFTER}
    assert data["parity"] == {"max": [[n, 0.1] for n in range(1, 5)], "mean": [[n, 0.01] for n in range(1, 5)]}
    assert data["seconds"]["total"] == {"propose": 8.0, "solve": 4.0, "play": 2.0, "train": 12.0, "publish": 1.0}
    assert sum(data["seconds"]["share"].values()) == pytest.approx(1.0)
    assert data["seconds"]["last"] == dict(made.record(4).seconds)


def test_the_summary_tells_the_run_its_progress_and_its_funnel(folder: Path) -> None:
    data = summary(folder)
    assert (data["run"], data["recipe"], data["state"], data["step"], data["steps"]) == (
        "made-001",
        "made",
        "finished",
        4,
        4,
    )
    assert (data["seed"], data["tasks"], data["episodes"]) == (7, 8, 8)
    assert data["funnel"]["total"] == {"proposed": 32, "parsed": 28, "valid": 16, "new": 12, "admitted": 8}
    assert data["funnel"]["last"] == {"proposed": 8, "parsed": 7, "valid": 4, "new": 3, "admitted": 2}
    assert data["refusals"]["total"]["parse"] == 4 and data["spread"]["last"]["0"] == 1
    assert data["games"]["total"] == {"kuhn_poker": 8}
    assert [event["kind"] for event in data["events"]] == ["alarm", "finished"]


def test_a_run_in_progress_is_running_and_one_that_was_stopped_can_go_on(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "a", '{"name": "a", "steps": 9}', {"seed": 1})
    with folder.writer() as writer:
        writer.commit(made.record(1))
        assert summary(folder.path)["state"] == "running"
    folder.release()
    assert summary(folder.path)["state"] == "stopped"


def test_a_run_without_a_finished_step_is_shown_too(tmp_path: Path) -> None:
    folder = made.run(tmp_path, steps=0, evaluated=False)
    data = summary(folder.path)
    assert data["step"] == 0 and data["parity"] == {} and data["evaluation"] == {}
    assert "none is finished yet" in printed(render(data))


def test_the_rendering_has_the_facts_of_the_summary(folder: Path) -> None:
    text = printed(render(summary(folder)))
    for fact in (
        "made-001: finished, step 4 of 4, recipe made, seed 7, 8 tasks made, 8 games",
        "32 proposed → 28 parsed → 16 valid → 12 new → 8 admitted",
        "parse 4, safety 4, run 4",
        "train               12 s    44%   3.0 s      3.0 s",
        "parity, max",
        "step 2  alarm: entropy fell",
    ):
        assert fact in text
    assert "\x1b" not in text


def test_words_in_events_and_metric_names_are_shown_as_text(tmp_path: Path) -> None:
    folder = made.run(tmp_path)
    folder.lock.acquire()
    with folder.writer() as writer:
        writer.event(Event("alarm", made.HOSTILE), 3)
        writer.evaluation("during", 2, {"reward/" + made.HOSTILE: 1.0}, seconds=1.0)
    folder.release()
    text = printed(render(summary(folder.path)))
    assert not set(text) & set("\x1b\x07\x9b\x00\r\u202e")
    assert text.count("[bold red]loud[/]") == 2


def test_before_and_after_are_compared_by_difference_and_ratio() -> None:
    evaluation = {
        "before": {"a/rate": 0.2, "b/rate": 0.0, "c/rate": 0.5},
        "after": {"a/rate": 0.5, "b/rate": 0.1, "d/rate": 1.0},
    }
    rows = {row["key"]: row for row in compare(evaluation)}
    assert rows["a/rate"]["difference"] == pytest.approx(0.3) and rows["a/rate"]["ratio"] == pytest.approx(2.5)
    assert rows["b/rate"]["difference"] == 0.1 and rows["b/rate"]["ratio"] is None
    assert rows["c/rate"]["after"] is None and rows["c/rate"]["difference"] is None
    assert rows["d/rate"]["before"] is None and rows["d/rate"]["difference"] is None


def test_the_ending_prints_both_columns_and_the_path(folder: Path) -> None:
    out = io.StringIO()
    print_ending(folder, file=out)
    lines = out.getvalue().splitlines()
    columns = [line.split() for line in lines]
    assert ["measure", "before", "after", "difference", "ratio"] in columns
    assert ["proposer/valid_rate", "0.100", "0.500", "+0.400", "×5.00"] in columns
    assert ["kuhn_poker/exploitability", "(lower", "is", "better)", "0.460", "0.200", "-0.260", "×0.43"] in columns
    assert f"The run is in {folder}" in lines
    assert any(line.startswith(f"  selfplay show {folder} ") for line in lines)


def test_alarms_stand_at_the_top_and_do_not_drown_among_other_events(tmp_path: Path) -> None:
    folder = made.run(tmp_path)
    folder.lock.acquire()
    with folder.writer() as writer:
        for count in range(30):
            writer.event(Event("resume", f"went on {count}"), 3)
        for count in range(6):
            writer.event(Event("alarm", f"alarm {count}"), 3)
    folder.release()
    data = summary(folder.path)
    assert [event["detail"] for event in data["alarms"]] == ["entropy fell", *[f"alarm {n}" for n in range(6)]]
    lines = [line.rstrip() for line in printed(render(data)).splitlines()]
    assert lines[1:6] == ["… 3 before", *[f"step 3  alarm: alarm {n}" for n in range(2, 6)]]
    assert lines[-9:] == ["  … 23 before", *[f"  step 3  resume: went on {n}" for n in range(22, 30)]]


def test_seeds_are_counted_apart_from_the_tasks_that_the_run_made(tmp_path: Path) -> None:
    seeds = tuple(dataclasses.replace(made.task(9, n), step=0) for n in range(3))
    folder = RunFolder.create(tmp_path, "a", '{"name": "a", "steps": 1}', {"seed": 1})
    with folder.writer() as writer:
        writer.commit(dataclasses.replace(made.record(1), tasks=seeds))
    folder.release()
    data = summary(folder.path)
    assert (data["tasks"], data["seeds"], data["funnel"]["total"]["admitted"]) == (2, 3, 2)
    assert "2 tasks made from 3 seeds" in printed(render(data))
    out = io.StringIO()
    print_ending(folder.path, file=out)
    assert "1 step, 2 tasks made from 3 seeds, 2 games played." in out.getvalue()


def test_nothing_is_said_of_what_the_run_does_not_do(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "a", '{"name": "a", "steps": 1}', {"seed": 1})
    with folder.writer() as writer:
        writer.commit(dataclasses.replace(made.record(1), proposals=(), tasks=(), attempts=(), learnability={}))
    folder.release()
    text = printed(render(summary(folder.path)))
    assert "2 games" in text and not any(word in text for word in ("proposals", "refused", "attempts", "tasks"))


def test_the_ending_offers_only_what_there_is_to_open(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "a", "{}", {})
    with folder.writer() as writer:
        writer.commit(dataclasses.replace(made.record(1), episodes=()))
    folder.release()
    out = io.StringIO()
    print_ending(folder.path, file=out)
    assert "selfplay tasks" in out.getvalue() and "replay" not in out.getvalue() and "games" not in out.getvalue()


def test_a_run_that_was_not_evaluated_says_so_at_its_end(tmp_path: Path) -> None:
    out = io.StringIO()
    print_ending(made.run(tmp_path, evaluated=False).path, file=out)
    assert "it was not evaluated" in out.getvalue()


def test_a_round_robin_with_gaps_is_shown_as_far_as_it_goes() -> None:
    measures = {"odd": 1.0, "a/b/elo/x": 3.0, "g/elo/last": None, "g/elo/random": 0.0, "g/payoff/last/random": 0.4}
    text = "\n".join(printed(part) for part in league.render(measures))
    assert "round robin, a/b" in text and "random" in text and "last" not in text


def test_fewer_secrets_in_names_are_better() -> None:
    assert better("solver/name_gap") == better("kuhn_poker/forfeit_rate") == "lower"
    assert better("kuhn_poker/not_lost_vs_random") == "higher"


def test_a_round_robin_of_ten_fits_eighty_columns() -> None:
    names = ["last", "random", *(f"step-{step:05d}" for step in range(20, 180, 20))]
    measures: dict[str, float | None] = {f"g/elo/{name}": 10.0 for name in names}
    measures |= {f"g/payoff/{a}/{b}": 0.25 for place, a in enumerate(names) for b in names[place + 1 :]}
    out = io.StringIO()
    for part in league.render(measures):
        console(out, width=80).print(part)
    assert all(name in out.getvalue() for name in names) and "…" not in out.getvalue()
    assert out.getvalue().count("0.25") == out.getvalue().count("0.75") == 45


def test_what_was_not_recorded_of_verification_is_not_called_zero(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path, "old", "{}", {})
    with run.writer() as writer:
        writer.commit(dataclasses.replace(made.record(1), metrics={"verify/seconds": 1.0}))
    run.release()
    out = io.StringIO()
    console(out).print(render(summary(run.path)))
    assert "verification" in out.getvalue() and "beside sampling" not in out.getvalue()
