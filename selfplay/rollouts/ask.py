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
    text, ids = encode(engine, prompt)
    room = engine.max_len - sampling.max_tokens
    if len(ids) > room:  # the end of a prompt matters most: it holds the question
        ids = ids[-room:]
        text = engine.tokenizer.decode(ids)
    return Turn(role, group, text, tuple(ids), await engine.sample(ids, sampling))


def encode(engine: Engine, prompt: Prompt) -> tuple[str, list[int]]:
    """(text, token ids) of a prompt; chat goes through the tokenizer's template."""
    if isinstance(prompt, str):
        text = prompt
    else:
        text = engine.tokenizer.apply_chat_template(list(prompt), tokenize=False, add_generation_prompt=True)
    return text, engine.tokenizer.encode(text, add_special_tokens=False)
