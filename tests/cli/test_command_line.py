from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from selfplay.cli import VERBS, main
from tests.store import made

ROOT = Path(__file__).resolve().parents[2]


def test_help_lists_every_verb_and_loads_nothing_heavy() -> None:
    code = (
        "import sys; from selfplay.cli import main; assert main(['--help']) == 0; "
        "heavy = {'torch', 'trl', 'vllm', 'numpy', 'pydantic', 'tyro', 'rich', 'sqlite3'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert listed == list(VERBS)


def test_reading_verbs_load_no_engine() -> None:
    verbs = ("show", "runs", "tasks", "task", "episodes", "replay", "compare", "export", "report", "games", "check")
    code = (
        f"import sys, importlib; [importlib.import_module('selfplay.cli.' + verb) for verb in {verbs}]; "
        "import selfplay.views.show, selfplay.views.live; "
        "heavy = {'torch', 'transformers', 'trl', 'vllm'} & set(sys.modules); assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_an_unknown_verb_gives_the_nearest_one_and_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shw"]) == 2
    assert capsys.readouterr().err == "selfplay has no verb 'shw'; did you mean `selfplay show`?\n"
    assert main(["zzzzzz"]) == 2
    assert "the verbs are run, resume, show" in capsys.readouterr().err


def test_no_verb_at_all_prints_the_usage_and_is_a_wrong_call(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().out.startswith("usage: selfplay VERB")


def test_an_unknown_option_gives_the_nearest_one_and_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "--ordr", "hardest"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err == "selfplay tasks: it knows no '--ordr'; did you mean --order?\n"
    assert main(["tasks", "--order", "best"]) == 2
    assert main(["tasks", "--limit", "-3"]) == 2
    assert main(["replay", "one", "two"]) == 2


def test_the_help_of_a_verb_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "--help"]) == 0
    assert "--json" in capsys.readouterr().out


def test_what_a_person_can_mend_is_one_sentence_and_the_status_tells_a_wrong_call_from_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SELFPLAY_RUNS", str(tmp_path))
    made.run(tmp_path)
    (tmp_path / "foreign").mkdir()
    for call, status, words in (
        (["show", "mode-001"], 2, "did you mean made-001?"),
        (["show", "foreign"], 1, "is not a run: there is no run.db in it"),
        (["task", "zzz"], 2, "No task of this run has the id 'zzz'"),
        (["replay", "99"], 2, "Episode 99 is not in this run; it has episodes 1 to 6."),
        (["check", "kuhn_pokr"], 2, "did you mean `kuhn_poker`?"),
        (["run", "scratchh"], 2, "Did you mean 'scratch'?"),
        (["run", "scratch", "--stepz", "3"], 2, "did you mean 'steps'?"),
        (["run", "scratch", "--steps", "some"], 2, "the value of 'steps' does not fit"),
    ):
        assert main(call) == status
        out, err = capsys.readouterr()
        assert out == "" and words in err and err.count("\n") == 1
        assert err.startswith(f"selfplay {call[0]}: ")


def test_without_any_run_the_sentence_says_how_to_start_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SELFPLAY_RUNS", raising=False)
    assert main(["show"]) == 1
    assert "There are no runs under runs yet; start one with `selfplay run quickstart`" in capsys.readouterr().err
    assert main(["runs"]) == 0


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    folder = made.run(tmp_path)
    tasks = f"{sys.executable} -m selfplay.cli tasks {folder.path} --json --limit 1000"
    command = ["bash", "-c", f"{tasks} | head -c 10; exit ${{PIPESTATUS[0]}}"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == '{"total": ' and done.stderr == "" and done.returncode == 0


def test_an_interrupted_run_ends_with_130_and_the_sentence_how_to_go_on() -> None:
    code = """
import signal, sys, time, types
import selfplay.cli
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start with SIGINT ignored
def slow(argv):
    print("started", flush=True)
    time.sleep(60)
sys.modules["selfplay.cli.run"] = types.SimpleNamespace(main=slow)
sys.exit(selfplay.cli.main(["run", "x"]))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert (
        err == "selfplay run: interrupted. `selfplay resume` goes on with the newest run, from its last checkpoint.\n"
    )
