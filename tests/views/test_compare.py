from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from selfplay.store.folder import RunFolder
from selfplay.views.compare import compare
from selfplay.views.side_by_side import render
from tests.store import made
from tests.views.shown import STEERING, printed

CONFIG = {
    "name": "one",
    "steps": 3,
    "seed": 1,
    "training": {"loss": "dapo", "clip": [0.2, 0.28]},
    "evaluation": {"tasks": 8},
}
META = {"seed": 1, "machine": {"commit": "0123456789abcdef", "cpu": "x", "versions": {"torch": "2"}}}


def run(root: Path, steps: int = 3, after: float = 0.5, config: dict[str, Any] | None = None, meta: Any = None) -> Path:
    folder = RunFolder.create(root, "run", json.dumps(CONFIG | (config or {})), META | (meta or {}))
    with folder.writer() as writer:
        writer.evaluation("before", 0, {"a/rate": 0.1, "kuhn_poker/exploitability": 0.4}, seconds=1.0)
        for step in range(1, steps + 1):
            writer.commit(made.record(step))
        writer.evaluation("after", steps, {"a/rate": after, "a/rate/low": 0.0}, seconds=1.0)
    folder.release()
    return folder.path


def test_runs_that_differ_in_nothing_are_like_with_like(tmp_path: Path) -> None:
    found = compare(run(tmp_path), run(tmp_path))
    assert found["unlike"] == [] and found["settings"] == []
    assert all(row["difference"] in (0.0, None) for row in (*found["evaluation"], *found["curves"]))
    assert "Not like with like" not in printed(render(found))


def test_every_reason_why_it_is_not_like_with_like_is_said(tmp_path: Path) -> None:
    other = {"name": "two", "steps": 4, "evaluation": {"tasks": 9}}
    machine = {"commit": "fedcba9876543210+changes", "cpu": "y", "versions": {"torch": "2"}}
    found = compare(run(tmp_path), run(tmp_path, steps=2, config=other, meta={"seed": 2, "machine": machine}))
    assert found["unlike"] == [
        "The recipes differ: one and two.",
        "The seeds differ (1 and 2): a part of every difference is chance.",
        "The code differs: 0123456789 and fedcba9876 with changes.",
        "The machines or the installed packages differ.",
        "They are not equally far: 3 and 2 steps.",
        "B is not finished (stopped).",
        "The fixed evaluation is set differently, so its measures are not of the same thing.",
    ]
    text = printed(render(found))
    assert all(sentence in text for sentence in found["unlike"])


def test_a_run_beside_itself_and_code_that_was_never_committed_are_said(tmp_path: Path) -> None:
    path = run(tmp_path, meta={"machine": {}})
    assert compare(path, path)["unlike"] == [
        "Both are the same run.",
        "The code may differ: neither run was made from a committed state.",
    ]


def test_settings_are_told_by_the_keys_of_the_recipe_and_both_values(tmp_path: Path) -> None:
    found = compare(
        run(tmp_path), run(tmp_path, config={"training": {"loss": "grpo", "clip": [0.2, 0.28]}, "extra": None})
    )
    assert found["settings"] == [{"key": "training.loss", "a": "dapo", "b": "grpo"}]


def test_measures_stand_side_by_side_with_the_difference_of_the_ends(tmp_path: Path) -> None:
    rows = {row["key"]: row for row in compare(run(tmp_path), run(tmp_path, after=0.7))["evaluation"]}
    assert rows["a/rate"]["a"] == {"before": 0.1, "after": 0.5} and rows["a/rate"]["b"]["after"] == 0.7
    assert rows["a/rate"]["difference"] == pytest.approx(0.2) and rows["a/rate"]["better"] == "higher"
    missing = rows["kuhn_poker/exploitability"]
    assert missing["difference"] is None and missing["better"] == "lower" and missing["a"]["after"] is None


def test_curves_of_both_are_drawn_on_one_scale(tmp_path: Path) -> None:
    found = compare(run(tmp_path, steps=2), run(tmp_path, steps=8))
    row = next(row for row in found["curves"] if row["key"] == "proposer/reward/mean")
    assert (len(row["a"]), len(row["b"]), row["difference"]) == (2, 8, pytest.approx(0.6))
    line = next(line for line in printed(render(found)).splitlines() if line.startswith("proposer/reward/mean"))
    assert line.split()[1:] == ["▁▂", "0.200", "▁▂▃▄▅▆▇█", "0.800", "+0.600"]


def test_funnel_refusals_and_time_a_step_are_told_of_both(tmp_path: Path) -> None:
    found = compare(run(tmp_path), run(tmp_path, steps=2))
    assert found["funnel"]["proposed"] == {"a": 24, "b": 16} and found["refusals"]["parse"] == {"a": 3, "b": 2}
    assert list(found["refusals"]) == ["parse", "safety", "run", "determinism", "novelty", "curriculum"]
    assert found["seconds"]["train"] == {"a": 3.0, "b": 3.0}
    assert "refused, parse  " in printed(render(found)) and json.dumps(found)


def test_a_run_without_a_finished_step_can_be_compared(tmp_path: Path) -> None:
    empty = RunFolder.create(tmp_path, "run", "{}", {})
    empty.release()
    found = compare(run(tmp_path), empty.path)
    assert "B is not finished (stopped)." in found["unlike"] and "–" in printed(render(found))


def test_words_of_a_foreign_run_are_shown_as_text(tmp_path: Path) -> None:
    wild = {"name": made.HOSTILE, "x": {made.HOSTILE: made.HOSTILE}}
    text = printed(render(compare(run(tmp_path), run(tmp_path, config=wild, meta={"seed": made.HOSTILE}))))
    assert not set(text) & STEERING and text.count("[bold red]loud[/]") >= 3


def test_a_round_robin_is_no_side_of_the_comparison_and_changes_no_fixed_measure(tmp_path: Path) -> None:
    rated = run(tmp_path, config={"evaluation": {"tasks": 8, "round_robin": 40}})
    folder = RunFolder.open(rated, write=True)
    with folder.writer() as writer:
        writer.evaluation("league", 3, {"g/payoff/last/random": 0.5, "g/elo/last": 10.0}, seconds=1.0)
    folder.release()
    found = compare(run(tmp_path), rated)
    assert {row["key"] for row in found["evaluation"]} == {"a/rate", "a/rate/low", "kuhn_poker/exploitability"}
    assert found["unlike"] == [] and [row["key"] for row in found["settings"]] == ["evaluation.round_robin"]
