"""From samples to micro-batches: identical rows merged, prefixes kept together, padding last.

Merging is exact: the clipped loss is linear in the advantage as long as its sign is fixed, so n rows with the same
(prompt, completion, version, sign of the advantage) have the gradient of one row with their mean advantage, counted n
times. Kuhn poker has at most 48 such rows, however many games are played. (A magnet moves advantages after merging:
where that turns the sign of some of a row's samples and the ratio is clipped, the row speaks for their mean.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from random import Random

import torch

from selfplay.records import Sample
from selfplay.training.forest import Forest


@dataclass(frozen=True)
class Row:
    """One distinct (prompt, completion). `weight` counts the samples in it; `advantage` is their mean; `legal` is
    theirs. `sampled`: somebody said it; of a row that only could have been said, `logprobs` are not known."""

    prompt: tuple[int, ...]
    completion: tuple[int, ...]
    logprobs: tuple[float, ...]
    advantage: float
    weight: int
    legal: bool = True
    sampled: bool = True


def merge(samples: Sequence[Sample]) -> list[Row]:
    """Distinct rows, sorted so that common prefixes are neighbours. Samples without tokens carry no gradient and are
    left out."""
    groups: dict[tuple[tuple[int, ...], tuple[int, ...], int, bool], list[Sample]] = {}
    for sample in samples:
        completion = sample.turn.completion
        if completion.ids:
            key = (sample.turn.prompt_ids, completion.ids, completion.version, sample.advantage > 0)
            groups.setdefault(key, []).append(sample)
    return [
        Row(
            prompt,
            completion,
            tuple(sum(at) / len(group) for at in zip(*(s.turn.completion.logprobs for s in group), strict=True)),
            sum(s.advantage for s in group) / len(group),
            len(group),
            group[0].legal,
        )
        for (prompt, completion, *_), group in sorted(groups.items(), key=lambda item: item[0])
    ]


BLOCKS = 8
"""How many pieces of neighbouring prompts a minibatch is put together from."""


def deal(rows: Sequence[Row], hands: int, chance: Random) -> list[list[Row]]:
    """The rows in `hands` random parts of about one size, each in the order of `rows`. Neighbours stay together, and
    the rows of one prompt always do: what they share is computed once. A part that gets nothing holds one row that
    weighs nothing."""
    prompts = [list(group) for _, group in groupby(rows, key=lambda row: row.prompt)]
    size = max(1, len(prompts) // (BLOCKS * hands))
    blocks = [prompts[start : start + size] for start in range(0, len(prompts), size)]
    places = list(range(len(blocks)))
    chance.shuffle(places)
    parts = [
        [row for place in sorted(places[hand::hands]) for group in blocks[place] for row in group]
        for hand in range(hands)
    ]
    return [part or [replace(rows[0], weight=0)] for part in parts]


def split(rows: Sequence[Row], most_tokens: int) -> list[list[Row]]:
    """Micro-batches whose forests stay within `most_tokens` nodes (a single longer row stands alone), none empty."""
    batches: list[list[Row]] = []
    forest = Forest()
    for row in rows:
        if not batches or (batches[-1] and len(forest) + forest.cost(row.prompt, row.completion) > most_tokens):
            batches.append([])
            forest = Forest()
        forest.grow(row.prompt, row.completion)
        batches[-1].append(row)
    return batches


def grown(rows: Sequence[Row]) -> Forest:
    """The forest of a micro-batch."""
    forest = Forest()
    for row in rows:
        forest.grow(row.prompt, row.completion)
    return forest


def collate(rows: Sequence[Row], pad: int, policy_tokens: int) -> dict[str, torch.Tensor]:
    """TRL's inputs for B rows: prompts (B, P) padded left, completions (B, C) padded right, advantages and weights (B,
    C).

    `policy_tokens`: sampled tokens of the whole batch over all processes, the normaliser of `dapo` and `cispo`.
    """
    wide_p, wide_c = max(len(row.prompt) for row in rows), max(len(row.completion) for row in rows)

    def left(values: Sequence[int], fill: int) -> list[int]:
        return [fill] * (wide_p - len(values)) + list(values)

    def right(values: Sequence[float], fill: float) -> list[float]:
        return list(values) + [fill] * (wide_c - len(values))

    return {
        "prompt_ids": torch.tensor([left(row.prompt, pad) for row in rows]),
        "prompt_mask": torch.tensor([left([1] * len(row.prompt), 0) for row in rows]),
        "completion_ids": torch.tensor([right(row.completion, pad) for row in rows]).long(),
        "completion_mask": torch.tensor([right([1] * len(row.completion), 0) for row in rows]).long(),
        "sampling_per_token_logps": torch.tensor([right(row.logprobs, 0.0) for row in rows], dtype=torch.float32),
        "advantages": torch.tensor(
            [right([row.advantage] * len(row.completion), 0.0) for row in rows], dtype=torch.float32
        ),
        "weights": torch.tensor([[float(row.weight)] for row in rows]),
        "sampled": torch.tensor([[row.sampled] for row in rows]),
        "num_items_in_batch": torch.tensor(float(policy_tokens)),
    }
