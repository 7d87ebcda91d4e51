from __future__ import annotations

import dataclasses
from pathlib import Path

from selfplay.store.writer import Writer
from selfplay.views import runs
from tests.store import made
from tests.views.shown import printed


def test_seeds_are_not_counted_among_the_tasks_that_a_run_made(tmp_path: Path) -> None:
    folder = made.run(tmp_path, steps=0)
    with Writer(folder.database) as writer:
        seed = dataclasses.replace(made.task(1, 9), step=0)
        writer.commit(dataclasses.replace(made.record(1), tasks=(seed,)))
    assert [run["tasks"] for run in runs.runs(tmp_path)["runs"]] == [2]


def test_a_run_that_cannot_be_read_is_listed_and_hides_no_other(tmp_path: Path) -> None:
    made.run(tmp_path)
    (tmp_path / "broken-001").mkdir()
    (tmp_path / "broken-001" / "run.db").write_bytes(b"junk" * 1000)
    found = {run["run"]: run for run in runs.runs(tmp_path)["runs"]}
    assert found["made-001"]["state"] == "finished" and found["made-001"]["tasks"] == 6
    assert (
        found["broken-001"]["state"] == "unreadable" and "not a readable run database" in found["broken-001"]["problem"]
    )
    assert "made-001" in printed(runs.render(runs.runs(tmp_path)))
