"""Every reading verb on what is no run, or no whole one: one sentence, status 1, and nothing on stdout."""

from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from selfplay.cli import main
from tests.store import made

READING = (
    ["show"],
    ["tasks"],
    ["tasks", "--refused", "any"],
    ["task", "001000"],
    ["episodes"],
    ["replay"],
    ["compare"],
    ["report"],
    ["export"],
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made.run(tmp_path_factory.mktemp("whole"), steps=8).path


def call(verb: list[str], run: Path) -> list[str]:
    words = [*verb, str(run), str(run)] if verb == ["compare"] else [*verb, str(run)]
    return [*words, "1"] if verb == ["replay"] else words


def spoil(what: str, run: Path) -> None:
    database = run / "run.db"
    content = database.read_bytes()
    if what == "no folder":
        shutil.rmtree(run)
    elif what == "empty folder":
        for file in run.iterdir():
            shutil.rmtree(file) if file.is_dir() else file.unlink()
    elif what == "junk":
        database.write_bytes(b"junk" * 5000)
    elif what == "empty file":
        database.write_bytes(b"")
    elif what == "cut short":
        database.write_bytes(content[: len(content) // 2])
    elif what == "overwritten inside":
        database.write_bytes(content[:4096] + b"\xa5" * (len(content) - 8192) + content[-4096:])
    elif what == "another database":
        database.unlink()
        with sqlite3.connect(database) as db:
            db.execute("CREATE TABLE t (x)")
        db.close()
    elif what == "a later schema":
        with sqlite3.connect(database) as db:
            db.execute("PRAGMA user_version = 99")
        db.close()
    elif what == "a table missing":
        with sqlite3.connect(database) as db:
            for table in ("metrics", "tasks", "plies", "proposals", "episodes"):
                db.execute(f"DROP TABLE {table}")
        db.close()
    elif what == "json that is none":
        with sqlite3.connect(database) as db:
            db.execute("UPDATE steps SET digest = '{'")
            db.execute("UPDATE tasks SET body = 'x'")
            db.execute("UPDATE episodes SET returns = 'x'")
            db.execute("UPDATE turns SET ids = x'010203'")
        db.close()


KINDS = (
    "no folder", "empty folder", "junk", "empty file", "cut short", "overwritten inside", "another database",
    "a later schema", "a table missing", "json that is none",
)  # fmt: skip


@pytest.mark.parametrize("verb", READING, ids=" ".join)
@pytest.mark.parametrize("what", KINDS)
def test_what_is_no_whole_run_gives_one_sentence(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str, verb: list[str]
) -> None:
    run = Path(shutil.copytree(whole, tmp_path / "run"))
    spoil(what, run)
    for more in ([], ["--json"]):
        assert main([*call(verb, run), *more]) == (2 if what == "no folder" else 1)
        out, err = capsys.readouterr()
        assert out == "" and err.startswith(f"selfplay {verb[0]}: ") and err.count("\n") == 1 and len(err) < 400


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_run_is_shown_or_refused_in_one_sentence_and_never_ends_in_a_traceback(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    rng = random.Random(seed)
    run = Path(shutil.copytree(whole, tmp_path / "run"))
    content = bytearray((run / "run.db").read_bytes())
    for _ in range(rng.choice((1, 30, 1000))):
        content[rng.randrange(100, len(content))] = rng.randrange(256)
    (run / "run.db").write_bytes(content)
    for verb in READING:
        status = main(call(verb, run))
        out, err = capsys.readouterr()
        assert (status, err) == (0, "") or (status == 1 and out == "" and err.count("\n") == 1)


@pytest.mark.parametrize("file", ["config.json", "meta.json"])
def test_a_file_beside_the_database_that_cannot_be_read_is_named(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str
) -> None:
    run = Path(shutil.copytree(whole, tmp_path / "run"))
    (run / file).write_text("{")
    assert main(["show", str(run)]) == 1
    assert f"{file} cannot be read" in capsys.readouterr().err


def test_a_foreign_meta_json_and_steering_keys_of_a_recipe_end_no_verb_in_a_traceback(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Path(shutil.copytree(whole, tmp_path / "run"))
    (run / "meta.json").write_text('{"machine": [1], "started": "yesterday"}')
    for verb in (["show"], ["report"], ["export"], ["compare"]):
        assert main(call(verb, run)) == 0
    (run / "config.json").write_text('{"\\u001b[31mkey": 1}')
    capsys.readouterr()
    assert main(["export", str(run), "--force"]) == 2
    assert "\\x1b[31mkey" in (err := capsys.readouterr().err) and "\x1b" not in err


def test_nobody_solves_the_tasks_of_what_is_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "tasks", str(tmp_path)]) == 1
    assert "is not a run: there is no run.db in it" in capsys.readouterr().err


def test_a_report_needs_a_name(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(whole), "--out", ""]) == 1
    assert "The report cannot be written" in capsys.readouterr().err
