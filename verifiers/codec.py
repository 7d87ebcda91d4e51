"""The canonical bytes of a value: what two processes exchange and what is compared.

A value is None, a bool, int, float, complex, str or bytes, or a list, tuple, set, frozenset or dict of values, told by
its *exact* type: a subclass is refused, so no method of anybody's class is ever called. Equal structures have equal
bytes:

    N T F                         None, True, False
    i<hex>;   f<hex>;             int (at most 14,000 bits), float as `float.hex` writes it (nan is one value)
    c<hex>,<hex>;                 complex
    s<n>:...  b<n>:...            text as UTF-8 with surrogates passed through, bytes; n counts bytes
    [ ... ]  ( ... )              list, tuple
    { ... }  < ... >              set, frozenset: members in increasing order of their bytes, none twice
    d ... ;                       dict: key, value, key, value, in increasing order of the keys' bytes
    D ... ;                       the same in insertion order, for arguments, whose order a program can see

`decode` accepts exactly what `encode` writes and nothing else: `d` or `D` as it is told. Both raise only `BadValue`.
This module is loaded by the sandbox's workers, so it imports nothing.
"""

from __future__ import annotations

from typing import Any

Value = Any

MAX_BYTES = 1 << 17
MAX_NODES = 50_000
MAX_DEPTH = 40
MAX_INT_BITS = 14_000  # 4,215 decimal digits: below the interpreter's own limit for reading and writing integers


class BadValue(ValueError):
    """Not a value, or over a cap. The message is one short clause for a reader."""


def encode(
    value: Value,
    *,
    ordered: bool = False,
    max_bytes: int = MAX_BYTES,
    max_nodes: int = MAX_NODES,
    max_depth: int = MAX_DEPTH,
) -> bytes:
    """The canonical bytes of `value`. With `ordered`, dicts keep their insertion order. Raises `BadValue`."""
    out = _Encoder(ordered, max_bytes, max_nodes)._write(value, max_depth)
    if len(out) > max_bytes:
        raise BadValue(f"over {max_bytes} bytes")
    return out


def decode(
    data: bytes, *, ordered: bool | None = False, max_bytes: int = MAX_BYTES, max_depth: int = MAX_DEPTH
) -> Value:
    """The value whose bytes are `data`; memory is linear in `len(data)`. With `ordered` None, dicts in either form.

    Raises `BadValue`.
    """
    if type(data) is not bytes or len(data) > max_bytes:
        raise BadValue("not bytes, or too many")
    try:
        value, end = _read(data, 0, max_depth, _DICTS[ordered])
    except BadValue:
        raise
    except (ValueError, TypeError, IndexError, OverflowError, RecursionError, MemoryError) as error:
        raise BadValue("malformed") from error
    if end != len(data):
        raise BadValue("trailing bytes")
    return value


class _Encoder:
    """One encoding: counts nodes and bytes as it goes, so that a huge or cyclic value stops early."""

    def __init__(self, ordered: bool, room: int, nodes: int) -> None:
        self.ordered = ordered
        self.room = room
        self.nodes = nodes

    def _write(self, value: Value, depth: int) -> bytes:
        self.nodes -= 1
        if self.nodes < 0:
            raise BadValue("too many nodes")
        kind = type(value)
        if kind is int:
            if value.bit_length() > MAX_INT_BITS:
                raise BadValue(f"an int of over {MAX_INT_BITS} bits")
            return b"i%x;" % value
        if kind is str:
            raw = self._spend(value).encode("utf-8", "surrogatepass")
            return self._spend(b"s%d:%b" % (len(raw), raw))
        if value is None:
            return b"N"
        if kind is bool:
            return b"T" if value else b"F"
        if kind is float:
            return b"f" + _float(value) + b";"
        if depth <= 0 and kind in _CONTAINERS:
            raise BadValue("nested too deeply")
        if kind is list:
            return self._sequence(b"[", value, b"]", depth)
        if kind is tuple:
            return self._sequence(b"(", value, b")", depth)
        if kind is dict:
            return self._dict(value, depth)
        if kind is set:
            return b"{" + b"".join(_distinct(self._items(value, depth))) + b"}"
        if kind is frozenset:
            return b"<" + b"".join(_distinct(self._items(value, depth))) + b">"
        if kind is bytes:
            return self._spend(b"b%d:%b" % (len(self._spend(value)), value))
        if kind is complex:
            return b"c" + _float(value.real) + b"," + _float(value.imag) + b";"
        raise BadValue("not a plain value")

    def _spend(self, part: Any) -> Any:
        if len(part) > self.room:
            raise BadValue("too many bytes")
        return part

    def _items(self, values: Any, depth: int) -> list[bytes]:
        parts = []
        room = self.room
        for value in values:
            part = self._write(value, depth - 1)
            room -= len(part)
            if room < 0:
                raise BadValue("too many bytes")
            parts.append(part)
        return parts

    def _sequence(self, opening: bytes, values: Any, closing: bytes, depth: int) -> bytes:
        return opening + b"".join(self._items(values, depth)) + closing

    def _dict(self, value: dict[Any, Any], depth: int) -> bytes:
        keys = self._items(value, depth)
        _distinct(keys)
        pairs = list(zip(keys, self._items(value.values(), depth), strict=True))
        if not self.ordered:
            pairs.sort()
        return (b"D" if self.ordered else b"d") + b"".join(k + v for k, v in pairs) + b";"


