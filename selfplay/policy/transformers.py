"""A small engine on transformers alone: the same contract as vLLM's, for tests and for machines without vLLM.

One static batch at a time, left-padded, with a key-value cache; each request draws from a generator of its own, so a
seed decides a completion whatever else is in the batch (up to floating point).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from selfplay import quiet  # noqa: F401  isort: skip  (before torch)
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from selfplay.policy.engine import Engine, Request, ends
from selfplay.records import Completion, Stop

if TYPE_CHECKING:
    from selfplay.config import SamplerConfig


class TransformersEngine(Engine):
    """`sampler.batch` bounds the rows of one batch; `dtype` is the compute type of its own copy of the weights."""

    def __init__(self, model: Path, config: SamplerConfig, seed: int, deterministic: bool = False) -> None:
        super().__init__(deterministic)
        self._model = AutoModelForCausalLM.from_pretrained(model, dtype=getattr(torch, config.dtype)).eval()
        self.tokenizer = AutoTokenizer.from_pretrained(model)
        self.max_len, self._batch, self._seed = config.max_len, config.batch, seed
        self.vocabulary = self._model.config.vocab_size
        self._ends = ends(self.tokenizer)

    def _load(self, weights: Iterable[tuple[str, torch.Tensor]]) -> None:
        own = self._model.state_dict()
        with torch.no_grad():
            for name, weight in weights:
                own[name].copy_(weight)

    def close(self) -> None:
        del self._model
        self._thread.shutdown(wait=True)

    async def _serve(self, take: Callable[[], list[Request]]) -> None:
        arrivals = take()
        for start in range(0, len(arrivals), self._batch):
            part = arrivals[start : start + self._batch]
            answers = await asyncio.get_running_loop().run_in_executor(self._thread, self._answer, part)
            for request, answer in zip(part, answers, strict=True):
                if not request.future.done():
                    request.future.set_result(answer)

    @torch.no_grad()
    def _answer(self, requests: list[Request]) -> list[Completion | tuple[float, ...]]:
        answers: dict[int, Completion | tuple[float, ...]] = {}
        sampled = [i for i, request in enumerate(requests) if not request.scored and not request.choices]
        for i in set(range(len(requests))) - set(sampled):
            answers[i] = self._score(requests[i])
        if sampled:
            answers |= zip(sampled, self._sample([requests[i] for i in sampled]), strict=True)
        return [answers[i] for i in range(len(requests))]

    def _score(self, request: Request) -> tuple[float, ...]:
        if request.choices:
            logprobs = self._model(torch.tensor([request.prompt_ids])).logits[0, -1].float().log_softmax(-1)
            return tuple(logprobs[list(request.choices)].tolist())
        ids = torch.tensor([[*request.prompt_ids, *request.scored]])
        logprobs = self._model(ids).logits[0, len(request.prompt_ids) - 1 : -1].float().log_softmax(-1)
        return tuple(logprobs.gather(1, ids[0, len(request.prompt_ids) :, None])[:, 0].tolist())

    def _sample(self, requests: list[Request]) -> list[Completion]:
        drafts = [_Draft(request, self._seed) for request in requests]
        wide = max(len(request.prompt_ids) for request in requests)
        ids = torch.tensor([[0] * (wide - len(r.prompt_ids)) + list(r.prompt_ids) for r in requests])
        mask = torch.tensor([[0] * (wide - len(r.prompt_ids)) + [1] * len(r.prompt_ids) for r in requests])
        cache = None
        while not all(draft.stop for draft in drafts):
            positions = (mask.cumsum(1) - 1).clamp(min=0)[:, -ids.size(1) :]
            out = self._model(ids, attention_mask=mask, position_ids=positions, past_key_values=cache, use_cache=True)
            cache, logits = out.past_key_values, out.logits[:, -1].float()
            tokens = [draft.draw(row, self.tokenizer, self._ends) for draft, row in zip(drafts, logits, strict=True)]
            ids = torch.tensor(tokens)[:, None]
            mask = torch.cat([mask, torch.ones_like(ids)], dim=1)
        return [draft.completion(self.version) for draft in drafts]


class _Draft:
    """One completion in the making."""

    def __init__(self, request: Request, seed: int) -> None:
        self.asked = request.sampling
        self.rng = torch.Generator().manual_seed(self.asked.seed if self.asked.seed is not None else seed)
        self.ids: list[int] = []
        self.logprobs: list[float] = []
        self.text = ""
        self.stop: Stop | None = None

    def draw(self, logits: torch.Tensor, tokenizer: object, end_ids: list[int]) -> int:
        """The next token; a finished draft repeats its last one, unseen."""
        if self.stop:
            return self.ids[-1]
        logprobs = (logits / self.asked.temperature).log_softmax(-1)
        token = int(torch.multinomial(logprobs.exp(), 1, generator=self.rng))
        self.ids.append(token)
        self.logprobs.append(float(logprobs[token]))
        ended = token in end_ids
        self.text = tokenizer.decode(self.ids[:-1] if ended else self.ids)
        found = [place for text in self.asked.stop if (place := self.text.find(text)) >= 0]
        if found:
            self.text = self.text[: min(found)]
        if found or ended:
            self.stop = Stop.STOP
        elif len(self.ids) >= self.asked.max_tokens:
            self.stop = Stop.LENGTH
        return token

    def completion(self, version: int) -> Completion:
        assert self.stop is not None
        return Completion(tuple(self.ids), tuple(self.logprobs), self.text, self.stop, version)
