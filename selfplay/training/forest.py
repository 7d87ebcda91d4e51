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
    """A growing prefix forest of N nodes, each after its parent, and M questions: how likely is this token after that
    node? Where rows part after a node, it is asked about each continuation.

    Only inputs become nodes: the last token of a row is predicted, never read.
    """

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    """The node of each question,"""
    labels: list[int] = field(default_factory=list)
    """and its token."""
    _nodes: dict[tuple[int, int], int] = field(default_factory=dict)
    _questions: dict[tuple[int, int], int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.tokens)

    def grow(self, prompt: Sequence[int], completion: Sequence[int]) -> list[int]:
        """Add one row; the question about each completion token, in order. The prompt must not be empty."""
        node, questions = -1, []
        for index, (token, following) in enumerate(pairwise([*prompt, *completion])):
            parent = node
            node = self._nodes.setdefault((parent, token), len(self.tokens))
            if node == len(self.tokens):
                self.tokens.append(token)
                self.parents.append(parent)
            if index >= len(prompt) - 1:
                question = self._questions.setdefault((node, following), len(self.asked))
                if question == len(self.asked):
                    self.asked.append(node)
                    self.labels.append(following)
                questions.append(question)
        return questions

    def cost(self, prompt: Sequence[int], completion: Sequence[int]) -> int:
        """How many nodes the row would add."""
        node, read = -1, [*prompt, *completion][:-1]
        for index, token in enumerate(read):
            node = self._nodes.get((node, token), -1)
            if node < 0:
                return len(read) - index
        return 0

    def inputs(self, device: torch.device, dtype: torch.dtype) -> dict[str, torch.Tensor]:
        """What a causal language model with `head.attach` takes for one row of N tokens: `input_ids` and `position_ids`
        (1, N), `asked` and `labelled` (1, M), and the additive `attention_mask` (1, 1, N, N): 0 where the row's node
        may look at the column's."""
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
            "asked": torch.tensor([self.asked]),
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
