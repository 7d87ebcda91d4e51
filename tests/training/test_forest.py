from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM

from selfplay.records import Sample
from selfplay.training import head
from selfplay.training.forest import Forest
from selfplay.training.rows import Row, grown, merge, split
from tests.training import made

pytestmark = pytest.mark.model

EPSILON, CAP = (0.2, 0.28), 2.0


def plain(model: Path) -> torch.nn.Module:
    return AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32, attn_implementation="eager")


def alone(network: torch.nn.Module, sample: Sample) -> tuple[torch.Tensor, torch.Tensor]:
    """Log-probabilities and entropies of one answer, from a forward pass of its own."""
    prompt, words = sample.turn.prompt_ids, sample.turn.completion.ids
    logits = network(torch.tensor([[*prompt, *words]])).logits[0, len(prompt) - 1 : -1].float()
    logprobs = logits.log_softmax(-1)
    return logprobs.gather(1, torch.tensor(words)[:, None])[:, 0], -(logprobs.exp() * logprobs).sum(-1)


def by_hand(network: torch.nn.Module, samples: list[Sample], loss: str = "dapo", old: str = "sampler") -> made.Gradient:
    """The gradient of the clipped loss over separate rows, summed over tokens and divided by their number."""
    tokens, total = sum(len(sample.turn.completion.ids) for sample in samples), torch.zeros(())
    for sample in samples:
        logps, _ = alone(network, sample)
        sampler = torch.tensor(sample.turn.completion.logprobs)
        ratio = (logps - (sampler if old == "sampler" else logps.detach())).exp()
        advantage = torch.full_like(logps, sample.advantage)
        if old == "own":
            advantage = advantage * (logps.detach() - sampler).exp().clamp(max=CAP)
        if loss == "cispo":
            total = total - (ratio.clamp(max=CAP).detach() * advantage * logps).sum()
        else:
            clipped = ratio.clamp(1 - EPSILON[0], 1 + EPSILON[1])
            total = total - torch.minimum(ratio * advantage, clipped * advantage).sum()
    network.zero_grad()
    (total / tokens).backward()
    return {name: weight.grad.clone() for name, weight in network.named_parameters()}


def test_a_forest_holds_every_prefix_once_and_predicts_every_token() -> None:
    forest = Forest()
    said = ([4, 5], [4, 6], [4, 5, 7], [4, 5])
    placed = [forest.grow([1, 2, 3], words) for words in said]
    for questions, words in zip(placed, said, strict=True):
        assert [forest.labels[question] for question in questions] == words
    assert placed[0] == placed[3] == placed[2][:2], "the same row adds nothing"
    assert placed[0][0] == placed[1][0] and placed[0][1] != placed[1][1]
    assert forest.asked[placed[0][1]] == forest.asked[placed[1][1]], "where rows part, one node is asked about both"
    assert (forest.tokens, forest.parents) == ([1, 2, 3, 4, 5], [-1, 0, 1, 2, 3])
    assert all(parent < node for node, parent in enumerate(forest.parents))


def test_the_cost_of_a_row_is_what_growing_it_adds() -> None:
    forest = Forest()
    for sample in made.samples(count=20):
        prompt, words = sample.turn.prompt_ids, sample.turn.completion.ids
        before, cost = len(forest), forest.cost(prompt, words)
        forest.grow(prompt, words)
        assert len(forest) - before == cost
        assert forest.cost(prompt, words) == 0


