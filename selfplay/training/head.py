"""The output head of the packed forward pass: log-probability and entropy of given next tokens, in tiles.

TRL's fused head does the same, but where there is no Triton it scores every position, in fp32 tiles; with a vocabulary
of 49 thousand on two CPU cores that was the dearest part of a training step. This one scores only what is asked, a
position for as many tokens as one likes, keeps the matrix products in the compute type, and recomputes a tile's logits
in the backward pass instead of keeping them: memory of one tile.
"""

from __future__ import annotations

import types
from typing import Any

import torch

from selfplay.errors import UserError

TILE = 256
"""Questions a tile; TILE x vocabulary floats are alive at once."""


def attach(model: torch.nn.Module, temperature: float) -> None:
    """Give a causal language model a second way to be called: `model(..., asked=positions, labelled=tokens)`, each
    (B, M), returns the log-probabilities of these tokens after these positions of the B rows, and the entropies there,
    each (B, M) in fp32. It goes through `forward`, so that wrappers such as DDP and FSDP see it."""
    text = model.config.get_text_config()
    odd = [key for key in ("final_logit_softcapping", "logit_scale", "logits_scaling") if getattr(text, key, None)]
    if odd or model.get_output_embeddings().bias is not None:
        raise UserError(
            f"The model scales, caps or biases its logits ({', '.join(odd) or 'bias'}), which packing does not know: "
            "set training.pack = false."
        )
    original = model.forward

    def forward(
        self: Any, *args: Any, asked: torch.Tensor | None = None, labelled: torch.Tensor | None = None, **kwargs: Any
    ) -> Any:
        if asked is None or labelled is None:
            return original(*args, **kwargs)
        hidden = self.base_model(*args, **kwargs, use_cache=False).last_hidden_state
        hidden = hidden.take_along_dim(asked[..., None], 1).flatten(0, 1)
        head = self.get_output_embeddings()
        dtype = (
            torch.get_autocast_dtype(hidden.device.type)
            if torch.is_autocast_enabled(hidden.device.type)
            else hidden.dtype
        )
        logps, entropies = _Scores.apply(hidden.to(dtype), head.weight, labelled.flatten(), temperature)
        return logps.view_as(labelled), entropies.view_as(labelled)

    model.forward = types.MethodType(forward, model)


class _Scores(torch.autograd.Function):
    """(hidden (M, D), weight (V, D), labels (M)) → log-probabilities (M), entropies (M), in fp32. The gradient of both
    is exact."""

    @staticmethod
    def forward(
        ctx: Any, hidden: torch.Tensor, weight: torch.Tensor, labels: torch.Tensor, temperature: float
    ) -> tuple[torch.Tensor, torch.Tensor]:
        compute = weight.to(hidden.dtype)
        normalisers, logps, entropies = [], [], []
        for rows, own in zip(hidden.split(TILE), labels.split(TILE), strict=True):
            logits = (rows @ compute.T).float().div_(temperature)
            normaliser = logits.logsumexp(-1)
            logps.append(logits.gather(1, own[:, None])[:, 0] - normaliser)
            expected = (logits - normaliser[:, None]).exp_().mul_(logits).sum(-1)
            entropies.append(normaliser - expected)
            normalisers.append(normaliser)
        found = [
            torch.cat(parts) if parts else hidden.new_zeros(0).float() for parts in (normalisers, logps, entropies)
        ]
        ctx.save_for_backward(hidden, compute, labels, found[0], found[2])
        ctx.temperature, ctx.weight_dtype = temperature, weight.dtype
        ctx.set_materialize_grads(False)
        return found[1], found[2]

    @staticmethod
    def backward(ctx: Any, by_logps: torch.Tensor | None, by_entropies: torch.Tensor | None) -> tuple[Any, ...]:
        hidden, compute, labels, normalisers, entropies = ctx.saved_tensors
        to_hidden = torch.zeros_like(hidden)
        to_weight = torch.zeros(compute.shape, dtype=ctx.weight_dtype, device=compute.device)
        for start in range(0, len(hidden), TILE):
            at = slice(start, start + TILE)
            logp = (hidden[at] @ compute.T).float().div_(ctx.temperature).sub_(normalisers[at, None])
            probability = logp.exp()
            slope = torch.zeros_like(logp) if by_logps is None else probability * -by_logps[at, None]
            if by_logps is not None:
                slope.scatter_add_(1, labels[at, None], by_logps[at, None])
            if by_entropies is not None:  # dH/dz = -p (log p + H)
                slope -= probability.mul_(logp.add_(entropies[at, None])).mul_(by_entropies[at, None])
            slope = slope.div_(ctx.temperature).to(hidden.dtype)
            to_hidden[at] = slope @ compute
            if ctx.needs_input_grad[1]:
                to_weight += slope.T @ hidden[at]
        return to_hidden, to_weight if ctx.needs_input_grad[1] else None, None, None
