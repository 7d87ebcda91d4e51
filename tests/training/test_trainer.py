from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM

from selfplay.errors import UserError
from selfplay.records import Sample
from selfplay.seeds import rng
from selfplay.training import checkpoint
from selfplay.training.explore import pulled
from selfplay.training.magnet import pulls
from selfplay.training.rows import Row, collate, deal, merge, split
from selfplay.training.trainer import Trainer
from tests.training import made

pytestmark = pytest.mark.model


def moved(before: made.Gradient, after: made.Gradient) -> set[str]:
    assert before.keys() == after.keys()
    return {name for name in before if not torch.equal(before[name], after[name])}


def test_one_step_at_a_learning_rate_of_a_millionth_moves_the_weights(model: Path, tmp_path: Path) -> None:
    trainer = made.trainer(model, tmp_path, learning_rate=1e-6, autocast=True, grad_norm=1.0)
    before = made.weights(trainer)
    metrics = trainer.step(made.samples())
    after = made.weights(trainer)
    changed = moved(before, after)
    assert changed == set(before), "every tensor moves"
    assert {after[name].dtype for name in changed} == {torch.float32}
    furthest = max(float((after[name] - before[name]).abs().max()) for name in changed)
    assert 0 < furthest <= 1.1e-6
    assert metrics["train/learning_rate"] == 1e-6 and metrics["train/grad_norm"] > 0


def test_the_sampler_gets_the_trained_weights_by_the_names_of_a_plain_model(model: Path, tmp_path: Path) -> None:
    trainer = made.trainer(model, tmp_path)
    trainer.step(made.samples())
    names = AutoModelForCausalLM.from_pretrained(model).state_dict().keys()
    assert made.weights(trainer).keys() == names
    trainer.save_policy(tmp_path / "policy")
    saved = AutoModelForCausalLM.from_pretrained(tmp_path / "policy", dtype=torch.float32).state_dict()
    assert not moved(made.weights(trainer), dict(saved))


def test_a_tied_head_is_named_once(tied: Path, tmp_path: Path) -> None:
    trainer = made.trainer(tied, tmp_path)
    names = [name for name, _ in trainer.weights()]
    assert "model.embed_tokens.weight" in names and "lm_head.weight" not in names


@pytest.mark.parametrize(
    "settings",
    [{}, {"loss": "cispo"}, {"magnet": 0.5, "epochs": 2}, {"entropy": 0.1}],
    ids=["dapo", "cispo", "magnet", "entropy"],
)
def test_the_loss_is_a_mean_over_the_tokens_of_the_whole_batch_however_it_is_cut(
    model: Path, tmp_path: Path, settings: dict[str, Any]
) -> None:
    samples = made.samples(count=20)
    cut, whole = (made.trainer(model, tmp_path, micro_tokens=most, **settings) for most in (64, 4096))
    assert len(split(merge(samples), 64)) > 3 and len(split(merge(samples), 4096)) == 1
    for one, other in zip(made.gradients(cut, samples), made.gradients(whole, samples), strict=True):
        made.assert_close(one, other, 1e-4)


def test_rows_of_weight_zero_are_neutral(model: Path, tmp_path: Path) -> None:
    """What a process adds when it has fewer micro-batches than the others."""

    def gradient(extra: list[dict[str, torch.Tensor]]) -> made.Gradient:
        trainer = made.trainer(model, tmp_path)
        batches = [collate(part, 0, 100) for part in split(merge(made.samples()), 100)]
        seen: made.Gradient = {}
        trainer.optimizer.optimizer.register_step_pre_hook(
            lambda *_: seen.update({name: weight.grad.clone() for name, weight in trainer.model.named_parameters()})
        )
        trainer._update(batches + extra)
        return seen

    blank = collate([Row((1, 2, 3), (4, 5), (-1.0, -9.0), 50.0, 0)], 0, 100)
    alone, beside = gradient([]), gradient([blank, blank])
    assert not moved(alone, beside)