def test_a_packed_pass_says_what_separate_passes_say(model: Path) -> None:
    packed, separate, samples = plain(model), plain(model), made.samples()
    head.attach(packed, 1.0)
    forest = Forest()
    placed = [forest.grow(sample.turn.prompt_ids, sample.turn.completion.ids) for sample in samples]
    logps, entropies = packed(**forest.inputs(torch.device("cpu"), torch.float32))
    assert len(forest) < sum(len(s.turn.prompt_ids) + len(s.turn.completion.ids) for s in samples) / 2
    for sample, questions in zip(samples, placed, strict=True):
        for found, expected in zip((logps, entropies), alone(separate, sample), strict=True):
            torch.testing.assert_close(found[0, questions], expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("loss", ["dapo", "cispo"])
@pytest.mark.parametrize("pack", [True, False])
def test_the_gradient_is_that_of_a_loop_written_by_hand(model: Path, tmp_path: Path, pack: bool, loss: str) -> None:
    samples = made.samples()
    trainer = made.trainer(model, tmp_path, pack=pack, loss=loss, micro_tokens=100)
    (found,) = made.gradients(trainer, samples)
    made.assert_close(found, by_hand(plain(model), samples, loss))


@pytest.mark.parametrize("settings", [{}, {"magnet": 0.5, "epochs": 2}], ids=["plain", "magnet and two epochs"])
def test_packed_and_padded_rows_have_one_gradient(model: Path, tmp_path: Path, settings: dict[str, Any]) -> None:
    samples = made.samples()
    packed, padded = (
        made.gradients(made.trainer(model, tmp_path, pack=pack, **settings), samples) for pack in (True, False)
    )
    assert len(packed) == settings.get("epochs", 1)
    for one, other in zip(packed, padded, strict=True):
        made.assert_close(one, other, 1e-4)


def test_with_two_epochs_the_old_policy_is_the_trainer_s_own_and_the_sampler_a_truncated_weight(
    model: Path, tmp_path: Path
) -> None:
    samples = [replace_logprobs(sample, -6.0 if place % 3 else -4.9) for place, sample in enumerate(made.samples())]
    first, second = made.gradients(made.trainer(model, tmp_path, epochs=2), samples)
    made.assert_close(first, by_hand(plain(model), samples, old="own"))
    assert any(not torch.equal(first[name], second[name]) for name in first)


def replace_logprobs(sample: Sample, logprob: float) -> Sample:
    said = sample.turn.completion
    return replace(sample, turn=replace(sample.turn, completion=replace(said, logprobs=(logprob,) * len(said.ids))))


@pytest.mark.parametrize("epochs", [1, 2])
@pytest.mark.parametrize("sign", [1, -1], ids=["praised", "blamed"])
def test_the_same_row_many_times_is_one_row_with_the_gradient_of_all(
    model: Path, tmp_path: Path, sign: int, epochs: int
) -> None:
    own = float(alone(plain(model), made.sample("Move:", "b", 1))[0].detach())
    advantages = [sign * size for size in (0.5, 1.0, 2.5)]
    for gap in (0.1, 1.0, -1.0):  # inside the clip, and beyond it on either side
        said = [own - gap]
        others = [made.sample("Move:", "c", -0.3), made.sample("Your move:", "bet\n", 0.7)]
        together = [made.sample("Move:", "b", advantage, said) for advantage in advantages]
        apart = [made.sample("Move:", "b", advantage, said, version) for version, advantage in enumerate(advantages)]
        assert (len(merge(together + others)), len(merge(apart + others))) == (3, 5)
        one = made.gradients(made.trainer(model, tmp_path, epochs=epochs), together + others)
        other = made.gradients(made.trainer(model, tmp_path, epochs=epochs), apart + others)
        for merged, separate in zip(one, other, strict=True):
            made.assert_close(merged, separate, 1e-4)


def test_praise_and_blame_for_the_same_row_are_not_merged() -> None:
    rows = merge([made.sample("Move:", "b", advantage) for advantage in (1.0, -1.0, 2.0, -3.0)])
    assert sorted((row.advantage, row.weight) for row in rows) == [(-2.0, 2), (1.5, 2)]


def test_rows_without_tokens_are_left_out_and_the_order_of_samples_does_not_matter() -> None:
    samples = made.samples()
    assert merge([made.sample("Move:", "", 1.0)]) == []
    assert merge(samples) == merge(list(reversed(samples)))


@pytest.mark.parametrize("budget", [64, 100, 1000])
def test_micro_batches_keep_every_row_and_stay_under_the_budget(budget: int) -> None:
    rows = merge(made.samples(count=60))
    parts = split(rows, budget)
    assert [row for part in parts for row in part] == rows
    assert all(len(grown(part)) <= budget for part in parts)
    assert all(len(grown([*part, after[0]])) > budget for part, after in pairwise(parts)), "none is too small"


def test_a_row_that_is_longer_than_the_budget_stands_alone() -> None:
    short = [Row((1, 2), (3,), (0.0,), 1.0, 1), Row((1, 2), (4,), (0.0,), 1.0, 1)]
    long = Row(tuple(range(100)), (5,), (0.0,), 1.0, 1)
    assert split([short[0], long, short[1]], 10) == [[short[0]], [long], [short[1]]]
    assert split([long, *short], 10) == [[long], short]
    assert split([], 10) == []
