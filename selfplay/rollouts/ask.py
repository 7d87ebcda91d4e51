"""One call of the policy, as a Turn: prompt text or chat in, ids and words out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from selfplay.policy.engine import Engine
from selfplay.records import Sampling, Turn

Message: TypeAlias = dict[str, str]
Prompt: TypeAlias = str | Sequence[Message]
"""Bare text to continue, or chat messages for the model's own template."""


async def ask(engine: Engine, prompt: Prompt, role: str, group: str, sampling: Sampling) -> Turn:
    text, ids = encode(engine, prompt, sampling.max_tokens)
    return Turn(role, group, text, tuple(ids), await engine.sample(ids, sampling))


def encode(engine: Engine, prompt: Prompt, reserve: int) -> tuple[str, list[int]]:
    """(text, token ids) of a prompt that leaves room for `reserve` tokens; chat goes through the tokenizer's template.

    A prompt that is too long loses its beginning: its end holds the question.
    """
    if isinstance(prompt, str):
        text = prompt
    else:
        text = engine.tokenizer.apply_chat_template(list(prompt), tokenize=False, add_generation_prompt=True)
    ids = engine.tokenizer.encode(text, add_special_tokens=False)
    room = engine.max_len - reserve
    return (text, ids) if len(ids) <= room else (engine.tokenizer.decode(ids[-room:]), ids[-room:])
