"""What is exported is trained on, by the trainers of other people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from selfplay.export.folder import export
from selfplay.store.folder import RunFolder
from tests.export import made as runs

pytestmark = pytest.mark.model

SETTINGS: dict[str, Any] = {
    "max_steps": 2,
    "per_device_train_batch_size": 4,
    "max_length": 512,
    "use_cpu": True,
    "bf16": False,
    "report_to": "none",
    "save_strategy": "no",
    "logging_steps": 1,
    "disable_tqdm": True,
    "learning_rate": 1e-3,
    "gradient_checkpointing": False,
}


@pytest.fixture(params=["completion", "chat"])
def run_and_model(request: pytest.FixtureRequest, tmp_path: Path, model: Path) -> tuple[RunFolder, Path]:
    if request.param == "completion":
        return runs.run(tmp_path), model
    chatty = runs.chat_model(model, tmp_path / "chatty")
    return runs.chat_run(tmp_path, chatty), chatty


def load(run: RunFolder, name: str, tmp_path: Path) -> Any:
    from datasets import load_dataset

    export(run.path, tmp_path / "out", [name])
    return load_dataset(str(tmp_path / "out"), name, split="train", cache_dir=str(tmp_path / "cache"))


def losses(trainer: Any) -> list[float]:
    trainer.train()
    return [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]


def test_trl_finetunes_on_sft(run_and_model: tuple[RunFolder, Path], tmp_path: Path) -> None:
    from trl import SFTConfig, SFTTrainer

    run, model = run_and_model
    data = load(run, "sft", tmp_path)
    assert {row["role"] for row in data} == {"solver", "proposer", "player"}
    trainer = SFTTrainer(str(model), SFTConfig(str(tmp_path / "trained"), **SETTINGS), train_dataset=data)
    seen = trainer.train_dataset[0]
    said = data[0]["completion"] if isinstance(data[0]["completion"], str) else data[0]["completion"][0]["content"]
    learnt = [label for label in seen["labels"] if label != -100]
    decoded = trainer.processing_class.decode(learnt)
    assert decoded.startswith(said) and len(decoded) > len(said), "the answer and its end are learnt, and no prompt"
    found = losses(trainer)
    assert len(found) == 2 and all(0 < loss < 10 for loss in found)


def test_trl_prefers_by_preferences(run_and_model: tuple[RunFolder, Path], tmp_path: Path) -> None:
    from trl import DPOConfig, DPOTrainer

    run, model = run_and_model
    data = load(run, "preferences", tmp_path)
    assert {row["role"] for row in data} == {"solver", "proposer", "player"}
    trainer = DPOTrainer(str(model), args=DPOConfig(str(tmp_path / "trained"), **SETTINGS), train_dataset=data)
    first, second = losses(trainer)
    assert first == pytest.approx(0.693, abs=1e-3), "at first the model is its own reference"
    assert second < first


def test_a_run_in_chat_is_exported_as_conversations_and_cut_prompts_are_left_out_and_counted(
    tmp_path: Path, model: Path
) -> None:
    run = runs.chat_run(tmp_path, runs.chat_model(model, tmp_path / "chatty"))
    data = load(run, "sft", tmp_path)
    (player,) = [row for row in data if row["role"] == "player"]
    assert player["prompt"] == [{"role": "user", "content": "You hold the king."}]
    assert player["completion"] == [{"role": "assistant", "content": "[bet]"}]
    assert json.loads((tmp_path / "out" / "export.json").read_text())["cut"] == {"sft": 1}
    assert "Left out: 1 rows whose prompt had lost its beginning" in (tmp_path / "out" / "README.md").read_text()
