"""vLLM, in process: the sampler of every real run, on CPU or GPU.

Source: vLLM 0.31 (`LLMEngine.add_request` / `step`, `Worker.reload_weights`). Deviation from TRL's colocated sync,
which calls `model.load_weights`: CPU layers repack their weights after loading, so only a layer-wise reload reaches the
packed copies, and a tied output head is packed apart and must be packed again (`_repack_head`).

Everything that touches vLLM runs in one worker thread, so the event loop stays free for verifiers and games meanwhile.
Two engines in one process (the policy and a league's rival) take turns: vLLM keeps its forward context in a global.
The GPU path is written but has not been run.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selfplay import quiet  # noqa: F401  (before torch and vLLM)
from selfplay.policy.draw import invert
from selfplay.policy.engine import Engine, Request, ends
from selfplay.policy.prefixes import BLOCK, Prefixes
from selfplay.records import Completion, Stop

if TYPE_CHECKING:
    import torch

    from selfplay.config import SamplerConfig


_TURN = threading.Lock()


class VLLMEngine(Engine):
    """`LLM` with its engine stepped by hand. Raises whatever vLLM raises when the model does not load."""

    def __init__(self, model: Path, config: SamplerConfig, seed: int, deterministic: bool = False) -> None:
        super().__init__(deterministic)
        self._llm = self._thread.submit(_open, model, config, seed).result()
        self._core = self._llm.llm_engine
        self.tokenizer = self._llm.get_tokenizer()
        self.max_len = self._llm.model_config.max_model_len
        self.vocabulary = self._llm.model_config.get_vocab_size()
        self._ends = ends(self.tokenizer)
        self._names = itertools.count()
        self._running: dict[str, Request] = {}
        self._waiting: list[Request] = []
        self._prefixes = Prefixes()

    def _load(self, weights: Iterable[tuple[str, torch.Tensor]]) -> None:
        import torch

        if torch.cuda.is_available():  # the update ran on another stream than the sampler's
            torch.cuda.synchronize()
        self._thread.submit(self._reload, weights).result()
        if torch.cuda.is_available():
            torch.cuda.synchronize()

    def close(self) -> None:
        del self._core, self._llm
        self._thread.shutdown(wait=True)

    async def _serve(self, take: Callable[[], list[Request]]) -> None:
        loop = asyncio.get_running_loop()
        arrivals = take()
        while arrivals or self._waiting or self._running:
            for output in await loop.run_in_executor(self._thread, self._advance, arrivals):
                request = self._running.pop(output.request_id)
                if not request.future.done():  # its rollout may have been cancelled
                    request.future.set_result(_read(output, request, self.version))
            await asyncio.sleep(0)
            arrivals = [] if self._deterministic else take()

    def _advance(self, arrivals: list[Request]) -> list[Any]:
        waiting = self._waiting + arrivals
        starts = self._prefixes.admit([request.prompt_ids for request in waiting])
        self._waiting = [request for request, start in zip(waiting, starts, strict=True) if not start]
        self._start([request for request, start in zip(waiting, starts, strict=True) if start])
        with _TURN:
            outputs = self._core.step()
        self._prefixes.computed()
        return [output for output in outputs if output.finished]

    def _start(self, requests: list[Request]) -> None:
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        for request in requests:
            name, asked = str(next(self._names)), request.sampling
            ids = request.prompt_ids + request.scored
            params = SamplingParams(
                max_tokens=asked.max_tokens,
                temperature=asked.temperature,
                stop=list(asked.stop),
                stop_token_ids=self._ends,
                seed=asked.seed,
                logprobs=None if request.choices else 0,
                prompt_logprobs=0 if request.scored else None,
                logprob_token_ids=list(request.choices) or None,
                output_kind=RequestOutputKind.FINAL_ONLY,
            )
            self._core.add_request(name, {"prompt_token_ids": list(ids)}, params)
            self._running[name] = request

    def _reload(self, weights: Iterable[tuple[str, torch.Tensor]]) -> None:
        worker = self._core.model_executor.driver_worker
        with _TURN:
            worker.reload_weights(weights_iterator=weights)
            self._repack_head(worker.get_model())
        self._core.reset_prefix_cache()
        self._prefixes.forget()

    @staticmethod
    def _repack_head(model: torch.nn.Module) -> None:
        """A tied output head keeps its packed copy through a reload on CPU: pack it again, or it speaks for old
        weights."""
        from vllm.model_executor.layers.utils import dispatch_cpu_unquantized_gemm
        from vllm.platforms import current_platform

        if current_platform.is_cpu():
            dispatch_cpu_unquantized_gemm(model.lm_head, remove_weight=False)


def _open(model: Path, config: SamplerConfig, seed: int) -> Any:
    import torch

    if not torch.cuda.is_available():
        os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", str(config.kv_cache_gib))
    from vllm import LLM

    with _TURN:
        llm = LLM(
            model=str(model),
            dtype=config.dtype,
            max_model_len=config.max_len,
            max_num_seqs=config.batch,
            seed=seed,
            enforce_eager=not torch.cuda.is_available(),
            logprobs_mode="processed_logprobs",
            gpu_memory_utilization=config.gpu_memory,
            disable_log_stats=True,
            async_scheduling=False,
            # A seeded request whose prompt is split over two steps crashes vLLM's CPU sampler: prompts are not split.
            enable_chunked_prefill=torch.cuda.is_available(),
            enable_prefix_caching=True,
            block_size=BLOCK,
            max_num_batched_tokens=max(config.max_len, 4096),
            use_tqdm_on_load=False,
        )
    if not torch.cuda.is_available():
        llm.llm_engine.model_executor.driver_worker.model_runner.sampler.topk_topp_sampler.forward = invert
    return llm


def _read(output: Any, request: Request, version: int) -> Completion | tuple[float, ...]:
    if request.choices:
        (at,) = output.outputs[0].logprobs
        return tuple(at[token].logprob for token in request.choices)
    if request.scored:
        tail = output.prompt_logprobs[len(request.prompt_ids) :]
        return tuple(at[token].logprob for at, token in zip(tail, request.scored, strict=True))
    (written,) = output.outputs
    return Completion(
        ids=tuple(written.token_ids),
        logprobs=tuple(at[token].logprob for at, token in zip(written.logprobs, written.token_ids, strict=True)),
        text=written.text,
        stop=Stop.LENGTH if written.finish_reason == "length" else Stop.STOP,
        version=version,
    )
