"""What was used last, up to a number of things: a state that is a history is then not replayed at every call."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """A bounded dictionary that drops what was not asked for longest. Only speed depends on what it still holds."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: dict[Hashable, Value] = {}

    def get(self, key: Hashable) -> Value | None:
        value = self._kept.pop(key, None)
        if value is not None:
            self._kept[key] = value
        return value

    def put(self, key: Hashable, value: Value) -> None:
        self._kept[key] = value
        if len(self._kept) > self._size:
            del self._kept[next(iter(self._kept))]
