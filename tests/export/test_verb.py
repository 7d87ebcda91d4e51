from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from selfplay.cli import main
from selfplay.export.folder import DATA
from selfplay.store.folder import RunFolder
from tests.export import made as runs


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return runs.run(tmp_path).path


def as_json(capsys: pytest.CaptureFixture[str], *call: str) -> dict[str, Any]:
    assert main(["export", *call, "--json"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1 and out.isascii()
    return json.loads(out)


def test_the_data_goes_into_the_run_s_folder_unless_told_otherwise(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SELFPLAY_RUNS", str(tmp_path))
    told = as_json(capsys)
    assert told["path"] == str(run / "export") and set(told["tables"]) == set(DATA) and told["model"] is None
    for name, table in told["tables"].items():
        assert (run / "export" / f"{name}.parquet").stat().st_size == table["bytes"]
    told = as_json(capsys, "made-001", "--what", "sft,tasks", "--to", str(tmp_path / "out"), "--max-pairs", "1")
    assert set(told["tables"]) == {"sft", "tasks"} and told["most"] == 1


def test_a_person_is_told_what_was_written_and_what_was_not(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(run)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"made-001 as of step 3, in {run / 'export'} (") and "proposals" in out
    assert main(["export", str(run)]) == 1
    assert "exists already; `--force` replaces it" in capsys.readouterr().err
    assert main(["export", str(run), "--force", "--turns", "legal"]) == 0


def test_a_name_that_a_run_cannot_export_is_a_wrong_call_with_the_nearest_one(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(run), "--what", "tasks,preference"]) == 2
    assert "a run has no 'preference' to export; did you mean preferences?" in capsys.readouterr().err
    assert main(["export", str(run), "--max-pairs", "0"]) == 2
    assert not (run / "export").exists()


def test_a_run_with_a_round_robin_is_exported_and_its_card_says_where_that_is(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = RunFolder.open(run, write=True)
    with folder.writer() as writer:
        writer.evaluation("league", 3, {"tic_tac_toe/elo/last": 12.0}, seconds=1.0)
    folder.release()
    as_json(capsys, str(run), "--what", "evaluations")
    card = (run / "export" / "README.md").read_text()
    assert "| measure | before | after |" in card and "label `league`" in card and "elo" not in card
