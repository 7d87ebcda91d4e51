"""A person against a model of random numbers, out of a run's checkpoint and out of a folder."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from selfplay.cli import main
from selfplay.store.folder import RunFolder

pytestmark = pytest.mark.model


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    def call(lines: str, *argv: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        status = main(["play", *argv])
        return (status, *capfd.readouterr())

    return call


def test_a_run_s_newest_checkpoint_sits_across_and_plays_as_its_recipe_says(
    typed: Any, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SELFPLAY_RUNS", str(tmp_path))
    recipe = {
        "name": "small",
        "sampler": {"dtype": "float32", "max_len": 512},
        "games": {"answer": "label", "show_rules": False, "max_tokens": 1, "retries": 1000},
    }
    folder = RunFolder.create(tmp_path, "small", json.dumps(recipe), {"seed": 1})
    folder.release()
    shutil.copytree(model, folder.checkpoints / "step-00003" / "policy")
    call = ("kuhn_poker", "--against", "small-001", "--seat", "1", "--seed", "2")
    first, again = (json.loads(typed("check\ncall\nfold\n", *call, "--json")[1]) for _ in range(2))
    assert first == again, "the same seed, the same game"
    assert first["seats"] == ["small-001 at step 3", "you"] and first["end"] == "finished"
    assert [move["seat"] for move in first["moves"] if move["action"] is not None][:2] == [0, 1]


def test_a_model_that_writes_no_legal_move_forfeits_and_its_words_are_shown(typed: Any, model: Path) -> None:
    status, out, err = typed("5\n", "tic_tac_toe", "--against", str(model), "--seed", "1")
    assert (status, err) == (0, "")
    assert "The model wrote '" in out and "names no legal move: it forfeits." in out
    assert "You won: X (you) 0" in out or "You won: X (you) 1" in out