def test_samples_without_advantage_change_only_what_the_mean_is_taken_over(model: Path, tmp_path: Path) -> None:
    samples = made.samples()
    more = [*samples, *(made.sample("You hold nothing.", words, 0.0) for words in ("abc", "de", "fgh"))]
    (one,), (other,) = (made.gradients(made.trainer(model, tmp_path), batch) for batch in (samples, more))
    tokens = sum(len(sample.turn.completion.ids) for sample in samples)
    made.assert_close(one, {name: gradient * (tokens + 8) / tokens for name, gradient in other.items()})


def test_without_samples_there_is_no_step(model: Path, tmp_path: Path) -> None:
    trainer = made.trainer(model, tmp_path)
    before, state = made.weights(trainer), trainer.state_dict()
    for nothing in ([], [made.sample("Move:", "", 1.0)], [made.sample("Move:", "b", 0.0)]):
        assert trainer.step(nothing) == {"train/rows": 0.0}
    assert not moved(before, made.weights(trainer))
    assert trainer.state_dict()["global_step"] == state["global_step"] == 0


def test_a_budget_draws_rows_by_the_seed_and_the_step(model: Path, tmp_path: Path) -> None:
    one, other = (made.trainer(model, tmp_path, budget_tokens=20) for _ in range(2))
    for _ in range(3):
        first, second = one.step(made.samples(count=40)), other.step(made.samples(count=40))
        assert first["train/rows"] == second["train/rows"] < len(merge(made.samples(count=40)))
    assert not moved(made.weights(one), made.weights(other))


def test_scores_are_the_log_probabilities_of_the_given_ids(model: Path, tmp_path: Path) -> None:
    trainer = made.trainer(model, tmp_path)
    network = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    words = [(b"Move:", b" bet\n"), (b"Your move, please:", b"c"), (b"Move:", b" be")]
    rows = [(tuple(prompt), tuple(completion)) for prompt, completion in words]
    for (prompt, words), found in zip(rows, trainer.score(rows), strict=True):
        logprobs = network(torch.tensor([[*prompt, *words]])).logits[0, len(prompt) - 1 : -1].log_softmax(-1)
        expected = [at[word].item() for at, word in zip(logprobs, words, strict=True)]
        assert found == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    "settings",
    [{"warmup": 3}, {"magnet": 1.0, "epochs": 2, "budget_tokens": 20}, {"budget_tokens": 20, "weight_decay": 0.1}],
    ids=["warmup", "magnet", "budget"],
)
def test_a_trainer_that_resumes_ends_where_one_that_never_stopped_does(
    model: Path, tmp_path: Path, settings: dict[str, Any]
) -> None:
    batches = [made.samples(seed) for seed in range(4)]
    whole, first = (made.trainer(model, tmp_path, **settings) for _ in range(2))
    for batch in batches:
        whole.step(batch)
    for batch in batches[:2]:
        first.step(batch)
    checkpoint.save(tmp_path, 2, first, {})
    second = made.trainer(tmp_path / checkpoint.name(2) / "policy", tmp_path, **settings)
    checkpoint.load(tmp_path, 2, second)
    for batch in batches[2:]:
        second.step(batch)
    assert not moved(made.weights(whole), made.weights(second))
    assert moved(made.weights(first), made.weights(second))
    assert same(whole.state_dict(), second.state_dict())


