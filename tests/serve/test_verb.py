from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from selfplay.cli import main
from tests.store import made

ROOT = Path(__file__).resolve().parents[2]
VERB = """
import signal, sys
from selfplay.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start with SIGINT ignored
sys.exit(main())
"""


def test_the_verb_says_where_the_page_is_and_ends_cleanly_when_interrupted(tmp_path: Path) -> None:
    folder = made.run(tmp_path).path
    command = [sys.executable, "-c", VERB, "serve", str(folder), "--port", "0", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    ready = json.loads(process.stdout.readline())
    assert ready["run"] == "made-001" and ready["url"].startswith("http://127.0.0.1:")
    with urllib.request.urlopen(ready["url"] + "api/show") as answer:
        assert json.load(answer)["run"] == "made-001"
    process.send_signal(signal.SIGINT)
    assert process.communicate() == ("", "") and process.returncode == 0


def test_a_wrong_call_is_told_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", str(tmp_path / "nosuch")]) == 2
    assert "There is no run" in capsys.readouterr().err
    assert main(["serve", "--port", "70000"]) == 2
    assert "from 0 to 65535" in capsys.readouterr().err


def test_serving_loads_no_engine() -> None:
    code = (
        "import sys, selfplay.cli.serve, selfplay.serve.server; "
        "heavy = {'torch', 'transformers', 'trl', 'vllm', 'numpy'} & set(sys.modules); assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
