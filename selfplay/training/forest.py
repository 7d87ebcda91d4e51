"""Rows that share a prefix, packed into one forest of tokens.

Rollouts repeat themselves: the attempts at a task share its prompt, the proposals of a step share their references, a
small game asks the same question hundreds of times. A forest holds each distinct prefix once; a token attends to its
ancestors only, and its position is its depth. Log-probabilities and gradients are those of the separate rows, since the
loss is a sum over (ancestor path, next token). What it saves: `selfplay bench train`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import torch


@dataclass
class Forest:
    """A growing prefix forest. N nodes; node i's parent comes before it, and node i predicts exactly one next token.

    Only inputs become nodes: the last token of a row is predicted, never read. Where rows part, the node before the
    parting stands once for each continuation, so that every node has one label (what a fused output head asks for).
    """

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)
    """The token each node is scored on; -100 where only a prompt continues."""
    _nodes: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.tokens)

    def grow(self, prompt: Sequence[int], completion: Sequence[int]) -> list[int]:
        """Add one row; the node that predicts each completion token, in order. The prompt must not be empty."""
        node, heads, row = -1, [], [*prompt, *completion]
        for index, (token, following) in enumerate(pairwise(row)):
            key = (node, token, following)
            node = self._nodes.get(key, -1)
            if node < 0:
                node = self._nodes[key] = len(self.tokens)
                self.tokens.append(token)
                self.parents.append(key[0])
                self.labels.append(-100)
            if index >= len(prompt) - 1:
                self.labels[node] = following
                heads.append(node)
        return heads

    def cost(self, prompt: Sequence[int], completion: Sequence[int]) -> int:
        """How many nodes the row would add."""
        node, row = -1, [*prompt, *completion]
        for index, (token, following) in enumerate(pairwise(row)):
            node = self._nodes.get((node, token, following), -1)
            if node < 0:
                return len(row) - 1 - index
        return 0

    def inputs(self, device: torch.device, dtype: torch.dtype) -> dict[str, torch.Tensor]:
        """What a causal language model with `head.attach` takes for one row of N tokens: `input_ids`, `position_ids`
        and `labelled` (1, N), and the additive `attention_mask` (1, 1, N, N): 0 where the row's node may look at the
        column's."""
        size = len(self.tokens)
        mask = np.zeros((size, size), dtype=bool)
        depth = np.zeros(size, dtype=np.int64)
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                mask[node, : parent + 1] = mask[parent, : parent + 1]
                depth[node] = depth[parent] + 1
            mask[node, node] = True
        arrays = {
            "input_ids": torch.tensor([self.tokens]),
            "position_ids": torch.from_numpy(depth)[None],
            "labelled": torch.tensor([self.labels]),
            "attention_mask": torch.zeros(1, 1, size, size, dtype=dtype).masked_fill_(
                torch.from_numpy(~mask), torch.finfo(dtype).min
            ),
        }
        return {name: array.to(device) for name, array in arrays.items()}


def real_tokens(input_ids: torch.Tensor, mask: torch.Tensor, width: int) -> Iterator[tuple[list[int], list[int]]]:
    """(prompt, completion) of each padded row: prompts padded on the left, completions of `width` columns on the
    right."""
    ids, real = input_ids.tolist(), mask.tolist()
    for row, keep in zip(ids, real, strict=True):
        kept = [
            [t for t, k in zip(row[part], keep[part], strict=True) if k]
            for part in (slice(None, -width), slice(-width, None))
        ]
        yield kept[0], kept[1]
