"""What a program finds around it: the builtins, the modules it may import, and nowhere to print to.

Built once in the server, so that a child pays nothing for it. This is a matter of good manners and of determinism; it
is not a wall. A program that walks from `object` to `os` meets the kernel's filter there.
"""

from __future__ import annotations

import builtins
import decimal
import importlib
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

MODULES = (
    "__future__", "abc", "array", "bisect", "cmath", "collections", "collections.abc", "copy", "dataclasses", "decimal",
    "enum", "fractions", "functools", "heapq", "itertools", "math", "numbers", "operator", "re", "statistics", "string",
    "textwrap", "typing",
)  # fmt: skip

_CODECS = "ascii latin_1 utf_8 utf_16 utf_16_le utf_16_be utf_32 cp1252 rot_13 unicode_escape".split()  # noqa: SIM905
_ABSENT = frozenset(
    "open input breakpoint eval exec compile help exit quit copyright credits license".split()  # noqa: SIM905
)
_PRINT_LIMIT = 1 << 20  # characters, for each input
_room = [_PRINT_LIMIT]


def preload(more: tuple[str, ...] = (), weak: bool = False) -> dict[str, Any]:
    """Imports what a program may import, `more` included, and returns its builtins. `weak` leaves imports unguarded."""
    # `statistics` wants `random` for sampling only, and the real one brings OpenSSL and entropy.
    sys.modules["random"] = ModuleType("random")
    for name in MODULES:
        importlib.import_module(name)
    for name in _CODECS:
        importlib.import_module("encodings." + name)
    importlib.import_module("unicodedata")
    del sys.modules["random"]
    for name in more:
        importlib.import_module(name)
    names = {name: value for name, value in vars(builtins).items() if name not in _ABSENT}
    names["print"] = _sink()
    if not weak:
        names["__import__"] = _guard(frozenset((*MODULES, *more)), __import__)
    return names


def _guard(allowed: frozenset[str], real: Any) -> Any:
    def __import__(
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Any = (),
        level: int = 0,
    ) -> ModuleType:
        if level != 0 or name not in allowed:
            raise ImportError(f"no module named {name!r} here")
        return real(name, globals, locals, fromlist, 0)

    return __import__


def _sink() -> Any:
    def print(
        *values: object, sep: str | None = " ", end: str | None = "\n", file: object = None, flush: bool = False
    ) -> None:
        _room[0] -= sum(len(str(value)) + 1 for value in values) + 1
        if _room[0] < 0:
            raise MemoryError("too much printed")

    return print


def refresh() -> None:
    """Undoes what one input's run may have left for the next in the same process: what it printed, how it rounds."""
    _room[0] = _PRINT_LIMIT
    decimal.setcontext(decimal.Context())
