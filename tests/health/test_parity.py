from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from selfplay.errors import UserError
from selfplay.health import parity
from selfplay.health.parity import Parity
from selfplay.policy.engine import Engine
from selfplay.records import Sampling
from selfplay.training.trainer import Trainer
from tests.training import made

pytestmark = pytest.mark.model

PROMPTS = [tuple(text.encode()) for text in ("Move:", "Your card: K\nMove:", "Your card: Q\nSo far: bet\nMove:")]


def measured(engine: Engine, trainer: Trainer) -> Parity:
    return asyncio.run(parity.measure(engine, trainer, PROMPTS, Sampling(8)))


def test_sampler_and_trainer_agree_after_a_publish_and_only_then(model: Path, tmp_path: Path, engine: Engine) -> None:
    trainer = made.trainer(model, tmp_path, learning_rate=0.05)
    before = measured(engine, trainer)
    assert before.max < 1e-4 and 12 < before.tokens <= 24
    for _ in range(3):
        trainer.step(made.samples())
    stale = measured(engine, trainer)
    assert stale.mean > 0.25
    with pytest.raises(UserError, match="does not hold the weights that were published"):
        parity.require(stale, 0.25, 1.5)
    engine.publish(trainer.weights())
    fresh = measured(engine, trainer)
    assert fresh.max < 1e-3
    parity.require(fresh, 0.25, 1.5)


def test_either_limit_stops_a_run_with_one_sentence_that_holds_the_figures() -> None:
    parity.require(Parity(0.25, 1.5, 8), 0.25, 1.5)
    for found in (Parity(0.31, 0.9, 8), Parity(0.01, 7.13, 8)):
        with pytest.raises(UserError) as caught:
            parity.require(found, 0.25, 1.5)
        sentence = str(caught.value)
        assert f"{found.mean:.2f}" in sentence and f"{found.max:.2f}" in sentence and "\n" not in sentence
        assert "training was stopped" in sentence
