from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
import torch

from selfplay.errors import UserError
from selfplay.export.folder import export
from selfplay.store.folder import RunFolder
from selfplay.training import checkpoint
from selfplay.training.trainer import Trainer
from tests.export import made as runs
from tests.store import made as stored
from tests.training import made
from tests.training.test_checkpoint import files_of_at_most

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
    held = network.state_dict()
    assert all(torch.equal(held[name], weight) for name, weight in made.weights(trainer).items())
    assert torch.allclose(logits, known, atol=1e-5) and float(logits.std()) > 0.01
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


def test_a_model_is_whole_though_the_run_replaces_its_checkpoints_meanwhile(trainer: Trainer, tmp_path: Path) -> None:
    run = runs.run(tmp_path, *(stored.record(step, proposals=0) for step in range(1, 81)))
    checkpoint.save(run.checkpoints, 1, trainer, {})
    files, done = set(export(run.path, tmp_path / "first", ["model"])["model"]["files"]), threading.Event()

    def replace() -> None:
        for step in range(2, 81):
            checkpoint.save(run.checkpoints, step, trainer, {})
            checkpoint.forget_older(run.checkpoints, step)
        done.set()

    thread = threading.Thread(target=replace)
    thread.start()
    seen = []
    try:
        while not done.is_set():
            about = export(run.path, tmp_path / "out", ["model"], force=True)["model"]
            assert set(about["files"]) == files
            seen.append(about["step"])
    finally:
        thread.join()
    assert seen == sorted(seen) and len(set(seen)) > 1


def test_a_model_that_does_not_fit_is_one_sentence_and_leaves_nothing(
    run: RunFolder, trainer: Trainer, tmp_path: Path
) -> None:
    checkpoint.save(run.checkpoints, 3, trainer, {})
    with files_of_at_most(200_000), pytest.raises(UserError, match="could not be written to .*File too large"):
        export(run.path, tmp_path / "out", ["model"])
    assert not (tmp_path / "out").exists() and not list(tmp_path.glob(".out-*"))


def test_the_card_names_the_step_of_the_model(run: RunFolder, trainer: Trainer, tmp_path: Path) -> None:
    checkpoint.save(run.checkpoints, 2, trainer, {})
    export(run.path, tmp_path / "out", ["model", "metrics"])
    card = (tmp_path / "out" / "README.md").read_text()
    assert "as of step 3 of 3" in card and "`model/`: the policy after step 2" in card
    assert json.loads((tmp_path / "out" / "config.json").read_text())["seed"] == 7
