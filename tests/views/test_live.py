from __future__ import annotations

import dataclasses
import io
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from selfplay.records import Episode
from selfplay.views.live import Live
from selfplay.views.text import console
from tests.store import made

ROOT = Path(__file__).resolve().parents[2]

ON_A_TERMINAL = """
import dataclasses, sys, time
from selfplay.views.live import Live
from tests.store import made
with Live(2, "made \\x1b[31mrun") as live:
    assert not live.plain
    for step in (1, 2):
        live.phase("solve")
        live.progress("12 of 40 \\x1b[2J")
        time.sleep(0.4)
        live.step(made.record(step))
    live.note("a note")
"""


ON_A_HELD_TERMINAL = """
import sys
from selfplay.views.live import Live
from tests.store import made
said = sys.stderr
with Live(200, "made run") as live:
    for step in range(1, 201):
        live.step(made.record(step))
    said.write("all steps done\\n")
    said.flush()
"""


def plain(*records, **more) -> str:  # noqa: ANN002, ANN003
    out = io.StringIO()
    with Live(3, "made run", file=out, **more) as live:
        live.phase("propose")
        live.progress("1 of 8")
        for record in records:
            live.step(record)
    return out.getvalue()


def test_without_a_terminal_each_step_is_one_line_with_all_its_facts() -> None:
    text = plain(made.record(1), made.record(2))
    assert "\x1b" not in text
    first, second = [line for line in text.splitlines() if line.startswith("step ")]
    assert first.startswith("step 1/3 | 8 proposed → 7 parsed → 4 valid → 3 new → 2 admitted | ")
    for fact in (
        "(0,.25]: 1",
        "2 games, 50% of 2 moves illegal",
        "refused: parse 1, safety 1",
        "train 3.0 s, publish 0.2 s",
    ):
        assert fact in first
    assert second.startswith("step 2/3")
    assert "last task: deduction 001006c0ff: program def f(n): return n * 1 + 6; input 6 → 12" in text
    assert "last game: kuhn_poker (policy, policy): illegal → -2, 2, invalid" in text
    assert "alarm: entropy fell" in text
    assert "2 of 3 steps" in text.splitlines()[-1]


def test_a_step_says_nothing_of_what_the_run_does_not_do() -> None:
    empty = dataclasses.replace(
        made.record(1), proposals=(), tasks=(), attempts=(), episodes=(), samples={}, metrics={}, seconds={}
    )
    shown = plain(empty)
    assert "step 1/3 | " in shown
    assert not any(word in shown for word in ("proposed", "refused", "games", "solve rate"))


def test_words_of_a_model_reach_the_log_as_text() -> None:
    record = made.record(1)
    hostile = dataclasses.replace(
        made.task(1, 0), body={"program": made.HOSTILE, "input": made.HOSTILE}, gold=made.HOSTILE
    )
    proposals = (dataclasses.replace(record.proposals[0], task=hostile),)
    wild = dataclasses.replace(record.episodes[0].plies[0], action=made.HOSTILE)
    episodes: tuple[Episode, ...] = (dataclasses.replace(record.episodes[0], plies=(wild,)),)
    text = plain(dataclasses.replace(record, proposals=proposals, episodes=episodes))
    assert not set(text) & set("\x1b\x07\x9b\x00\r\u202e")
    assert text.count("\\x1b[31mred\\x1b[0m [bold red]loud[/]") == 2


def test_a_view_that_fails_says_so_once_and_lets_the_run_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    closed = io.StringIO()
    closed.close()
    with Live(3, "made run", plain=True, file=closed) as live:
        live.phase("propose")
        live.step(made.record(1))
        live.step(None)  # type: ignore[arg-type]
        live.note("still here")
    assert capsys.readouterr().err.count("The live view failed and the run goes on") == 1


def test_an_error_of_the_run_itself_passes_through_the_view() -> None:
    with pytest.raises(ZeroDivisionError), Live(3, "made run", plain=True, file=io.StringIO()):
        _ = 1 / 0


