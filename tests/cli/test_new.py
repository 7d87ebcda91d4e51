from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from selfplay.cli import main
from selfplay.cli.new import ROOT


def test_the_new_game_keeps_the_laws_and_its_test_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "game", "my_race", "--to", str(tmp_path / "mine"), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert Path(written["game"]) == tmp_path / "mine" / "my_race.py"
    assert len(Path(written["game"]).read_text().splitlines()) < 40
    assert main(["check", written["check"]]) == 0
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", written["test"]],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert tested.returncode == 0 and "2 passed" in tested.stdout, tested.stdout + tested.stderr


def test_without_a_folder_it_goes_where_its_name_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("selfplay.cli.new.ROOT", tmp_path)
    assert main(["new", "game", "my_race", "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert written["game"] == str(tmp_path / "games" / "my_race.py") and written["check"] == "my_race"
    assert written["test"] == str(tmp_path / "tests" / "games" / "test_my_race.py")
    assert 'find("my_race")' in Path(written["test"]).read_text()


def test_the_written_files_need_no_reformatting(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ruff", reason="ruff is not installed: pip install ruff")
    for name in ("game", "n" * 40):
        assert main(["new", "game", name, "--to", str(tmp_path)]) == 0
    for verb in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *verb, "--config", str(ROOT / "pyproject.toml"), str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "name", ["MyGame", "1st", "class", "a b", "a-b", "../up", "ünder", "", "_own", "n" * 41, "random"]
)
def test_a_bad_name_is_refused_in_one_sentence(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "game", name, "--to", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "cannot name a game" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("taken", ["my_race.py", "test_my_race.py"])
def test_nothing_is_overwritten(taken: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / taken).write_text("mine")
    assert main(["new", "game", "my_race", "--to", str(tmp_path)]) == 1
    assert "exists, and nothing was written" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [taken] and (tmp_path / taken).read_text() == "mine"


@pytest.mark.parametrize("name", ["kuhn_poker", "check", "laws", "game"])
def test_a_name_that_the_games_folder_uses_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "game", name]) == 1
    assert "nothing was written: choose another name" in capsys.readouterr().err


def test_a_game_of_that_name_under_another_file_is_refused_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("selfplay.cli.new.ROOT", tmp_path)
    assert main(["new", "game", "kuhn_poker"]) == 1
    assert "There is a game called `kuhn_poker` already" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_only_games_can_be_new(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "gmae", "my_race"]) == 2
    assert "invalid choice: 'gmae'" in capsys.readouterr().err
