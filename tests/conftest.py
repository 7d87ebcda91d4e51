"""Models of random numbers, small enough to be made for a test session, and an engine to ask them with."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from selfplay.config import SamplerConfig
from selfplay.models import scratch
from selfplay.policy import open_engine
from selfplay.policy.engine import Engine

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch: on so small a model, threads only wait for each other

SHAPE = scratch.Shape(layers=2, width=64)
SAMPLER = SamplerConfig(engine="transformers", dtype="float32", batch=64, max_len=512)


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Llama with 2 layers of width 64 over 128 characters."""
    folder = tmp_path_factory.mktemp("model")
    scratch.write(folder, SHAPE, 0)
    return folder


@pytest.fixture(scope="session")
def tied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with its input embedding as output head."""
    from safetensors.numpy import load_file, save_file

    folder = tmp_path_factory.mktemp("tied")
    scratch.write(folder, SHAPE, 0)
    weights = load_file(folder / "model.safetensors")
    del weights["lm_head.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"tie_word_embeddings": True}))
    return folder


@pytest.fixture
def engine(model: Path) -> Iterator[Engine]:
    opened = open_engine(model, SAMPLER, 0)
    yield opened
    opened.close()
