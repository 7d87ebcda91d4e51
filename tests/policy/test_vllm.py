"""The real sampler and the real trainer, on one set of weights."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM

from selfplay.config import Config, SamplerConfig
from selfplay.curriculum.plan import plan
from selfplay.errors import UserError
from selfplay.health import parity
from selfplay.health.parity import Parity
from selfplay.parts import Rules
from selfplay.policy.vllm import VLLMEngine
from selfplay.records import Sampling, Stop
from selfplay.rollouts.step import Rollouts
from selfplay.training.trainer import Trainer
from tests.training import made

pytestmark = pytest.mark.model

SETTINGS: dict[str, Any] = {"engine": "vllm", "max_len": 512, "batch": 32, "kv_cache_gib": 1}
PROMPTS = [tuple(text.encode()) for text in ("Move:", "Your card: K\nMove:", "Your card: Q\nSo far: bet\nMove:")]
RECIPE = Config.model_validate(
    {
        "sampler": {**SETTINGS, "dtype": "float32"},
        "curriculum": {
            "proposals": 6, "prompts": 2, "new_tasks": 2, "replays": 2, "attempts": 3,
            "max_tokens": 20, "answer_tokens": 8,
        },
        "games": {"names": ["kuhn_poker", "tic_tac_toe"], "episodes": 8, "answer": "label", "max_tokens": 2},
    }
)  # fmt: skip


class Noting(VLLMEngine):
    """Keeps what vLLM itself says that it was asked and has sampled."""

    sampled: Counter[tuple[int, ...]]

    def _advance(self, arrivals: list[Any]) -> list[Any]:
        outputs = super()._advance(arrivals)
        self.sampled.update((*one.prompt_token_ids, *one.outputs[0].token_ids) for one in outputs)
        return outputs


@pytest.fixture(scope="module")
def engine(model: Path) -> Iterator[Noting]:
    opened = Noting(model, RECIPE.sampler, 0)
    opened.sampled = Counter()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def trainer(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Trainer:
    settings = {"pack": False, "entropy": 0.01, "learning_rate": 0.01}  # an entropy bonus acts on every token
    return made.trainer(model, tmp_path_factory.mktemp("trainer"), **settings)


def measured(engine: VLLMEngine, trainer: Trainer) -> Parity:
    return asyncio.run(parity.measure(engine, trainer, PROMPTS, Sampling(8)))


def test_a_seed_decides_a_completion_whatever_else_is_in_the_batch(engine: Noting) -> None:
    async def ids(*asked: tuple[int, int]) -> list[tuple[int, ...]]:
        calls = (engine.sample(PROMPTS[place], Sampling(max_tokens=12, seed=seed)) for place, seed in asked)
        return [one.ids for one in await asyncio.gather(*calls)]

    (alone,) = asyncio.run(ids((1, 7)))
    assert asyncio.run(ids((0, 1), (1, 7), (2, 2), (1, 8), (1, 9)))[1] == alone
    assert len(set(asyncio.run(ids(*((1, seed) for seed in range(6)))))) == 6


def test_stop_strings_are_not_in_the_text_and_their_ids_are_kept(engine: Noting) -> None:
    async def words() -> Any:
        asked = (Sampling(max_tokens=60, seed=seed, stop=tuple("abcdefghijklm")) for seed in range(6))
        return await asyncio.gather(*(engine.sample(PROMPTS[0], one) for one in asked))

    found = asyncio.run(words())
    assert sum(one.stop is Stop.STOP for one in found) >= 4
    for one in found:
        assert not set(one.text) & set("abcdefghijklm") and len(one.ids) == len(one.logprobs)
        assert one.stop is Stop.LENGTH or chr(one.ids[-1]) in "abcdefghijklm" or one.ids[-1] == 4


def test_every_sampled_turn_is_kept_by_its_ids_and_those_are_the_ids_that_are_trained_on(
    engine: Noting, trainer: Trainer
) -> None:
    rules = Rules.assemble(RECIPE)
    try:
        engine.sampled.clear()
        bank = rules.bank()
        rolled = Rollouts(1, RECIPE, engine, bank, rules.families, rules.games, rules.player)

        async def roll() -> None:
            for task in await rules.seeds():
                bank.admit(task)
            await rolled.run(plan(1, RECIPE, bank, rules.families, list(rules.games)))

        asyncio.run(roll())
        proposals, episodes = rolled.proposals, rolled.episodes
        turns = [one.turn for one in (*proposals, *rolled.attempts)]
        turns += [ply.turn for episode in episodes for ply in episode.plies if ply.turn is not None]
        assert {turn.role for turn in turns} == {"proposer", "solver", "player"}
        assert Counter((*turn.prompt_ids, *turn.completion.ids) for turn in turns) == engine.sampled
        samples = list(rules.credit.assign(proposals, rolled.attempts, episodes, {}).values())
    finally:
        rules.close()

    trained: set[tuple[int, ...]] = set()

    def look(_: Any, args: Any, kwargs: dict[str, torch.Tensor]) -> None:
        if torch.is_grad_enabled():
            for row, real in zip(kwargs["input_ids"].tolist(), kwargs["attention_mask"].tolist(), strict=True):
                trained.add(tuple(token for token, keep in zip(row, real, strict=True) if keep))

    hook = trainer.model.register_forward_pre_hook(look, with_kwargs=True)
    trainer.step(samples)
    hook.remove()
    assert {sample.turn.role for sample in samples} == {"proposer", "solver", "player"}
    assert trained == {(*sample.turn.prompt_ids, *sample.turn.completion.ids) for sample in samples}
    assert trained <= set(engine.sampled)


def test_sampler_and_trainer_agree_after_every_publish_and_not_before(engine: Noting, trainer: Trainer) -> None:
    for _ in range(2):
        trainer.step(made.samples())
        version, stale = engine.version, measured(engine, trainer)
        engine.publish(trainer.weights())
        fresh = measured(engine, trainer)
        assert engine.version == version + 1
        assert fresh.max < 1e-3 < 0.02 < stale.mean, (fresh, stale)


def test_scores_are_the_trainer_s_own(engine: Noting, trainer: Trainer) -> None:
    engine.publish(trainer.weights())
    rows = [(prompt, tuple(b" bet\n")) for prompt in PROMPTS]

    async def scored() -> Any:
        return await asyncio.gather(*(engine.score(prompt, words) for prompt, words in rows))

    for one, other in zip(asyncio.run(scored()), trainer.score(rows), strict=True):
        assert one == pytest.approx(other, abs=1e-3)


def test_a_shared_draw_is_the_one_that_vllm_makes_for_the_seed(engine: Noting) -> None:
    async def drawn(count: int) -> Any:
        calls = (engine.sample(PROMPTS[0], Sampling(max_tokens=count, seed=seed)) for seed in range(50))
        return await asyncio.gather(*calls)

    alone, longer = asyncio.run(drawn(1)), asyncio.run(drawn(2))
    assert [one.ids[0] for one in alone] == [one.ids[0] for one in longer]
    assert [one.logprobs[0] for one in alone] == pytest.approx([one.logprobs[0] for one in longer], abs=1e-4)


def test_choices_among_next_tokens_are_scored_as_the_trainer_does(engine: Noting, trainer: Trainer) -> None:
    engine.publish(trainer.weights())
    choices = tuple(b"abz")

    async def chosen() -> Any:
        return await asyncio.gather(*(engine.choose(prompt, choices) for prompt in PROMPTS))

    found = [(score,) for row in asyncio.run(chosen()) for score in row]
    expected = trainer.score([(prompt, (choice,)) for prompt in PROMPTS for choice in choices])
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, abs=1e-3)


def test_a_tied_head_that_stays_behind_stops_the_run_and_repacking_it_keeps_parity(
    tied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = VLLMEngine(tied, SamplerConfig(**SETTINGS, dtype="bfloat16"), 0)
    trainer = made.trainer(tied, tmp_path, learning_rate=0.05)
    try:
        parity.require(measured(engine, trainer), 0.25, 1.5)
        for _ in range(3):
            trainer.step(made.samples())
        with monkeypatch.context() as patch:
            patch.setattr(VLLMEngine, "_repack_head", staticmethod(lambda model: None))
            engine.publish(trainer.weights())
            with pytest.raises(UserError, match="does not hold the weights that were published.*training was stopped"):
                parity.require(measured(engine, trainer), 0.25, 1.5)
        engine.publish(trainer.weights())
        parity.require(measured(engine, trainer), 0.25, 1.5)
    finally:
        engine.close()


def test_two_engines_in_one_process_answer_at_the_same_time(engine: Noting, model: Path) -> None:
    """The last of this file: closing the second takes down what vLLM shares in a process."""
    other = VLLMEngine(model, RECIPE.sampler, 0)

    async def asked(*engines: VLLMEngine) -> list[list[Any]]:
        calls = [[one.sample(PROMPTS[0], Sampling(9, seed=seed)) for seed in range(60)] for one in engines]
        return await asyncio.gather(*(asyncio.gather(*mine) for mine in calls))

    try:
        engine.publish(AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).state_dict().items())
        together = asyncio.run(asked(engine, other))
        (alone,) = asyncio.run(asked(other))
        assert [[one.ids for one in mine] for mine in together] == [[one.ids for one in alone]] * 2
    finally:
        other.close()
