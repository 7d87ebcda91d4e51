from __future__ import annotations

import json
from pathlib import Path

import pytest

from selfplay.bench.synthetic.run import make
from selfplay.cli import main
from selfplay.store.folder import RunFolder
from selfplay.store.reader import Reader

SECONDS = (
    "show_s", "tasks_page_s", "task_s", "proposals_page_s", "episodes_page_s", "replay_s", "show_process_s",
    "tasks_process_s",
)  # fmt: skip


def test_the_bench_gives_every_figure_it_promises_on_a_run_as_large_as_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bench", "views", "--tasks", "1500", "--turns", "600", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    made = {"tasks", "turns", "made_s", "run_mb", "report_s", "report_mb"}
    assert set(figures) == {*made, "tasks_worst", "pages", "cpu", *SECONDS}
    assert set(figures["cpu"]) == set(SECONDS)
    assert (figures["tasks"], figures["turns"]) == (1500, 600)
    assert all(figures[name] > 0 for name in SECONDS) and figures["pages"] > 150


def test_a_bench_takes_no_option_that_its_measure_does_not_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "views", "--taks", "3"]) == 2
    assert "did you mean --tasks?" in capsys.readouterr().err
    assert main(["bench", "veiws"]) == 2
    assert main(["bench", "--help"]) == 0


def test_the_made_run_has_what_was_asked_and_its_counts_agree(tmp_path: Path) -> None:
    folder = make(tmp_path, tasks=30_000, turns=2_000, steps=20)
    with Reader(folder) as reader:
        assert reader.damage() is None
        assert reader.count_tasks() == reader.admitted() == 30_000 and reader.count_seeds() == 10
        assert 9_700 < reader.count_tasks(active=False) <= 10_000
        assert abs(reader._rows("SELECT count(*) FROM turns")[0][0] - 2_000) < 200
        assert reader._rows("SELECT sum(children) FROM tasks") == reader._rows("SELECT count(*) FROM lineage")
        wrong = """SELECT count(*) FROM tasks WHERE attempts <>
            (SELECT coalesce(sum(attempts), 0) FROM measures WHERE task = tasks.id)"""
        assert reader._rows(wrong) == [(0,)]
        assert [step["step"] for step in reader.steps()] == list(range(1, 21))
        assert set(reader.kinds_of_games()["end"]) == {"finished", "invalid"}
    assert RunFolder.open(folder).used_by() is None
