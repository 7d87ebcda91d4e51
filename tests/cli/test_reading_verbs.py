from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from selfplay.cli import main
from selfplay.views.show import summary
from tests.store import made


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    made.run(root, steps=3, name="older")
    made.run(root, steps=4, name="made")
    return root


@pytest.fixture(autouse=True)
def here(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SELFPLAY_RUNS", str(root))


def as_json(capsys: pytest.CaptureFixture[str], *call: str, status: int = 0) -> dict[str, Any]:
    """The object a verb prints under --json; nothing else may be on stdout."""
    assert main([*call, "--json"]) == status
    out = capsys.readouterr().out
    assert out.count("\n") == 1 and out.isascii()
    return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_show_prints_the_summary_of_the_run(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = as_json(capsys, "show", "made-001")
    assert data == json.loads(json.dumps(summary(root / "made-001")))
    assert data["evaluation"] == {"before": made.BEFORE, "after": made.AFTER}
    assert main(["show", str(root / "made-001")]) == 0
    assert "made-001: finished, step 4 of 4" in capsys.readouterr().out


def test_a_run_may_be_named_by_name_folder_or_file_and_is_the_newest_otherwise(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("older-001", str(root / "older-001"), str(root / "older-001" / "run.db")):
        assert as_json(capsys, "show", name)["run"] == "older-001"
    assert as_json(capsys, "show")["run"] == as_json(capsys, "runs")["runs"][0]["run"]


def test_runs_lists_what_there_is(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = as_json(capsys, "runs")
    assert {run["run"]: run["step"] for run in data["runs"]} == {"made-001": 4, "older-001": 3}
    assert main(["runs"]) == 0
    assert "4/4" in capsys.readouterr().out


def test_tasks_pages_orders_and_filters(capsys: pytest.CaptureFixture[str]) -> None:
    data = as_json(capsys, "tasks", "made-001", "--limit", "2", "--offset", "1", "--order", "oldest")
    assert data["total"] == 8 and [task["id"] for task in data["tasks"]] == ["001006c0ffee", "002000c0ffee"]
    assert as_json(capsys, "tasks", "made-001", "--family", "nosuch")["total"] == 0
    refused = as_json(capsys, "tasks", "made-001", "--refused", "determinism")
    assert refused["total"] == 4 and refused["proposals"][0]["turn"]["text"] == made.HOSTILE
    assert main(["tasks", "made-001", "--refused", "determinism"]) == 0
    out = capsys.readouterr().out
    assert "[bold red]loud[/]" in out and not set(out) & set("\x1b\x07\x9b\x00\r\u202e")


def test_task_shows_one(capsys: pytest.CaptureFixture[str]) -> None:
    data = as_json(capsys, "task", "002000", "made-001")
    assert data["id"] == "002000c0ffee" and len(data["tries"]) == 8
    assert main(["task", "002000", "made-001"]) == 0
    assert "truth: 0" in capsys.readouterr().out


def test_episodes_and_replay_agree(capsys: pytest.CaptureFixture[str]) -> None:
    listed = as_json(capsys, "episodes", "made-001", "--game", "kuhn_poker")["episodes"]
    for entry in listed:
        episode = as_json(capsys, "replay", "made-001", str(entry["id"]))
        assert len(episode["plies"]) == entry["plies"] and episode["returns"] == entry["returns"]
    assert as_json(capsys, "replay", "made-001")["id"] == listed[0]["id"]
    assert as_json(capsys, "replay", "3")["id"] == 3
    assert main(["replay", "made-001", "1"]) == 0
    assert "plays bet" in capsys.readouterr().out


def test_games_are_listed_with_what_they_declare(capsys: pytest.CaptureFixture[str]) -> None:
    found = {game["name"]: game for game in as_json(capsys, "games")["games"]}
    assert found["kuhn_poker"]["exact"] and found["kuhn_poker"]["zero_sum"]
    assert found["tic_tac_toe"]["perfect_information"]
    assert main(["games"]) == 0
    assert "kuhn_poker" in capsys.readouterr().out


BROKEN = """
from games import Game


class Broken(Game):
    name = "broken"
    roles = ("a", "b")
    max_plies = 1

    def initial(self, rng):
        return 0

    def to_move(self, state):
        return 0 if state == 0 else None

    def observe(self, state, seat):
        return str(state)

    def legal(self, state):
        return ["go"]

    def step(self, state, action, rng):
        return 1

    def returns(self, state):
        return [1.0, 1.0]
"""


def test_check_tells_whether_a_game_keeps_the_laws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert as_json(capsys, "check", "kuhn_poker", "--playouts", "20")["holds"]
    file = tmp_path / "broken.py"
    file.write_text(BROKEN)
    data = as_json(capsys, "check", f"{file}:Broken", "--playouts", "20", status=1)
    assert not data["holds"] and "zero sum" in [violation["law"] for violation in data["violations"]]
    assert main(["check", f"{file}:Broken"]) == 1
    assert "zero sum: " in capsys.readouterr().out


def test_doctor_says_what_the_machine_has_and_whether_something_is_in_the_way(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status = main(["doctor", "--json"])
    data = json.loads(capsys.readouterr().out)
    assert data["cores"] >= 1 and status == (1 if data["lacks"] else 0)
    assert main(["doctor"]) == status
    out = capsys.readouterr().out
    assert all(
        sentence in out.replace("\n", " ") for sentence in data["lacks"] or ["Nothing stands in the way of a run."]
    )


def test_filters_of_tasks_combine_and_the_twin_names_them(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["tasks", "made-001", "--family", "deduction", "--step", "2..3", "--solved", "0..0.25", "--active"]
    data = as_json(capsys, *call, "--order", "oldest")
    assert data["only"] == {"family": "deduction", "step": [2, 3], "solved": [0, 0.25], "active": True}
    assert [task["id"] for task in data["tasks"]] == [f"00{step}00{i}c0ffee" for step in (2, 3) for i in (0, 6)]
    assert as_json(capsys, "tasks", "made-001", "--from", "003000")["total"] == 2
    assert as_json(capsys, "tasks", "made-001", "--evicted")["total"] == 0
    assert as_json(capsys, "tasks", "made-001", "--step", "3..")["total"] == 4
    assert as_json(capsys, "tasks", "made-001", "--learnable", "..0.25")["total"] == 3
    assert main(["tasks", "made-001", "--step", "3..", "--solved", "..0.5"]) == 0
    assert "1 to 4 of 4 tasks, newest first, step from 3, solve rate 0 to 0.500" in capsys.readouterr().out


def test_pages_are_asked_for_by_number_or_by_offset(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("tasks", "episodes"):
        paged = as_json(capsys, verb, "made-001", "--limit", "3", "--page", "2")
        assert paged == as_json(capsys, verb, "made-001", "--limit", "3", "--offset", "3")
        assert (paged["page"], paged["pages"], paged["total"]) == (2, 3, 8)
        assert main([verb, "made-001", "--page", "2", "--offset", "3"]) == 2
        assert main([verb, "made-001", "--page", "0"]) == 2
        assert capsys.readouterr().err.count("\n") == 2
        assert main([verb, "made-001", "--page", "99999999999999999999"]) == 0
        assert "Nothing is left there: the run has 8" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--solved", "0.8..0.2", "the range '0.8..0.2' is empty: its first end is the greater one"),
        ("--solved", ".2..5", "a rate lies between 0 and 1, and '.2..5' does not"),
        ("--solved", "half", "'half' is neither a rate nor a range; write 0.25..0.75"),
        ("--solved", "nan", "'nan' is neither a rate nor a range"),
        ("--learnable", "1..2..3", "'1..2..3' is neither a number nor a range; write 0.1..0.5"),
        ("--learnable", "..", "'..' is neither a number nor a range"),
        ("--step", "-3", "'-3' is neither a step nor a range; write 5 or 5..20"),
        ("--step", "1.5", "'1.5' is neither a step nor a range; write 5 or 5..20"),
        ("--limit", "many", "'many' is no count: write a whole number, 0 or more"),
    ],
)
def test_a_bad_range_gets_one_sentence_and_status_2(
    capsys: pytest.CaptureFixture[str], option: str, value: str, words: str
) -> None:
    assert main(["tasks", "made-001", option, value]) == 2
    out, err = capsys.readouterr()
    assert out == "" and words in err and err.count("\n") == 1


def test_what_only_a_task_has_does_not_filter_refused_proposals(capsys: pytest.CaptureFixture[str]) -> None:
    assert as_json(capsys, "tasks", "made-001", "--refused", "any", "--step", "2")["total"] == 6
    for more in (["--solved", "0..1"], ["--theme", "x"], ["--from", "003"], ["--evicted"], ["--order", "oldest"]):
        assert main(["tasks", "made-001", "--refused", "any", *more]) == 2
        assert f"goes with --family and --step, not with {more[0]}." in capsys.readouterr().err


def test_episodes_filter_by_ending_seat_and_steps(capsys: pytest.CaptureFixture[str]) -> None:
    data = as_json(capsys, "episodes", "made-001", "--end", "invalid", "--won", "1", "--step", "2..3")
    assert data["total"] == 2 and [e["step"] for e in data["episodes"]] == [3, 2]
    assert main(["episodes", "made-001", "--end", "never"]) == 2
    assert main(["episodes", "made-001", "--won", "first"]) == 2


def test_ids_that_are_not_there_are_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    for call, words in (
        (["task", "0035", "made-001"], "the nearest are 003006c0ffee and 004000c0ffee."),
        (["task", "00", "made-001"], "001006c0ffee, 002000c0ffee, 002006c0ffee, 003000c0ffee and others"),
        (["tasks", "made-001", "--from", "zzz"], "the nearest is 004006c0ffee."),
        (["replay", "made-001", "9"], "it has episodes 1 to 8."),
        (["show", "made"], "did you mean made-001?"),
        (["compare", "made-001", "oldr-001"], "did you mean older-001"),
    ):
        assert main(call) == 2
        out, err = capsys.readouterr()
        assert out == "" and words in err and err.count("\n") == 1


def test_compare_puts_two_runs_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    data = as_json(capsys, "compare", "older-001", "made-001")
    assert (data["a"]["step"], data["b"]["step"]) == (3, 4)
    assert data["settings"] == [{"key": "steps", "a": 3, "b": 4}]
    assert "They are not equally far: 3 and 4 steps." in data["unlike"]
    assert main(["compare", "older-001", "made-001"]) == 0
    assert "measure" in capsys.readouterr().out
    assert main(["compare", "older-001"]) == 2


def test_numbers_too_large_for_a_database_are_just_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    huge = "9" * 30
    assert as_json(capsys, "episodes", "made-001", "--won", huge)["total"] == 0
    assert as_json(capsys, "episodes", "made-001", "--limit", huge)["total"] == 8
    assert as_json(capsys, "tasks", "made-001", "--step", f"{huge}..")["total"] == 0
    assert as_json(capsys, "tasks", "made-001", "--learnable", "..1e999")["total"] == 8
    assert main(["replay", "made-001", huge]) == 2
    assert "it has episodes 1 to 8." in capsys.readouterr().err
