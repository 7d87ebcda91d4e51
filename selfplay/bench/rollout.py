"""How far sampling is from one bare vLLM call, and what drawing tokens our way is worth."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from selfplay.config import SamplerConfig
from selfplay.models import resolve
from selfplay.quiet import hushed
from selfplay.records import Sampling

PROMPT = "def f(n):\n    return n + 1\n# input: 3\n\n" * 8 + "def f("
ROWS, LENGTH = 64, 48


def measure() -> dict[str, float]:
    """The embedded model, 64 seeded completions of 48 tokens behind one prompt, each way once after a warm-up.

    tokens_per_s: through the engine's coroutines. bare_tokens_per_s: one `LLM.generate` call of the same requests.
    vs_bare: their ratio. vllm_draw_tokens_per_s: the bare call with vLLM's own way of drawing. draw_speedup: what
    inverting the distribution gains over it.
    """
    with hushed():
        from selfplay.policy.vllm import VLLMEngine

        engine = VLLMEngine(resolve("embedded"), SamplerConfig(max_len=512), seed=0)
    ids = engine.tokenizer.encode(PROMPT, add_special_tokens=False)
    asyncio.run(_ours(engine, ids, 8))
    ours, bare = asyncio.run(_ours(engine, ids, ROWS)), _bare(engine, ids)
    drawer = engine._llm.llm_engine.model_executor.driver_worker.model_runner.sampler.topk_topp_sampler
    mine, drawer.forward = drawer.forward, type(drawer).forward_cpu.__get__(drawer)
    theirs = _bare(engine, ids)
    drawer.forward = mine
    engine.close()
    return {
        "tokens_per_s": ours,
        "bare_tokens_per_s": bare,
        "vs_bare": ours / bare,
        "vllm_draw_tokens_per_s": theirs,
        "draw_speedup": bare / theirs,
    }


async def _ours(engine: Any, ids: list[int], rows: int) -> float:
    started = time.perf_counter()
    found = await asyncio.gather(*(engine.sample(ids, Sampling(LENGTH, seed=row)) for row in range(rows)))
    return sum(len(completion.ids) for completion in found) / (time.perf_counter() - started)


def _bare(engine: Any, ids: list[int]) -> float:
    from vllm import SamplingParams

    params = [SamplingParams(max_tokens=LENGTH, seed=row, logprobs=0) for row in range(ROWS)]
    prompts = [{"prompt_token_ids": ids}] * ROWS
    call = engine._thread.submit
    call(lambda: engine._llm.generate(prompts[:8], params[:8], use_tqdm=False)).result()
    started = time.perf_counter()
    found = call(lambda: engine._llm.generate(prompts, params, use_tqdm=False)).result()
    return sum(len(output.outputs[0].token_ids) for output in found) / (time.perf_counter() - started)
