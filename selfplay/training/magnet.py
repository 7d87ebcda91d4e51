"""A slowly moving copy of the policy that the policy is pulled toward.

Source: magnetic mirror descent (arXiv 2206.05825). In zero-sum self-play the last policy cycles without it; with it the
last policy approaches equilibrium. The magnet is an exponential average of the weights, moved after each step. Saved in
checkpoints.

The penalty is KL(policy, magnet) over what is legal, by its score-function gradient: each sampled token of a legal turn
loses weight x (log policy - log magnet) of its advantage, centred on its mean over the legal turns at the same state,
which changes no expectation. Words that are no move are left out, because a magnet that began by babbling would hold
the policy to it: with the penalty over all words Kuhn poker's format is learnt late or never, and some seeds end in a
habit that nothing explores away from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch

from selfplay.training.rows import Row

Weights = Mapping[str, torch.Tensor]


class Magnet:
    """`rate`: the share of the way to the policy that the magnet moves in one step."""

    def __init__(self, weights: Weights, rate: float) -> None:
        self.rate = rate
        self._average = {name: weight.detach().clone() for name, weight in weights.items()}

    @torch.no_grad()
    def follow(self, weights: Weights) -> None:
        for name, weight in weights.items():
            self._average[name].lerp_(weight.detach(), self.rate)

    @contextmanager
    def in_place_of(self, weights: Mapping[str, torch.nn.Parameter]) -> Iterator[None]:
        """The magnet's values in the policy's parameters, for a forward pass without gradients."""
        kept = {name: weight.data for name, weight in weights.items()}
        try:
            for name, weight in weights.items():
                weight.data = self._average[name]
            yield
        finally:
            for name, weight in weights.items():
                weight.data = kept[name]

    def state_dict(self) -> dict[str, torch.Tensor]:
        return self._average

    def load_state_dict(self, state: dict[str, torch.Tensor]) -> None:
        for name, weight in state.items():
            self._average[name].copy_(weight)


def pulls(parts: Sequence[Sequence[Row]], gaps: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """log policy - log magnet of each token (B, C a micro-batch), centred: on its weighted mean over the legal rows
    that were at the same state (prompt and words so far), or over the whole batch where a state was seen once. 0 for
    rows that are not legal, and for padding."""
    seen = [
        (part, row, column, (rows[row].prompt, rows[row].completion[:column]), rows[row].weight, value)
        for part, (rows, gap) in enumerate(zip(parts, gaps, strict=False))
        for row, values in zip(range(len(rows)), gap.tolist(), strict=False)
        if rows[row].legal
        for column, value in enumerate(values[: len(rows[row].completion)])
    ]
    totals: dict[object, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for _, _, _, state, weight, value in seen:
        for key in (state, None):
            totals[key][0] += weight * value
            totals[key][1] += weight
    centred = [torch.zeros_like(gap) for gap in gaps]
    for part, row, column, state, _, value in seen:
        total, weight = totals[state] if totals[state][1] > 1 else totals[None]
        centred[part][row, column] = value - total / weight
    return centred
