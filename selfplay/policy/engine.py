"""What every policy engine promises, and the pump that both share.

A rollout awaits `sample`; it never sees a batch. The pump admits whatever is pending between two engine steps, so the
batch stays full with no barrier between proposals, attempts and games. With `deterministic = true` it waits until every
live rollout is parked, orders the pending requests by content and runs them as one fixed batch, so that two runs agree.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from selfplay.clock import Clock
from selfplay.records import Completion, Sampling, Stop

if TYPE_CHECKING:
    import torch

    from selfplay.policy.shared import Shared

SMALL = 128
"""The largest vocabulary of which an engine gives all next tokens at once (vLLM 0.31's own limit)."""


class Tokenizer(Protocol):
    """The part of a transformers tokenizer that the engine uses."""

    eos_token_id: int | None

    def encode(self, text: str, add_special_tokens: bool = ...) -> list[int]: ...
    def get_vocab(self) -> dict[str, int]: ...
    def apply_chat_template(self, conversation: list[dict[str, str]], **options: Any) -> str: ...
    def decode(self, ids: Sequence[int], skip_special_tokens: bool = ...) -> str: ...


@dataclass(eq=False)
class Request:
    """One pending call: a completion to sample, or given ids to score: one after the other (`scored`), or each as the
    next one (`choices`)."""

    prompt_ids: tuple[int, ...]
    sampling: Sampling
    future: asyncio.Future[Any]
    scored: tuple[int, ...] = ()
    choices: tuple[int, ...] = ()
    sharers: int = 0
    """How many others wait for the same answer."""

    @property
    def order(self) -> tuple[Any, ...]:
        return (self.sampling.seed or 0, self.prompt_ids, self.scored, self.choices)


class Engine(ABC):
    """A policy that can be sampled, scored and republished.

    version: how many updates have been published. busy: the time in which anything was asked of it.
    tokenizer: the policy's own.
    max_len: the longest prompt + completion, in tokens. vocabulary: how many ids the model gives a probability.
    """

    tokenizer: Tokenizer
    max_len: int
    vocabulary: int
    _ends: list[int]

    def __init__(self, deterministic: bool) -> None:
        self.version = 0
        self.busy = Clock()
        self._deterministic = deterministic
        self._quiet: Callable[[], bool] = lambda: True
        self._pending: list[Request] = []
        self._asked: set[asyncio.Future[Any]] = set()
        self._next: dict[tuple[int, ...], Request] = {}
        self._shared: dict[tuple[int, ...], Shared] = {}
        self._words: dict[int, str] = {}
        self._pump: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="policy")

    async def sample(self, prompt_ids: Sequence[int], sampling: Sampling) -> Completion:
        """One completion. Seeds make it independent of what else is in the batch, up to the engine's numerics."""
        if len(prompt_ids) + sampling.max_tokens > self.max_len:
            raise ValueError(f"{len(prompt_ids)} prompt + {sampling.max_tokens} new tokens exceed {self.max_len}")
        if sampling.max_tokens == 1 and sampling.seed is not None and self.vocabulary <= SMALL:
            return await self._draw(tuple(prompt_ids), sampling)
        return await self._request(tuple(prompt_ids), sampling).future

    async def score(self, prompt_ids: Sequence[int], completion_ids: Sequence[int]) -> tuple[float, ...]:
        """The log-probability of each completion id after the prompt, in nats, at temperature 1."""
        return await self._request(tuple(prompt_ids), Sampling(max_tokens=1), scored=tuple(completion_ids)).future

    async def choose(self, prompt_ids: Sequence[int], choices: Sequence[int]) -> tuple[float, ...]:
        """The log-probability of each of these ids as the next one, in nats, at temperature 1: one pass over the prompt
        for all of them, where `score` takes one each."""
        return await self._request(tuple(prompt_ids), Sampling(max_tokens=1), choices=tuple(choices)).future

    @property
    def waiting(self) -> int:
        """How many calls nobody has begun to answer."""
        return sum(1 + request.sharers for request in self._pending)

    def when_quiet(self, quiet: Callable[[], bool]) -> None:
        """Tell the deterministic pump how to know that what is waiting is all that can come before it moves."""
        self._quiet = quiet

    def publish(self, weights: Iterable[tuple[str, torch.Tensor]]) -> None:
        """Put new weights (names as in `state_dict`) into the sampler, in memory, and count one version up."""
        self._load(weights)
        self.forget()
        self.version += 1

    def forget(self) -> None:
        """Let go of the answers that later calls would have shared."""
        self._next.clear()
        self._shared.clear()

    @abstractmethod
    def _load(self, weights: Iterable[tuple[str, torch.Tensor]]) -> None:
        """New weights, in memory."""

    @abstractmethod
    def close(self) -> None:
        """Free what the engine holds."""

    @abstractmethod
    async def _serve(self, take: Callable[[], list[Request]]) -> None:
        """Work until `take()` and the engine are both empty; `take` hands over what is pending now."""

    async def _draw(self, prompt_ids: tuple[int, ...], sampling: Sampling) -> Completion:
        """A completion of one token, from the distribution that all calls with this prompt share."""
        from selfplay.policy.shared import Shared

        if prompt_ids in self._next:
            self._next[prompt_ids].sharers += 1
        else:
            every = tuple(range(self.vocabulary))
            self._next[prompt_ids] = self._request(prompt_ids, Sampling(max_tokens=1), choices=every)
        version, logprobs = self.version, await asyncio.shield(self._next[prompt_ids].future)
        if prompt_ids not in self._shared:
            self._shared[prompt_ids] = Shared(logprobs)
        token, logprob = self._shared[prompt_ids].draw(sampling)
        ended = token in self._ends
        if token not in self._words:
            self._words[token] = self.tokenizer.decode([token])
        text = "" if ended else self._words[token]
        found = [place for stop in sampling.stop if (place := text.find(stop)) >= 0]
        stop = Stop.STOP if ended or found else Stop.LENGTH
        return Completion((token,), (logprob,), text[: min(found)] if found else text, stop, version)

    def _request(self, prompt_ids: tuple[int, ...], sampling: Sampling, **given: tuple[int, ...]) -> Request:
        """A call for the pump to take, with the future that will hold its answer."""
        future = asyncio.get_running_loop().create_future()
        self.busy.__enter__()
        future.add_done_callback(self.busy.__exit__)
        self._asked.add(future)
        future.add_done_callback(self._asked.discard)
        request = Request(prompt_ids, sampling, future, **given)
        self._pending.append(request)
        if self._pump is None or self._pump.done():
            self._pump = asyncio.create_task(self._run())
        return request

    async def _run(self) -> None:
        try:
            while self._pending:
                await asyncio.sleep(0)  # let the rollouts that are ready now ask as well
                while self._deterministic and not self._quiet():
                    await asyncio.sleep(0.001)
                await self._serve(self._take)
        except Exception as error:  # whoever waits must hear of it: a rollout that is never answered would hang the run
            self._pending.clear()
            for future in list(self._asked):
                if not future.done():
                    future.set_exception(error)

    def _take(self) -> list[Request]:
        taken, self._pending = self._pending, []
        return sorted(taken, key=lambda request: request.order) if self._deterministic else taken


def ends(tokenizer: Tokenizer) -> list[int]:
    """The ids that end a text: the tokenizer's own, and `<|endoftext|>`, which a chat model writes when it merely
    continues."""
    found = {tokenizer.eos_token_id, tokenizer.get_vocab().get("<|endoftext|>")}
    return sorted(token for token in found if token is not None)
