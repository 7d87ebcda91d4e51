from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from selfplay.training import head

pytestmark = pytest.mark.model

LENGTH = 2 * head.TILE + 88
"""Two tiles and a part of a third: every fifth position is left out, and some are asked twice."""


def load(folder: Path) -> torch.nn.Module:
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")


@pytest.fixture
def ids() -> torch.Tensor:
    return torch.randint(5, 127, (1, LENGTH + LENGTH // 4), generator=torch.Generator().manual_seed(0))


@pytest.fixture
def asked(ids: torch.Tensor) -> torch.Tensor:
    """Every fifth position left out, the last 20 asked twice."""
    positions = [place for place in range(ids.size(1)) if place % 5]
    return torch.tensor([positions + positions[-20:]])


@pytest.fixture
def labels(asked: torch.Tensor) -> torch.Tensor:
    assert asked.size(1) % head.TILE and asked.size(1) > 2 * head.TILE
    return torch.randint(0, 128, asked.shape, generator=torch.Generator().manual_seed(1))


def by_autograd(
    model: torch.nn.Module, ids: torch.Tensor, asked: torch.Tensor, labels: torch.Tensor, temperature: float
) -> tuple[torch.Tensor, torch.Tensor]:
    logprobs = (model(ids).logits.float() / temperature).log_softmax(-1)[:, asked[0]]
    return logprobs.gather(2, labels[..., None])[..., 0], -(logprobs.exp() * logprobs).sum(-1)


def gradients(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    found = {name: weight.grad for name, weight in model.named_parameters() if weight.grad is not None}
    model.zero_grad()
    return found


LOSSES: dict[str, Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]] = {
    "log-probabilities": lambda logps, entropies, slope: (logps * slope).sum(),
    "entropies": lambda logps, entropies, slope: (entropies * slope).sum(),
    "both": lambda logps, entropies, slope: (logps * slope + entropies * slope.flip(1)).sum(),
}


@pytest.mark.parametrize("temperature", [1.0, 0.7])
@pytest.mark.parametrize("which", ["model", "tied"])
def test_values_and_gradients_are_those_of_plain_autograd(
    which: str,
    temperature: float,
    ids: torch.Tensor,
    asked: torch.Tensor,
    labels: torch.Tensor,
    request: pytest.FixtureRequest,
) -> None:
    folder = request.getfixturevalue(which)
    ours, plain = load(folder), load(folder)
    with torch.no_grad():  # a random model is flat: make it prefer something
        for model in (ours, plain):
            model.get_output_embeddings().weight *= 4
    head.attach(ours, temperature)
    slope = torch.randn(asked.shape, generator=torch.Generator().manual_seed(2))
    for name, loss in LOSSES.items():
        found = ours(input_ids=ids, asked=asked, labelled=labels)
        expected = by_autograd(plain, ids, asked, labels, temperature)
        for one, other in zip(found, expected, strict=True):
            torch.testing.assert_close(one, other, atol=1e-4, rtol=1e-5)
        loss(*found, slope).backward()
        loss(*expected, slope).backward()
        one, other = gradients(ours), gradients(plain)
        assert one.keys() == other.keys()
        for key, gradient in one.items():
            scale = float(other[key].abs().max())
            torch.testing.assert_close(gradient, other[key], atol=2e-4 * scale, rtol=0, msg=f"{name}: {key}")
            assert scale > 0


def test_a_position_can_be_asked_about_many_tokens_and_asking_nothing_is_allowed(
    model: Path, ids: torch.Tensor
) -> None:
    ours, plain = load(model), load(model)
    head.attach(ours, 1.0)
    every = torch.arange(128)[None]
    logps, entropies = ours(input_ids=ids, asked=torch.full_like(every, 7), labelled=every)
    torch.testing.assert_close(logps[0], plain(ids).logits[0, 7].log_softmax(-1), atol=1e-5, rtol=0)
    assert torch.equal(entropies, entropies[:, :1].expand(1, 128))
    none = torch.zeros(1, 0, dtype=torch.long)
    assert [found.shape for found in ours(input_ids=ids, asked=none, labelled=none)] == [(1, 0)] * 2


def test_without_labels_the_model_answers_as_it_did(model: Path, ids: torch.Tensor) -> None:
    ours, plain = load(model), load(model)
    head.attach(ours, 0.5)
    assert torch.equal(ours(ids).logits, plain(ids).logits)


def test_half_precision_gives_fp32_values_that_are_close(
    model: Path, ids: torch.Tensor, asked: torch.Tensor, labels: torch.Tensor
) -> None:
    ours, plain = load(model), load(model)
    head.attach(ours, 1.0)
    with torch.autocast("cpu", torch.bfloat16):
        logps, entropies = ours(input_ids=ids, asked=asked, labelled=labels)
    (logps.sum() + entropies.sum()).backward()
    expected = by_autograd(plain, ids, asked, labels, 1.0)
    for one, other in zip((logps, entropies), expected, strict=True):
        assert one.dtype == torch.float32
        torch.testing.assert_close(one, other, atol=0.02, rtol=0)
    assert all(weight.grad.dtype == torch.float32 for weight in ours.parameters())