def _distinct(parts: list[bytes]) -> list[bytes]:
    if len(set(parts)) != len(parts):
        raise BadValue("two members that look the same")
    return sorted(parts)


_DICTS = {False: b"d", True: b"D", None: b"dD"}
_CONTAINERS = frozenset((list, tuple, set, frozenset, dict))


def _float(value: float) -> bytes:
    return value.hex().encode("ascii")


def _read(data: bytes, at: int, depth: int, dicts: bytes) -> tuple[Value, int]:
    tag = data[at]
    at += 1
    if tag == 0x69:  # i
        end = data.index(b";", at, at + MAX_INT_BITS // 4 + 3)
        digits = data[at:end]
        number = int(digits, 16)
        if b"%x" % number != digits or number.bit_length() > MAX_INT_BITS:
            raise BadValue("malformed int")
        return number, end + 1
    if tag == 0x73 or tag == 0x62:  # s b
        colon = data.index(b":", at, at + 9)
        size = int(data[at:colon])
        if b"%d" % size != data[at:colon] or size > len(data) - colon - 1:
            raise BadValue("malformed length")
        end = colon + 1 + size
        raw = data[colon + 1 : end]
        if tag == 0x62:
            return raw, end
        return raw.decode("utf-8", "surrogatepass"), end
    if tag == 0x4E:
        return None, at
    if tag == 0x54:
        return True, at
    if tag == 0x46:
        return False, at
    if tag == 0x66:  # f
        return _read_float(data, at, b";")
    if tag == 0x63:  # c
        real, at = _read_float(data, at, b",")
        imag, at = _read_float(data, at, b";")
        return complex(real, imag), at
    if depth <= 0:
        raise BadValue("nested too deeply")
    if tag == 0x5B or tag == 0x28:  # [ (
        close = 0x5D if tag == 0x5B else 0x29
        items = []
        while data[at] != close:
            item, at = _read(data, at, depth - 1, dicts)
            items.append(item)
        return (items if tag == 0x5B else tuple(items)), at + 1
    if tag in dicts:
        return _read_dict(data, at, depth, dicts, tag == 0x64)
    if tag == 0x7B or tag == 0x3C:  # { <
        return _read_set(data, at, depth, dicts, tag == 0x7B)
    raise BadValue("unknown tag")


def _read_float(data: bytes, at: int, stop: bytes) -> tuple[float, int]:
    end = data.index(stop, at, at + 32)
    text = data[at:end].decode("ascii")
    number = float.fromhex(text)
    if number.hex() != text:
        raise BadValue("malformed float")
    return number, end + 1


def _read_set(data: bytes, at: int, depth: int, dicts: bytes, mutable: bool) -> tuple[Value, int]:
    close = 0x7D if mutable else 0x3E
    items = []
    before = b""
    while data[at] != close:
        item, end = _read(data, at, depth - 1, dicts)
        if data[at:end] <= before:
            raise BadValue("members out of order")
        before = data[at:end]
        items.append(item)
        at = end
    members = set(items) if mutable else frozenset(items)
    if len(members) != len(items):
        raise BadValue("a member twice")
    return members, at + 1


def _read_dict(data: bytes, at: int, depth: int, dicts: bytes, in_order: bool) -> tuple[Value, int]:
    result: dict[Any, Any] = {}
    before = b""
    count = 0
    while data[at] != 0x3B:
        key, end = _read(data, at, depth - 1, dicts)
        if in_order and data[at:end] <= before:
            raise BadValue("keys out of order")
        before = data[at:end]
        result[key], at = _read(data, end, depth - 1, dicts)
        count += 1
    if len(result) != count:
        raise BadValue("a key twice")
    return result, at + 1
