"""Do sampler and trainer hold the same policy? Measured after every publish, not assumed.

A weight transfer can fail silently: on CPU, a tied output head keeps its packed copy and the sampler speaks for old
weights, 1.8 nats away on average. A probe samples a few completions and lets the trainer score the same ids.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from selfplay.errors import UserError
from selfplay.policy.engine import Engine
from selfplay.records import Sampling


class Scorer(Protocol):
    def score(self, rows: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[tuple[float, ...]]: ...


@dataclass(frozen=True)
class Parity:
    """Differences of log-probability, sampler against trainer, in nats a token, over `tokens` sampled tokens."""

    mean: float
    max: float
    tokens: int


async def measure(engine: Engine, trainer: Scorer, prompts: Sequence[Sequence[int]], sampling: Sampling) -> Parity:
    """One completion a prompt, at the temperature that the policy is trained at; `max_tokens` is the most that fits."""
    sampled = await asyncio.gather(
        *(
            engine.sample(
                ids, replace(sampling, max_tokens=min(sampling.max_tokens, engine.max_len - len(ids)), seed=place)
            )
            for place, ids in enumerate(prompts)
        )
    )
    scored = trainer.score([(ids, completion.ids) for ids, completion in zip(prompts, sampled, strict=True)])
    gaps = [
        abs(one - other)
        for completion, logprobs in zip(sampled, scored, strict=True)
        for one, other in zip(completion.logprobs, logprobs, strict=True)
    ]
    return Parity(sum(gaps) / len(gaps), max(gaps), len(gaps))


def require(parity: Parity, mean: float, most: float) -> None:
    """Raises UserError when the weights did not arrive."""
    if not (parity.mean <= mean and parity.max <= most):  # not-a-number is out of bounds too
        raise UserError(
            "The sampler does not hold the weights that were published: its log-probabilities are "
            f"{parity.mean:.2f} nats off on average and {parity.max:.2f} at most (allowed: {mean} and {most}), so "
            "training was stopped before it could learn from a policy that is not its own; check the versions with "
            "`selfplay doctor`, or raise health.parity_mean and health.parity_max if you know why."
        )
