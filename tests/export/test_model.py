from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from selfplay.errors import UserError
from selfplay.export.folder import export
from selfplay.store.folder import RunFolder
from selfplay.training import checkpoint
from selfplay.training.trainer import Trainer
from tests.export import made as runs
from tests.training import made

pytestmark = pytest.mark.model


@pytest.fixture
def trainer(model: Path, tmp_path: Path) -> Trainer:
    trainer = made.trainer(model, tmp_path / "trainer")
    trainer.step(made.samples())
    return trainer


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return runs.run(tmp_path)


def test_plain_transformers_loads_the_exported_model_and_it_thinks_as_the_trainer_s(
    run: RunFolder, trainer: Trainer, tmp_path: Path
) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    checkpoint.save(run.checkpoints, 3, trainer, {})
    about = export(run.path, tmp_path / "out", ["model"])
    assert about["model"]["step"] == 3 and about["tables"] == {}
    folder = tmp_path / "out" / "model"
    assert {"config.json", "generation_config.json", "model.safetensors", "tokenizer.json"} <= set(
        about["model"]["files"]
    )
    network, tokenizer = AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    ids = tokenizer("Your card: K\nMove:", return_tensors="pt").input_ids
    assert tokenizer.decode(ids[0]) == "Your card: K\nMove:"
    with torch.no_grad():
        logits, known = network(ids).logits, trainer.model(ids).logits
    assert torch.equal(logits, known) and float(logits.std()) > 0
    written = network.generate(ids, max_new_tokens=4, do_sample=False)
    assert written.shape[1] > ids.shape[1]


def test_the_exported_model_is_a_copy_that_may_be_written_to(run: RunFolder, trainer: Trainer, tmp_path: Path) -> None:
    checkpoint.save(run.checkpoints, 3, trainer, {})
    export(run.path, tmp_path / "out", ["model"])
    kept = run.checkpoints / "step-00003" / "policy" / "model.safetensors"
    before = kept.read_bytes()
    (tmp_path / "out" / "model" / "model.safetensors").write_bytes(b"spoilt")
    assert kept.read_bytes() == before


def test_a_checkpoint_of_a_step_that_is_not_finished_is_not_exported_and_not_removed(
    run: RunFolder, trainer: Trainer, tmp_path: Path
) -> None:
    for step in (1, 2, 4):
        checkpoint.save(run.checkpoints, step, trainer, {})
    assert export(run.path, tmp_path / "newest", ["model"])["model"]["step"] == 2
    assert export(run.path, tmp_path / "first", ["model"], step=1)["model"]["step"] == 1
    with pytest.raises(UserError, match="keeps no checkpoint of step 4; it has: 1, 2 "):
        export(run.path, tmp_path / "fourth", ["model"], step=4)
    assert (run.checkpoints / "step-00004").is_dir()


def test_the_card_names_the_step_of_the_model(run: RunFolder, trainer: Trainer, tmp_path: Path) -> None:
    checkpoint.save(run.checkpoints, 2, trainer, {})
    export(run.path, tmp_path / "out", ["model", "metrics"])
    card = (tmp_path / "out" / "README.md").read_text()
    assert "as of step 3 of 3" in card and "`model/`: the policy after step 2" in card
    assert json.loads((tmp_path / "out" / "config.json").read_text())["seed"] == 7
