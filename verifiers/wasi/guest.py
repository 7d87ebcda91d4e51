"""The harness inside a guest: `begin` ends the interpreter's start, and then the host calls `answer`, once an input.

A program may tear all of this down: it gains its own wrong answer, since the host reads a record strictly and drops the
guest after the program.
"""

from __future__ import annotations

import gc
import os
import posix
from typing import Any, NoReturn

from verifiers.zygote import program, surroundings, wire

NO_MODULE = 72  # exit status of a start that found no module of a wanted name
_STACK_BYTES = 4 << 20  # the C stack of the image: the interpreter's own recursion limit comes first
_SIZES, _PRIME = range(16, 512, 16), 61


def begin(modules: tuple[str, ...], weak: bool, seed: int) -> NoReturn:
    """Imports what programs may import, and leaves, with the address of a tuple as exit status: the function to call,
    its arguments, and the buffers for requests, records and the C stack. The host keeps the memory as it is then."""
    try:
        builtins = surroundings.preload(modules, weak)
    except ImportError:
        posix._exit(NO_MODULE)
    request, page, stack = bytearray(wire.REQUEST_BYTES), bytearray(wire.PAGE_BYTES), bytearray(_STACK_BYTES)
    ballast: list[bytes] = []  # moves what programs allocate, so that servers differ in addresses
    parts = (_harness(builtins, request, page), (), request, page, stack, ballast)
    gc.collect()
    gc.freeze()
    gc.disable()
    ballast += [bytes(size) for size in _SIZES for _ in range(seed % _PRIME)]
    posix._exit(id(parts))


def _harness(builtins: dict[str, Any], request: bytearray, page: bytearray) -> Any:
    program_once: list[tuple[Any, bytes]] = []
    head, record, at_code, at_payload = wire.CALL.unpack_from, wire.RECORD.pack_into, wire.CALL.size, wire.RECORD.size
    compiled, call, raised = program.compiled, program.call, wire.RAISED
    leave, out_of_memory, words = os._exit, wire.OUT_OF_MEMORY, bytes

    def answer() -> None:
        try:
            code_bytes, entry_bytes, input_bytes, most, nodes, depth = head(request)
            at_entry = at_code + code_bytes
            at_input = at_entry + entry_bytes
            if not program_once:
                program_once.append(compiled(words(request[at_code:at_entry])))
            code, payload = program_once[0]
            what = raised
            if code is not None:
                entry = words(request[at_entry:at_input]).decode()
                data = words(request[at_input : at_input + input_bytes])
                what, payload = call(
                    code, builtins, entry, data, dict(max_bytes=most, max_nodes=nodes, max_depth=depth)
                )
            record(page, 0, what, 0.0, len(payload))
            page[at_payload : at_payload + len(payload)] = payload
        except MemoryError:
            leave(out_of_memory)
        except BaseException:
            leave(1)

    return answer