def same(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def divergence(trainer: Trainer, start: Path) -> float:
    """KL(policy at the start || policy now) of the next token, averaged over a few questions."""
    old = AutoModelForCausalLM.from_pretrained(start, dtype=torch.float32)
    found = []
    for prompt in {sample.turn.prompt_ids for sample in made.samples()}:
        with torch.no_grad():
            before, now = (net(torch.tensor([prompt])).logits[0, -1].log_softmax(-1) for net in (old, trainer.model))
        found.append(float((before.exp() * (before - now)).sum()))
    return sum(found) / len(found)


def test_a_magnet_holds_the_policy_back(model: Path, tmp_path: Path) -> None:
    def drift(**settings: Any) -> float:
        trainer = made.trainer(model, tmp_path, **settings)
        for _ in range(6):
            trainer.step(fresh(trainer))
        return divergence(trainer, model)

    def fresh(trainer: Trainer) -> list[Sample]:
        """The same questions, with today's policy as the sampler."""
        rows = [(sample.turn.prompt_ids, sample.turn.completion.ids) for sample in made.samples()]
        scored = zip(made.samples(), trainer.score(rows), strict=True)
        return [made.sample(s.turn.prompt, s.turn.completion.text, s.advantage, logprobs) for s, logprobs in scored]

    free, held = drift(), drift(magnet=3.0, magnet_rate=0.01)
    assert held < 0.7 * free, (held, free)


def test_a_magnet_moves_its_share_of_the_way_after_each_step(model: Path, tmp_path: Path) -> None:
    trainer = made.trainer(model, tmp_path, magnet=1.0, magnet_rate=0.25)
    start = {name: weight.clone() for name, weight in trainer.state_dict()["magnet"].items()}
    trainer.step(made.samples())
    for name, weight in trainer.model.named_parameters():
        expected = start[name] + 0.25 * (weight.detach() - start[name])
        torch.testing.assert_close(trainer.state_dict()["magnet"][name], expected)


def test_an_adapter_is_handed_out_merged_and_trains_nothing_else(model: Path, tmp_path: Path) -> None:
    trainer = made.trainer(model, tmp_path, lora_rank=4)
    base = dict(AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).state_dict())
    assert not moved(base, made.weights(trainer)), "an adapter starts as nothing"
    trainer.step(made.samples())
    merged = made.weights(trainer)
    changed = moved(base, merged)
    assert changed and all("_proj" in name for name in changed)
    assert {name for name in base if "_proj" in name} == changed
    prompt = torch.tensor([tuple(b"Your card: K\nMove:")])
    plain = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    plain.load_state_dict(merged)
    with torch.no_grad():
        torch.testing.assert_close(plain(prompt).logits, trainer.model(prompt).logits, atol=1e-5, rtol=0)


def test_handing_an_adapter_out_leaves_the_trainer_as_it_was_up_to_rounding(model: Path, tmp_path: Path) -> None:
    trainer = made.trainer(model, tmp_path, lora_rank=4)
    trainer.step(made.samples())
    before = {name: weight.clone() for name, weight in trainer.model.state_dict().items()}
    first, second = made.weights(trainer), made.weights(trainer)
    after = dict(trainer.model.state_dict())
    made.assert_close(before, after, 1e-7)
    made.assert_close(first, second, 1e-7)


def test_a_checkpoint_of_an_adapter_is_a_whole_model_and_resumes(model: Path, tmp_path: Path) -> None:
    """vLLM and transformers load `policy`, so it must hold what the sampler was given."""
    batches = [made.samples(seed) for seed in range(3)]
    whole, first = (made.trainer(model, tmp_path, lora_rank=4) for _ in range(2))
    for batch in batches:
        whole.step(batch)
    for batch in batches[:2]:
        first.step(batch)
    folder = checkpoint.save(tmp_path, 2, first, {}) / "policy"
    assert (folder / "config.json").is_file() and (folder / "model.safetensors").is_file()
    saved = dict(AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).state_dict())
    made.assert_close(saved, made.weights(first), 1e-6)
    second = made.trainer(model, tmp_path, lora_rank=4)  # an adapter goes on top of the base it was trained on
    checkpoint.load(tmp_path, 2, second)
    second.step(batches[2])
    made.assert_close(made.weights(whole), made.weights(second), 1e-5)


def test_the_pull_of_a_magnet_favours_what_the_policy_has_grown_rare_in() -> None:
    """At one state, a word that the policy says more often than its magnet loses, and one that it says less gains."""
    often, seldom = Row((1, 2), (5,), (0.0,), 0.0, 9), Row((1, 2), (6,), (0.0,), 0.0, 1)
    (found,) = pulls([[often, seldom]], [torch.tensor([[0.6], [-1.6]])])
    assert found[0, 0] > 0 > found[1, 0]
    assert float(9 * found[0, 0] + found[1, 0]) == pytest.approx(0, abs=1e-6), "centred at its state"