def test_a_resumed_run_counts_from_where_it_was() -> None:
    assert "2 of 3 steps" in plain(started=2, curves={"loss": [(1, 0.5), (2, None)]})


def drained(master: int) -> str:
    """All that comes out of a terminal until its other side is closed."""
    shown = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(master)
    return shown.decode()


def test_on_a_terminal_the_panel_shows_the_facts_and_the_lines_stay() -> None:
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "140", "LINES": "50"}
    command = [sys.executable, "-c", ON_A_TERMINAL]
    process = subprocess.Popen(command, stdout=slave, stderr=subprocess.PIPE, cwd=ROOT, env=environment)
    os.close(slave)
    text = drained(master)
    assert process.communicate()[1] == b"" and process.returncode == 0
    words = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    for fact in (
        "solve for",
        "12 of 40 \\x1b[2J",
        "last task",
        "last game",
        "solver/solve_rate/mean",
        "step 2/2",
        "a note",
    ):
        assert fact in words
    assert words.count("step 1/2 | 8 proposed") == 1
    assert "made \\x1b[31mrun" in words
    assert "\x1b[2J" not in text


@pytest.mark.parametrize("held", ["terminal", "pipe"])
def test_a_run_waits_for_no_terminal_and_no_pager_and_every_line_comes_in_the_end(held: str) -> None:
    master, slave = pty.openpty() if held == "terminal" else os.pipe()
    command = [sys.executable, "-c", ON_A_HELD_TERMINAL]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "140", "LINES": "50"}
    process = subprocess.Popen(command, stdout=slave, stderr=subprocess.PIPE, cwd=ROOT, env=environment)
    os.close(slave)
    assert process.stderr is not None
    ready, _, _ = select.select([process.stderr], [], [], 120)
    if not ready:
        process.kill()
    assert ready and process.stderr.readline() == b"all steps done\n", "nobody has read a word of its output yet"
    text = drained(master)
    assert process.wait() == 0
    assert [int(step) for step in re.findall(r"step (\d+)/200 \|", text)] == list(range(1, 201))
    assert "200 of 200 steps" in text


def test_a_panel_of_eighty_columns_names_its_curves_whole_and_cuts_what_matters_least() -> None:
    record = made.record(2)
    metrics = {"proposer/abduction/valid_rate": 0.5, "solver/solve_rate/mean": 0.25}
    seconds = {"checkpoint": 0.1, "rollouts": 30.0, "train": 90.0, "publish": 0.2, "parity": 1.0}
    live = Live(5, "made run", file=io.StringIO())
    for _ in range(2):
        live.step(dataclasses.replace(record, metrics=metrics, seconds=seconds))
    out = io.StringIO()
    console(out, width=80).print(live)
    lines = out.getvalue().splitlines()
    assert all(len(line) == 80 for line in lines) and len(lines) < 24
    text = "\n".join(lines)
    for fact in (
        "proposer/abduction/valid_rate  ",
        "0.500 → 0.500",
        "8 proposed → 7 parsed → 4 valid → 3 new → 2 admitted",
        "about 6 min 04 s left",
        "step took    ",
        "▒ rollouts 30 s",
        "last task    deduction 002006c0ff: program def f(n):",
        "last game    kuhn_poker (policy, policy): illegal → -2, 2, invalid",
    ):
        assert fact in text, fact
    assert text.index("train 1 min 30 s") < text.index("rollouts 30 s") < text.index("parity 1.0 s")
    assert text.count("(0,.25]: 1") == 1 and "(.75,1): 0" not in text, "empty bins take no room"


def test_a_view_that_was_not_begun_or_is_over_still_prints_its_lines() -> None:
    out = io.StringIO()
    live = Live(3, "made run", file=out)
    live.note("before")
    with live:
        pass
    live.note("after")
    assert [line for line in out.getvalue().splitlines() if line in ("before", "after")] == ["before", "after"]
