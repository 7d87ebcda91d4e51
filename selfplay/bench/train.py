"""What packing is worth in a training step, and how far the step is from its bare matrix products."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from selfplay.config import SamplerConfig, TrainingConfig
from selfplay.models import resolve
from selfplay.quiet import hushed
from selfplay.records import Completion, Sample, Stop, Turn

GROUPS, ROWS, PROMPT, LENGTH = 2, 16, 120, 25
"""Two prompts with 16 completions each: a quarter of a quickstart step."""


def measure() -> dict[str, float]:
    """The embedded model, one optimizer step of fp32 weights under bf16, each way once after a warm-up.

    packed_s, rows_s: seconds of a step with shared prefixes and with one padded row a turn. vs_rows: their ratio.
    nodes_per_s: tokens that the packed step reads a second. vs_matmul: the packed step over the time that its matrix
    products alone would take, at the rate of one bare bf16 product of the model's width.
    """
    samples = _samples()
    with hushed(), tempfile.TemporaryDirectory() as folder:
        packed, nodes, weights = _seconds(samples, Path(folder), pack=True)
        rows, _, _ = _seconds(samples, Path(folder), pack=False)
    floor = 6 * weights * nodes / _rate()
    return {
        "packed_s": packed,
        "rows_s": rows,
        "vs_rows": rows / packed,
        "nodes_per_s": nodes / packed,
        "vs_matmul": packed / floor,
    }


def _seconds(samples: list[Sample], folder: Path, pack: bool) -> tuple[float, float, int]:
    """Seconds of a step, tokens read in it, weights."""
    from selfplay.training.trainer import Trainer

    config = TrainingConfig(pack=pack, micro_tokens=700, importance_cap=0)
    trainer: Any = Trainer(resolve("embedded"), config, SamplerConfig(), steps=4, seed=0, folder=folder)
    trainer.step(samples)
    started = time.perf_counter()
    metrics = trainer.step(samples)
    elapsed = time.perf_counter() - started
    return elapsed, metrics["train/nodes"], sum(weight.numel() for weight in trainer.model.parameters())


def _samples() -> list[Sample]:
    rng = Random(0)

    def words(count: int) -> tuple[int, ...]:
        return tuple(rng.randrange(100, 40_000) for _ in range(count))

    found = []
    for group in range(GROUPS):
        prompt = words(PROMPT)
        for row in range(ROWS):
            completion = Completion(words(LENGTH), (-1.0,) * LENGTH, "", Stop.STOP, 0)
            found.append(Sample(Turn("proposer", str(group), "", prompt, completion), 0.0, 1.0 if row % 2 else -1.0))
    return found


def _rate() -> float:
    """Floating-point operations a second of one bf16 product, (700, 576) by (576, 1536)."""
    import torch

    left, right = torch.randn(700, 576).bfloat16(), torch.randn(576, 1536).bfloat16()
    for _ in range(20):
        left @ right
    started = time.perf_counter()
    for _ in range(200):
        left @ right
    return 200 * 2 * 700 * 576 * 1536 / (time.perf_counter() - started)