def test_a_magnet_has_nothing_to_say_of_words_that_are_no_move() -> None:
    often, seldom = Row((1, 2), (5,), (0.0,), 0.0, 9), Row((1, 2), (6,), (0.0,), 0.0, 1)
    babble = Row((1, 2), (7,), (0.0,), 0.0, 90, legal=False)
    (alone,) = pulls([[often, seldom]], [torch.tensor([[0.6], [-1.6]])])
    (beside,) = pulls([[often, seldom, babble]], [torch.tensor([[0.6], [-1.6], [-4.0]])])
    assert torch.equal(beside[:2], alone) and beside[2, 0] == 0


def test_minibatches_share_a_step_s_rows_out_and_each_is_an_update(model: Path, tmp_path: Path) -> None:
    still = {"learning_rate": 1e-12}  # so that all of them see the same weights
    whole, _ = made.gradients(made.trainer(model, tmp_path, epochs=2, **still), made.samples(count=24))
    found = made.gradients(made.trainer(model, tmp_path, minibatches=3, epochs=2, **still), made.samples(count=24))
    assert len(found) == 6
    hands = deal(merge(made.samples(count=24)), 3, rng(0, 0, "minibatches"))
    spoken = [sum(row.weight * len(row.completion) for row in hand) for hand in hands]
    parts = [
        {name: tensor * tokens / sum(spoken) for name, tensor in one.items()}
        for one, tokens in zip(found, spoken, strict=False)
    ]
    made.assert_close({name: sum(part[name] for part in parts) for name in whole}, whole, 1e-4)
    assert min(spoken) > 0 and hands != deal(merge(made.samples(count=24)), 3, rng(0, 1, "minibatches"))


def test_a_minibatch_that_gets_no_row_moves_nothing(model: Path, tmp_path: Path) -> None:
    found = made.gradients(made.trainer(model, tmp_path, minibatches=4), made.samples(count=1))
    assert sorted(float(sum(tensor.abs().sum() for tensor in one.values())) > 0 for one in found) == [False] * 3 + [
        True
    ]


def optional(count: int = 3) -> list[Sample]:
    """The same position, some times over, where `a` was said and `a`, `b` and `c` are legal; it earned nothing."""
    said = made.sample("Move:", "a", 0.0)
    turn = replace(said.turn, options=tuple((ord(letter),) for letter in "abc"))
    return [replace(said, turn=turn)] * count


@pytest.mark.parametrize("epochs", [1, 2])
def test_exploring_has_the_gradient_of_the_forward_divergence_from_all_legal_moves_alike(
    epochs: int, model: Path, tmp_path: Path
) -> None:
    (found, *_) = made.gradients(made.trainer(model, tmp_path, explore=0.3, epochs=epochs), optional())
    network = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    scores = network(torch.tensor([list(b"Move:")])).logits[0, -1].log_softmax(-1)
    (-0.3 * scores[list(b"abc")].mean()).backward()
    expected = {name: weight.grad for name, weight in network.named_parameters() if weight.grad is not None}
    made.assert_close(found, expected, 1e-4)


def test_exploring_brings_back_a_move_that_nobody_makes_any_more_and_falls_with_the_rate(
    model: Path, tmp_path: Path
) -> None:
    def chance(trainer: Trainer, letter: str) -> float:
        ((score,),) = trainer.score([(tuple(b"Move:"), (ord(letter),))])
        return math.exp(score)

    trainer = made.trainer(model, tmp_path, explore=1.0, steps=30)
    before = chance(trainer, "b")
    for _ in range(30):
        trainer.step(optional())
    assert before < 0.02 and chance(trainer, "b") > 0.1 and chance(trainer, "z") < before
    assert not pulled([made.sample("Move:", "a", 0.0)], 1.0), "no options, nothing to pull at"
    late = made.trainer(model, tmp_path, explore=1.0, steps=1, schedule="linear")
    late.step(optional())
    still = made.weights(late)
    late.step(optional())
    assert not moved(still, made.weights(late)), "the rate has fallen to 0"


def test_a_gradient_that_is_not_finite_stops_before_the_weights_move(model: Path, tmp_path: Path) -> None:
    trainer = made.trainer(model, tmp_path)
    before = made.weights(trainer)
    broken = [replace(sample, advantage=float("nan")) for sample in made.samples()]
    with pytest.raises(UserError, match="not finite"):
        trainer.step(broken)
    assert all(torch.equal(tensor, before[name]) for name, tensor in made.weights(trainer).items())
