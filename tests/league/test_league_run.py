"""The league inside a run: what a frozen self plays is stored and not trained on, and a resumed run meets the same
rivals."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from selfplay.cli import main
from selfplay.store.reader import Reader
from tests.test_run import told, weights

pytestmark = pytest.mark.model

KEYS = {
    "sampler.engine": "transformers", "deterministic": "true", "games.episodes": 16, "evaluation.games": 2,
    "evaluation.exploitability": "[]", "league.share": 0.5, "league.every": 1, "league.draw": "uniform",
    "training.schedule": "constant",
}  # fmt: skip
CALL = ["run", "scratch", *(word for key, value in KEYS.items() for word in (f"--{key}", str(value)))]


def test_a_run_with_a_league_stores_its_rivals_and_resumes_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SELFPLAY_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("SELFPLAY_CACHE", str(tmp_path / "cache"))
    assert main([*CALL, "--steps", "4", "--name", "whole"]) == 0
    assert main([*CALL, "--steps", "2", "--name", "halves"]) == 0
    whole, halves = tmp_path / "runs" / "whole-001", tmp_path / "runs" / "halves-001"
    with Reader(whole) as reader:
        met = [episode for episode in reader.episodes(limit=99) if set(episode["opponents"]) != {"policy"}]
        assert met and {episode["step"] for episode in met} <= {2, 3, 4}
        for episode in met[:6]:
            rival = next(seat for seat, name in enumerate(episode["opponents"]) if name != "policy")
            plies = reader.episode(episode["id"])["plies"]
            assert all((ply["turn"] is None) == (ply["seat"] == rival) for ply in plies)
        assert {step for step, _ in reader.metrics(["league/score"])["league/score"]} <= {2, 3, 4}
    config = json.loads((halves / "config.json").read_text())
    (halves / "config.json").write_text(json.dumps(config | {"steps": 4}))
    with Reader(halves) as reader:
        assert reader.last_step() == 2
    with sqlite3.connect(halves / "run.db") as database:  # as if it had been stopped before its last evaluation
        database.execute("DELETE FROM evaluations WHERE label = 'after'")
        database.execute("DELETE FROM evaluation_seconds WHERE label = 'after'")
    database.close()
    assert main(["resume", str(halves)]) == 0
    assert weights(halves, 4) == weights(whole, 4)
    assert told(halves)["turns"] == told(whole)["turns"]
