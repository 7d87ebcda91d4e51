"""What every engine promises, on the small one that runs everywhere."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Coroutine, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM

from selfplay.config import SamplerConfig
from selfplay.errors import UserError
from selfplay.policy import open_engine
from selfplay.policy.engine import Engine, Request
from selfplay.policy.transformers import TransformersEngine
from selfplay.records import Completion, Sampling, Stop
from selfplay.rollouts.crew import Crew

pytestmark = pytest.mark.model

CONFIG = SamplerConfig(engine="transformers", dtype="float32", batch=8, max_len=128)
PROMPTS = [tuple(text.encode()) for text in ("Move:", "You hold the K.\nMove:", "a", "Say something long, please:")]


class Noting(TransformersEngine):
    """Writes down the batches that it is given."""

    def _answer(self, requests: list[Request]) -> Any:
        self.batches.append([request.order for request in requests])
        return super()._answer(requests)


@pytest.fixture(scope="module")
def engine(model: Path) -> Iterator[Engine]:
    opened = open_engine(model, CONFIG, 0)
    yield opened
    opened.close()


def together(*calls: Coroutine[Any, Any, Any]) -> list[Any]:
    async def wait() -> list[Any]:
        return await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), timeout=120)

    return asyncio.run(wait())


def sample(engine: Engine, prompt: int, seed: int, **settings: Any) -> Coroutine[Any, Any, Completion]:
    return engine.sample(PROMPTS[prompt], Sampling(**{"max_tokens": 12, "seed": seed, **settings}))


def weights(model: Path) -> dict[str, torch.Tensor]:
    return dict(AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).state_dict())


def test_a_seed_decides_a_completion_whatever_else_is_in_the_batch(engine: Engine) -> None:
    (alone,) = together(sample(engine, 1, 7))
    others = [sample(engine, place % 4, 100 + place, max_tokens=3 + place) for place in range(20)]
    (_, beside, *_) = together(others[0], sample(engine, 1, 7), *others[1:])
    assert beside.ids == alone.ids and len(alone.ids) > 8
    assert beside.logprobs == pytest.approx(alone.logprobs, abs=1e-4)
    (other,) = together(sample(engine, 1, 8))
    assert other.ids != alone.ids


def test_a_stop_string_ends_the_text_and_is_not_part_of_it_but_its_ids_are_kept(engine: Engine) -> None:
    stops = tuple("abcdefghijklm")
    found = together(*(sample(engine, 0, seed, max_tokens=60, stop=stops) for seed in range(8)))
    assert sum(one.stop is Stop.STOP for one in found) >= 6
    for one in found:
        words = bytes(one.ids).decode("latin-1")
        assert not any(stop in one.text for stop in stops)
        assert len(one.ids) == len(one.logprobs)
        if one.stop is Stop.STOP and one.ids[-1] != 4:
            assert words[-1] in stops and len(one.text) == len(one.ids) - 1
        assert one.text == engine.tokenizer.decode(one.ids[: len(one.text)])


def test_the_end_token_stops_a_completion_and_is_kept_as_an_id(engine: Engine) -> None:
    found = together(*(sample(engine, 0, seed, max_tokens=100) for seed in range(8)))
    ended = [one for one in found if one.stop is Stop.STOP]
    assert ended and len(ended) < 8
    assert all(one.ids[-1] == 4 and 4 not in one.ids[:-1] and len(one.text) == len(one.ids) - 1 for one in ended)
    assert all(len(one.ids) == 100 and 4 not in one.ids for one in found if one.stop is Stop.LENGTH)


def test_sampled_log_probabilities_are_the_scores_of_the_same_ids(engine: Engine) -> None:
    sampled = together(*(sample(engine, place, place) for place in range(4)))
    scores = together(*(engine.score(PROMPTS[place], one.ids) for place, one in enumerate(sampled)))
    for one, score in zip(sampled, scores, strict=True):
        assert one.logprobs == pytest.approx(score, abs=1e-4)


def test_choices_have_the_scores_that_each_would_have_alone(engine: Engine) -> None:
    choices = tuple(b"abz")
    chosen = together(*(engine.choose(prompt, choices) for prompt in PROMPTS))
    alone = together(*(engine.score(prompt, [choice]) for prompt in PROMPTS for choice in choices))
    assert [score for row in chosen for score in row] == pytest.approx([one for (one,) in alone], abs=1e-4)
    assert len({round(score, 3) for row in chosen for score in row}) > 6


def test_many_one_token_answers_to_a_prompt_cost_one_pass_and_follow_its_distribution(model: Path) -> None:
    engine = Noting(model, CONFIG, 0)
    engine.batches = []
    drawn = together(*(sample(engine, 1, seed, max_tokens=1) for seed in range(2000)))
    (passes,) = engine.batches
    assert len(passes) == 1
    (scores,) = together(engine.choose(PROMPTS[1], range(engine.vocabulary)))
    seen = Counter(one.ids for one in drawn)
    for token, score in enumerate(scores):
        chance = math.exp(score)
        assert abs(seen[token,] - 2000 * chance) < 5 * math.sqrt(2000 * chance * (1 - chance)) + 1
    assert all(one.logprobs == pytest.approx([scores[one.ids[0]]], abs=1e-4) for one in drawn)
    engine.close()


def test_what_is_shared_ends_with_the_weights_that_said_it(model: Path) -> None:
    engine = open_engine(model, CONFIG, 0)
    (before,) = together(sample(engine, 1, 7, max_tokens=1))
    engine.publish((name, weight * 0.5) for name, weight in weights(model).items())
    (after,) = together(sample(engine, 1, 7, max_tokens=1))
    assert (before.version, after.version) == (0, 1) and before.logprobs != after.logprobs
    engine.close()


def test_one_token_answers_that_wait_together_are_counted_apart(model: Path) -> None:
    engine = Noting(model, CONFIG, 0, deterministic=True)
    engine.batches = []

    async def rollout(place: int) -> None:
        await asyncio.sleep(0.002 * place)
        await sample(engine, 1 + place // 3, place, max_tokens=1)

    async def run() -> None:
        async with Crew(engine) as crew:
            for place in range(6):
                crew.spawn(rollout(place))

    asyncio.run(asyncio.wait_for(run(), timeout=120))
    engine.close()
    assert [len(batch) for batch in engine.batches] == [2]


def test_temperature_sharpens_what_is_sampled(engine: Engine) -> None:
    (cold, warm) = together(sample(engine, 0, 1, temperature=0.02), sample(engine, 0, 1, temperature=1.0))
    assert sum(cold.logprobs) / len(cold.logprobs) > -1 > sum(warm.logprobs) / len(warm.logprobs)


def test_published_weights_change_what_is_sampled_and_count_a_version(model: Path) -> None:
    engine = open_engine(model, CONFIG, 0)
    (before,) = together(sample(engine, 0, 1))
    own = weights(model)
    generator = torch.Generator().manual_seed(0)
    noise = {name: 0.1 * torch.randn(weight.shape, generator=generator) for name, weight in own.items()}
    engine.publish((name, weight + noise[name]) for name, weight in own.items())
    (after,) = together(sample(engine, 0, 1))
    engine.publish(own.items())
    (again,) = together(sample(engine, 0, 1))
    assert (before.version, after.version, again.version, engine.version) == (0, 1, 2, 2)
    assert after.ids != before.ids
    assert (again.ids, again.logprobs) == (before.ids, before.logprobs)
    engine.close()


def test_an_error_of_the_engine_reaches_everyone_who_waits_and_it_works_again_once_mended(model: Path) -> None:
    engine = open_engine(model, CONFIG, 0)
    own = weights(model)
    engine.publish([("lm_head.weight", torch.full_like(own["lm_head.weight"], float("nan")))])
    answers = together(*(sample(engine, place % 4, place) for place in range(20)))
    assert len(answers) == 20 and all(isinstance(answer, RuntimeError) for answer in answers)
    engine.publish([("lm_head.weight", own["lm_head.weight"])])
    (mended,) = together(sample(engine, 0, 1))
    assert isinstance(mended, Completion)
    engine.close()


def test_a_prompt_that_does_not_fit_is_refused_at_once(engine: Engine) -> None:
    (answer,) = together(engine.sample((65,) * 120, Sampling(max_tokens=9)))
    assert isinstance(answer, ValueError) and "120 prompt + 9 new tokens exceed 128" in str(answer)


def test_someone_who_no_longer_waits_holds_up_nobody(engine: Engine) -> None:
    async def leave() -> Completion:
        gone = asyncio.create_task(sample(engine, 0, 1))
        stays = asyncio.create_task(sample(engine, 1, 7))
        await asyncio.sleep(0)
        gone.cancel()
        return await asyncio.wait_for(stays, timeout=120)

    assert asyncio.run(leave()).ids == together(sample(engine, 1, 7))[0].ids


def test_a_deterministic_engine_forms_the_same_batches_whenever_its_rollouts_are_ready(model: Path) -> None:
    def batches(order: list[int]) -> list[list[Any]]:
        engine = Noting(model, CONFIG.model_copy(update={"batch": 64}), 0, deterministic=True)
        engine.batches = []

        async def rollout(place: int) -> None:
            for turn in range(2 + place % 2):
                await asyncio.sleep(0.002 * Random(f"{order}{place}{turn}").randrange(5))
                await sample(engine, place % 4, 10 * place + turn, max_tokens=2)

        async def run() -> None:
            async with Crew(engine) as crew:
                for place in order:
                    crew.spawn(rollout(place))

        asyncio.run(run())
        engine.close()
        return engine.batches

    found = batches([0, 1, 2, 3, 4, 5, 6, 7])
    assert found == batches([6, 2, 7, 0, 5, 1, 3, 4])
    assert [len(batch) for batch in found] == [8, 8, 4]
    assert all(batch == sorted(batch) for batch in found)


def test_an_engine_nobody_knows_is_refused(model: Path) -> None:
    with pytest.raises(UserError, match="'vllm' or 'transformers'"):
        open_engine(model, CONFIG.model_copy(update={"engine": "other"}), 0)
