"""An interpreter that has started, as bytes, and the guests that begin as those bytes.

A start takes many times as long as a guest. It can be kept, because a WebAssembly instance is its memory, one table
that never changes, and one number, the pointer of its C stack. The interpreter is started once and leaves by exit,
which unwinds it in the middle of its work; its memory of that moment is written into each new instance, and from there
the host calls a Python function of the harness as CPython itself would, through its type's `tp_call`.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Self

from verifiers.wasi import guest, system
from verifiers.zygote import wire

_PAGE_BYTES, _CHUNK_BYTES = 1 << 16, 1 << 12
_ENDLESS = 1 << 40
# Offsets in CPython's objects on a 32-bit machine.
_TYPE, _SIZE, _ITEMS, _BUFFER, _CALL = 4, 8, 12, 20, 64


class End(NamedTuple):
    """How a call ended: one of `wire`'s ends, and its number."""

    end: int
    number: int


class Image:
    """Starts the interpreter. Raises `ValueError`, in one clause, when it does not come up."""

    def __init__(self, engine: Any, module: Any, command: list[bytes], environment: list[bytes]) -> None:
        import wasmtime

        self._engine = engine
        self._template = system.linker(engine, module, command, environment).instantiate_pre(module)
        store = wasmtime.Store(engine)
        store.set_epoch_deadline(_ENDLESS)
        exports = self._template.instantiate(store).exports(store)
        before = exports["memory"].read(store)
        parts = _start(store, exports["_start"])
        after = exports["memory"].read(store)
        self.size = len(after)
        self.pieces = _changes(before.ljust(self.size, b"\0"), after)

        def word(at: int) -> int:
            return int.from_bytes(after[at : at + 4], "little")

        items = parts + _ITEMS
        self.function, self.arguments, request, page, stack = (word(items + 4 * i) for i in range(5))
        self.request, self.page = word(request + _BUFFER), word(page + _BUFFER)
        if (word(request + _SIZE), word(page + _SIZE)) != (wire.REQUEST_BYTES, wire.PAGE_BYTES):
            raise ValueError("the interpreter inside lays out its objects in another way")
        self.stack = word(stack + _BUFFER) + word(stack + _SIZE) & ~15
        self.entry = word(word(self.function + _TYPE) + _CALL)

    def instance(self, most: int) -> tuple[Any, Any]:
        """A new store, whose memory may grow to `most` bytes, and the exports of an instance in it."""
        import wasmtime

        store = wasmtime.Store(self._engine)
        store.set_limits(memory_size=most, instances=1, memories=1, tables=1)
        store.set_epoch_deadline(_ENDLESS)
        return store, self._template.instantiate(store).exports(store)


class Guest:
    """One instance of `image`, for one program. `memory_mb` is what it may use beyond the image; None: without limit.

    `store` is its wasmtime store, for whoever sets its deadline.
    """

    def __init__(self, image: Image, memory_mb: int | None) -> None:
        self._image = image
        most = image.size + (memory_mb << 20) if memory_mb is not None else -1
        self.store, exports = image.instance(most)
        self._memory = exports["memory"]
        self._memory.grow(self.store, (image.size - self._memory.data_len(self.store)) // _PAGE_BYTES)
        base = self._base()
        for at, piece in image.pieces:
            ctypes.memmove(base + at, piece, len(piece))
        exports["stack"].set_value(self.store, image.stack)
        self._entry = exports["table"].get(self.store, image.entry)

    def put(self, at: int, data: memoryview) -> int:
        """Writes `data` at `at` in the request buffer, which it must fit. Where it ends."""
        ctypes.memmove(self._base() + self._image.request + at, _address(data), len(data))
        return at + len(data)

    def take(self, at: int, out: memoryview) -> None:
        """Fills `out` from the record buffer, from `at` on."""
        ctypes.memmove(_address(out), self._base() + self._image.page + at, len(out))

    def call(self) -> End:
        """Answers one input. The guest can be called again when the end is `FINISHED`."""
        import wasmtime

        try:
            result = self._entry(self.store, self._image.function, self._image.arguments, 0)
        except system.Left as left:
            return End(wire.EXIT, left.status & 0xFF)
        except wasmtime.Trap as trap:
            code = trap.trap_code
            if code == wasmtime.TrapCode.INTERRUPT:
                return End(wire.CPU, 0)
            return End(wire.TRAP, code.value if code else 255)
        return End(wire.FINISHED, 0) if result else End(wire.EXIT, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.store.close()

    def _base(self) -> int:
        return ctypes.addressof(self._memory.data_ptr(self.store).contents)


def _address(view: memoryview) -> Any:
    return (ctypes.c_char * len(view)).from_buffer(view)


def _start(store: Any, start: Any) -> int:
    """Runs the interpreter until it leaves; the address that it leaves with."""
    try:
        start(store)
    except system.Left as left:
        if left.status == guest.NO_MODULE:
            raise ValueError(
                "the virtual machine has only Python's own library, and a module that was asked for is not in it"
            ) from None
        if left.status >= _PAGE_BYTES:
            return left.status
    raise ValueError("the interpreter inside did not start")


def _changes(before: bytearray, after: bytearray) -> list[tuple[int, bytes]]:
    """The stretches in which `after` differs, with their offsets."""
    pieces: list[tuple[int, bytes]] = []
    start: int | None = None
    for at in range(0, len(after) + 1, _CHUNK_BYTES):
        differs = after[at : at + _CHUNK_BYTES] != before[at : at + _CHUNK_BYTES]
        if differs and start is None:
            start = at
        elif not differs and start is not None:
            pieces.append((start, bytes(after[start:at])))
            start = None
    return pieces
