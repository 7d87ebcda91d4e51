"""One pass over a prompt for all the one-token answers to it.

In a small game hundreds of turns of a step ask the very same thing. Where the vocabulary is small too (a character
model that names a move by its label) the engine is asked once for the whole distribution of the next token, and every
turn draws from it with its own seed: the same draw, by the same inversion, as in `draw`.
"""

from __future__ import annotations

from selfplay import quiet  # noqa: F401  isort: skip  (before torch)
import torch

from selfplay.records import Sampling


class Shared:
    """The distribution of the token after one prompt. logprobs (V): at temperature 1."""

    def __init__(self, logprobs: tuple[float, ...]) -> None:
        self._logits = torch.tensor(logprobs)
        self._tables: dict[float, tuple[torch.Tensor, torch.Tensor]] = {}

    def draw(self, sampling: Sampling) -> tuple[int, float]:
        """(token id, its log-probability at the sampling's temperature). The seed, which must be set, decides."""
        logprobs, cumulated = self._table(sampling.temperature)
        assert sampling.seed is not None
        uniform = torch.rand(1, generator=torch.Generator().manual_seed(sampling.seed))
        token = int(torch.searchsorted(cumulated, uniform * cumulated[-1:], right=True))
        token = min(token, len(cumulated) - 1)
        return token, float(logprobs[token])

    def _table(self, temperature: float) -> tuple[torch.Tensor, torch.Tensor]:
        if temperature not in self._tables:
            logprobs = (self._logits / temperature).log_softmax(-1)
            self._tables[temperature] = logprobs, logprobs.exp().cumsum(-1)
        return self._tables[temperature]
