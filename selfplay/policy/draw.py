"""Drawing tokens on CPU: one uniform number a row instead of one exponential a row and vocabulary entry.

vLLM draws by the exponential race, which on CPU costs as much as the rest of a step when requests carry seeds
(`selfplay bench rollout`, `draw_speedup`). Inverting the cumulative distribution draws from the same probabilities.
Same signature as vLLM 0.31's `TopKTopPSampler.forward`; top-k and top-p are never set by this engine, and refused here.
"""

from __future__ import annotations

import torch


def invert(
    logits: torch.Tensor, generators: dict[int, torch.Generator], k: torch.Tensor | None, p: torch.Tensor | None
) -> tuple[torch.Tensor, torch.Tensor]:
    """logits (B, V), already divided by temperature; `generators` by row → token ids (B), log-probabilities (B, V) in
    fp32."""
    if k is not None or p is not None:
        raise ValueError("the sampled policy is the trained policy: top-k and top-p stay off")
    logprobs = logits.log_softmax(dim=-1, dtype=torch.float32)
    cumulated = logprobs.exp().cumsum(-1)
    uniform = torch.rand(logits.size(0), 1)
    for row, generator in generators.items():
        uniform[row] = torch.rand(1, generator=generator)
    tokens = torch.searchsorted(cumulated, uniform * cumulated[:, -1:], right=True)
    return tokens.clamp(max=logits.size(1) - 1)[:, 0], logprobs
