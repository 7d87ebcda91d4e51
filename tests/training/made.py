"""Samples of a model of characters, a trainer for it, and the gradient that reached its optimizer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch

from selfplay.config import SamplerConfig, TrainingConfig
from selfplay.records import Completion, Sample, Stop, Turn
from selfplay.training.trainer import Trainer

Gradient = dict[str, torch.Tensor]


def sample(
    prompt: str, words: str, advantage: float, logprobs: Sequence[float] | None = None, version: int = 0
) -> Sample:
    """The tokenizer of a scratch model numbers characters by their ASCII codes."""
    ids = tuple(words.encode())
    known = tuple(logprobs) if logprobs is not None else (-4.85,) * len(ids)
    completion = Completion(ids, known, words, Stop.STOP, version)
    return Sample(Turn("player", "g", prompt, tuple(prompt.encode()), completion), advantage, advantage)


def samples(seed: int = 0, count: int = 12) -> list[Sample]:
    """Questions that begin alike, some of them the same; answers of several lengths, some the beginning of others. The
    sampler's opinion is within half a nat of a random model's, so that some ratios are clipped."""
    rng = Random(seed)
    made = []
    for place in range(count):
        prompt = f"Your card: {rng.choice('JQK')}\nSo far: {rng.choice(['nothing', 'check', 'bet'])}\nMove:"
        words = rng.choice([" bet\n", " check\n", " bet it all\n", " b", " call\n"])
        logprobs = [-4.85 + rng.uniform(-0.5, 0.5) for _ in words]
        made.append(sample(prompt, words, rng.choice([-1, 1]) * rng.uniform(0.2, 2), logprobs, version=place))
    return made


def trainer(model: Path, folder: Path, steps: int = 4, **settings: Any) -> Trainer:
    """In fp32, with a gradient that is never clipped, unless `settings` say otherwise."""
    settings = {"learning_rate": 1e-3, "autocast": False, "grad_norm": 1e9, **settings}
    sampler = SamplerConfig(engine="transformers", dtype="float32", max_len=512)
    return Trainer(model, TrainingConfig(**settings), sampler, steps, 0, folder)


def gradients(trainer: Trainer, step: Sequence[Sample]) -> list[Gradient]:
    """What the optimizer was given in each epoch of one step."""
    seen: list[Gradient] = []

    def look(*_: Any) -> None:
        named = trainer.model.named_parameters()
        seen.append({name: weight.grad.clone() for name, weight in named if weight.grad is not None})

    hook = trainer.optimizer.optimizer.register_step_pre_hook(look)
    trainer.step(step)
    hook.remove()
    return seen


def weights(trainer: Trainer) -> Gradient:
    return {name: weight.clone() for name, weight in trainer.weights()}


def assert_close(one: Gradient, other: Gradient, most: float = 1e-5) -> None:
    """Every tensor within `most` of the largest entry of both."""
    assert one.keys() == other.keys() and one
    scale = max(float(tensor.abs().max()) for tensor in one.values())
    assert scale > 0
    for name, tensor in one.items():
        gap = float((tensor - other[name]).abs().max())
        assert gap <= most * scale, f"{name} differs by {gap:.2e} where the largest is {scale:.2e}"
