"""Who goes first: requests that share a prompt prefix wait one engine step for the first of them to compute it.

vLLM's prefix cache holds what earlier steps computed; requests that arrive together would each compute the common part.
A step's 64 proposals share two prompts, its attempts the examples before each question: letting one of each go first
computes a prefix once.
"""

from __future__ import annotations

from collections.abc import Sequence

BLOCK = 32
"""Tokens a cache block; vLLM caches whole blocks only."""


class Prefixes:
    """`admit` says which of the waiting prompts may start in this step; `computed` that the step is over."""

    def __init__(self) -> None:
        self._known: set[int] = set()
        self._underway: set[int] = set()

    def admit(self, prompts: Sequence[Sequence[int]]) -> list[bool]:
        """A prompt starts unless a block that it needs, and that nobody has computed yet, is being computed by one
        admitted now."""
        return [self._start(prompt) for prompt in prompts]

    def computed(self) -> None:
        self._known |= self._underway
        self._underway.clear()

    def forget(self) -> None:
        """The cache was emptied."""
        self._known.clear()
        self._underway.clear()

    def _start(self, prompt: Sequence[int]) -> bool:
        blocks = [hash(tuple(prompt[:end])) for end in range(BLOCK, len(prompt) + 1, BLOCK)]
        fresh = [block for block in blocks if block not in self._known]
        if any(block in self._underway for block in fresh):
            return False
        self._underway.update(fresh)
        return True
