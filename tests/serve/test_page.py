"""The page in a real browser, where there is one."""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from selfplay.records import Event, StepRecord
from selfplay.serve.server import Server
from selfplay.store.folder import RunFolder
from tests.store import made

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH to open the page with")

SCRIPT = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script></td></table>'
HOSTILE = SCRIPT + made.HOSTILE


def hostile_step() -> StepRecord:
    """A step in which every text that a model can write is hostile."""
    record = made.record(1)
    task = dataclasses.replace(
        made.task(1, 0), body={"program": HOSTILE, HOSTILE: HOSTILE}, gold=HOSTILE, themes=(HOSTILE,)
    )
    said = made.turn("player", "kuhn_poker/0", HOSTILE, HOSTILE)
    ply = dataclasses.replace(
        record.episodes[0].plies[0], observation=HOSTILE, legal=(HOSTILE,), action=HOSTILE, turn=said
    )
    game = dataclasses.replace(record.episodes[0], plies=(ply,), opponents=(HOSTILE, HOSTILE), game=HOSTILE)
    (answer, *_) = made.attempts(1, [made.task(1, 0)], [1])
    answer = dataclasses.replace(answer, answer=HOSTILE, turn=made.turn("solver", "a", "b", HOSTILE))
    return dataclasses.replace(
        record,
        proposals=tuple(dataclasses.replace(p, task=task) if p.index == 0 else p for p in record.proposals),
        tasks=(task,), attempts=(answer,), episodes=(game,), samples={},
        metrics={HOSTILE: 1.0, "solver/solve_rate": 0.5}, seconds={HOSTILE: 1.0},
        events=(Event(HOSTILE, HOSTILE),),
    )  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = RunFolder.create(tmp_path_factory.mktemp("runs"), "wild", '{"name": "wild", "steps": 1}', {"seed": 1})
    with folder.writer() as writer:
        writer.evaluation("before", 0, {HOSTILE: 0.1, "solver/solve_rate": 0.2}, seconds=1.0)
        writer.commit(hostile_step())
    folder.release()
    with Server(folder.path, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def opened(server: Server, where: str, profile: Path) -> str:
    """The document after its scripts ran."""
    command = [
        str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}",
        "--virtual-time-budget=1500", "--dump-dom", server.url + where,
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=True).stdout


@pytest.mark.parametrize(
    ("where", "fact"),
    [
        ("", "Held-out tasks and fixed opponents"),
        ("#/task/001000c0ffee", "Task 001000c0ffee"),
        ("#/game/1", "Ply 1, seat 0"),
        ("#/refused/any/0", "refused by determinism"),
    ],
)
def test_hostile_words_are_shown_as_text_and_nothing_of_them_runs(
    server: Server, where: str, fact: str, tmp_path: Path
) -> None:
    page = opened(server, where, tmp_path)
    assert fact in page and "<title>wild-001, step 1</title>" in page, "the page drew itself, and kept its title"
    assert "<img" not in page and page.count("<script") == 1 and "<b>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "\\x1b[31mred\\x1b[0m [bold red]loud[/]" in page and "\\u202ereversed" in page
    assert not set(page) & set("\x1b\x07\x9b\u202e")
