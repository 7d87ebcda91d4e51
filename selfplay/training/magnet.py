"""A slowly moving copy of the policy that the policy is pulled toward.

Source: magnetic mirror descent (arXiv 2206.05825). In zero-sum self-play the last policy cycles without it; with it the
last policy approaches equilibrium. The magnet is an exponential average of the weights, moved after each step. Saved in
checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch

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
