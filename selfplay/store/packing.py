"""Token ids and log-probabilities as compact blobs: little-endian int32 and float32, four bytes each."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable


def pack_ids(ids: Iterable[int]) -> bytes:
    return _pack(array("i", ids))


def pack_logprobs(logprobs: Iterable[float]) -> bytes:
    return _pack(array("f", logprobs))


def unpack_ids(blob: bytes) -> tuple[int, ...]:
    return tuple(_unpack(array("i"), blob))


def unpack_logprobs(blob: bytes) -> tuple[float, ...]:
    """As float32 holds them: about seven digits of what was packed."""
    return tuple(_unpack(array("f"), blob))


def _pack(values: array) -> bytes:
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def _unpack(values: array, blob: bytes) -> array:
    values.frombytes(blob)
    if sys.byteorder == "big":
        values.byteswap()
    return values
