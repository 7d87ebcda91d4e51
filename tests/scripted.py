"""A policy that follows a script, through the engine's own door: what a proposer or a solver of known behaviour earns
is measured on the real gates, bank, scorer and credit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from selfplay.config import Config
from selfplay.curriculum.bank import Bank
from selfplay.curriculum.measure import Measured, measure
from selfplay.curriculum.plan import plan
from selfplay.parts import Rules
from selfplay.policy.engine import Engine, Request
from selfplay.records import Attempt, Completion, Proposal, Stop, Task
from selfplay.rollouts.step import Rollouts


class Letters:
    """A tokenizer of one id a character."""

    eos_token_id = None

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        return list(map(ord, text))

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = True) -> str:
        return "".join(map(chr, ids))

    def get_vocab(self) -> dict[str, int]:
        return {}

    def apply_chat_template(self, conversation: list[dict[str, str]], **options: Any) -> str:
        return "\n".join(message["content"] for message in conversation)


class Scripted(Engine):
    """`script(prompt, rng)` says what is written; `rng` is that of the request's own seed."""

    tokenizer = Letters()
    max_len = vocabulary = 1 << 16

    def __init__(self, script: Callable[[str, Random], str]) -> None:
        super().__init__(deterministic=False)
        self._script = script

    def _load(self, weights: Any) -> None:
        pass

    def close(self) -> None:
        pass

    async def _serve(self, take: Callable[[], list[Request]]) -> None:
        while requests := take():
            for request in requests:
                text = self._script(self.tokenizer.decode(request.prompt_ids), Random(request.sampling.seed))
                for stop in request.sampling.stop:
                    text = text.partition(stop)[0]
                ids = tuple(self.tokenizer.encode(text)) or (10,)
                said = Completion(ids, (-1.0,) * len(ids), text, Stop.STOP, self.version)
                if not request.future.done():
                    request.future.set_result(said)
            await asyncio.sleep(0)


@dataclass
class Played:
    """What some steps of a scripted run left behind."""

    bank: Bank
    proposals: list[Proposal] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    tasks: dict[str, Task] = field(default_factory=dict)
    rewards: list[float] = field(default_factory=list)
    """One a proposal, in order."""
    measured: list[Measured] = field(default_factory=list)


def play(config: Config, script: Callable[[str, Random], str], steps: int) -> Played:
    """The loop's steps, without the update."""
    rules = Rules.assemble(config)
    engine = Scripted(script)
    played = Played(rules.bank())

    async def run() -> None:
        for task in await rules.seeds():
            played.bank.admit(task)
        for step in range(1, steps + 1):
            rolled = Rollouts(step, config, engine, played.bank, rules.families, rules.games, rules.player)
            await rolled.run(plan(step, config, played.bank, rules.families, list(rules.games)))
            proposals = rolled.proposals
            measured = measure(rolled.attempts, rolled.attempted, rules.families, played.bank)
            samples = rules.credit.assign(proposals, rolled.attempts, [], measured.learnability)
            for task_id, why in rolled.evicted.items():
                played.bank.evict(task_id, why)
            played.bank.settle()
            played.proposals += proposals
            played.attempts += rolled.attempts
            played.tasks |= rolled.attempted
            played.measured.append(measured)
            played.rewards += [samples["proposal", proposal.index, 0].reward for proposal in proposals]

    try:
        asyncio.run(run())
    finally:
        rules.close()
    return played
