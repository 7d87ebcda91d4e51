"""The level of a sandbox: what its workers' probes measured, never what was hoped for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

LEVELS = ("weak", "wasm", "strict", "strict+")

_MEANING = {
    "weak": "only resource limits: a hostile program could read files and use the network",
    "wasm": "a WebAssembly virtual machine that is given no system to call, and its own memory limit",
    "strict": "the kernel's system call filter and resource limits",
    "strict+": "the system call filter, Landlock, own namespaces and resource limits",
}


def measured(hellos: Sequence[Mapping[str, Any]]) -> tuple[str, dict[str, object]]:
    """The lowest level among the workers, and a report of what each wall and probe said."""
    level = min((_level(hello) for hello in hellos), key=LEVELS.index, default="weak")
    first = dict(hellos[0]) if hellos else {}
    return level, {"level": level, "meaning": _MEANING[level], **first}


def failures(hello: Mapping[str, Any]) -> list[str]:
    """The probes that got through."""
    return [name for name, held in hello.get("probes", {}).items() if not held]


def _level(hello: Mapping[str, Any]) -> str:
    walls = hello.get("walls", {})
    if failures(hello):
        return "weak"
    if walls.get("wasm"):
        return "wasm"
    if not walls.get("seccomp"):
        return "weak"
    return "strict+" if walls.get("landlock") and walls.get("namespaces") else "strict"
