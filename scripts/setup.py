"""Builds .venv: `make setup`. Standard library only, run by whichever Python the machine has.

A CPU machine gets the CPU builds of torch and vLLM, pinned to the last package (requirements/cpu.txt); a machine with
an NVIDIA GPU gets the CUDA builds (requirements/cuda.txt, which nobody has run yet). A stamp in .venv remembers which
pins it was built from, so a second call returns at once. What pip says goes to .venv/setup.log.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import runpy
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "setup.json"
LOG = VENV / "setup.log"
OLDEST, BEYOND = (3, 11), (3, 15)
GPU = shutil.which("nvidia-smi") is not None or Path("/proc/driver/nvidia/version").exists()
PINS = ROOT / "requirements" / ("cuda.txt" if GPU else "cpu.txt")
TORCH = "torch==2.13.0"

# What a run imports. pip is told not to compile (24,000 files, a minute); importing these compiles the files that
# matter, and shows that the installation works.
USED = "transformers.models.llama.modeling_llama, trl.trainer.grpo_trainer, peft, sympy, vllm.entrypoints.llm, "
USED += "vllm.v1.worker.gpu_worker" if GPU else "vllm.v1.worker.cpu_worker"


class Failed(Exception):
    """One sentence for the person at the terminal."""


def main() -> None:
    if not OLDEST <= sys.version_info[:2] < BEYOND:
        use_another_python()
    lock = os.open(ROOT, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)  # two `make` at once: the second waits, and finds the work done
    stamp = wanted()
    if built() == stamp:
        return
    start = time.monotonic()
    make_venv(stamp)
    LOG.write_text("")
    say("installing the packages for " + ("a machine with an NVIDIA GPU" if GPU else "a CPU machine (2.5 GB)"))
    if GPU:
        together([[TORCH, "--requirement", str(PINS), "--editable", f"{ROOT}[train,test,check]"]])
    else:
        together([["--no-deps", *torch_for_cpus()], *shares()])
        together([["--no-deps", "--no-build-isolation", "--editable", str(ROOT)]])
        check_torch()
    say("importing them for the first time")
    first_import()
    STAMP.write_text(json.dumps(stamp))
    say(f"done in {time.monotonic() - start:.0f} s")


def use_another_python() -> None:
    """Start again under a Python that fits, if the machine has one."""
    for minor in reversed(range(OLDEST[1], BEYOND[1])):
        other = shutil.which(f"python3.{minor}")
        if other and subprocess.run([other, "-c", ""], capture_output=True).returncode == 0:
            os.execv(other, [other, *sys.argv])
    this = ".".join(map(str, sys.version_info[:2]))
    raise Failed(
        f"selfplay needs Python 3.11 to 3.14, and this is {this}: install one, or name it with `make PYTHON=…`"
    )


def wanted() -> dict[str, str]:
    """What a finished .venv is marked with. The place counts: scripts in .venv/bin hold absolute paths."""
    files = [ROOT / "pyproject.toml", PINS, Path(__file__)]
    return {"root": str(ROOT), "pins": hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()}


def built() -> dict[str, str] | None:
    try:
        return json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return None


def make_venv(stamp: dict[str, str]) -> None:
    """Make .venv, unless one is here that works: pip then changes in it what differs from the pins."""
    before = built()
    STAMP.unlink(missing_ok=True)
    here = before is None or before["root"] == stamp["root"]
    if here and PYTHON.exists() and subprocess.run([PYTHON, "-m", "pip", "-V"], capture_output=True).returncode == 0:
        return
    say(f"making {VENV}")
    done = subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], capture_output=True, text=True)
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines() or ["no reason given"]
        raise Failed(f"cannot make a virtual environment ({said[0]}): does {sys.executable} have its venv module?")


def pip(*arguments: str) -> list[str]:
    return [str(PYTHON), "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", *arguments]


def torch_for_cpus() -> list[str]:
    """pip's arguments for a CPU build of torch: from the configured index, from SELFPLAY_TORCH_INDEX, or under its
    plain name where that is a CPU build. Only descriptions are fetched here."""
    tries = [[f"{TORCH}+cpu"], [TORCH]]
    if index := os.environ.get("SELFPLAY_TORCH_INDEX"):
        tries.insert(1, [f"{TORCH}+cpu", "--index-url", index])
    for arguments in tries:
        look = pip("--dry-run", "--ignore-installed", "--no-deps", "--report", "-", *arguments)
        with LOG.open("a") as log:
            found = subprocess.run(look, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL)
        if found.returncode == 0:
            needs = json.loads(found.stdout)["install"][0]["metadata"].get("requires_dist", [])
            if not any(need.startswith(("nvidia", "cuda")) for need in needs):
                return arguments
    raise Failed(
        f"the package index has no CPU build of {TORCH} ({LOG} has pip's words): set SELFPLAY_TORCH_INDEX to the "
        "address of PyTorch's own CPU wheel index (its installation page gives it for the choice 'CPU') and try again"
    )


def shares() -> list[list[str]]:
    """The pinned list, dealt out to one pip a core. With --no-deps each pip touches its own packages alone."""
    lines = [line for line in PINS.read_text().splitlines() if line and not line.startswith("#")]
    cores = min(4, os.cpu_count() or 1)
    files = [VENV / f"requirements-{number}.txt" for number in range(cores)]
    for number, file in enumerate(files):
        file.write_text("\n".join(lines[number::cores]) + "\n")
    return [["--no-deps", "--requirement", str(file)] for file in files]


def together(installs: list[list[str]]) -> None:
    """Run `pip install` with each of these arguments at the same time."""
    with LOG.open("a") as log:
        for arguments in installs:
            log.write(f"pip install {' '.join(arguments)}\n")
        log.flush()
        running = [
            subprocess.Popen(pip("--no-compile", *arguments), stdout=log, stderr=log, stdin=subprocess.DEVNULL)
            for arguments in installs
        ]
        failed = [arguments for arguments, process in zip(installs, running, strict=True) if process.wait()]
    if failed:
        errors = [line[7:] for line in LOG.read_text().splitlines() if line.startswith("ERROR: ")]
        reason = errors[-1] if errors else "it gave no reason"
        raise Failed(f"`pip install {' '.join(failed[0])}` failed ({reason}): {LOG} has all that it said")


def check_torch() -> None:
    (version,) = VENV.glob("lib/python3*/site-packages/torch/version.py")
    if runpy.run_path(str(version)).get("cuda") is not None:
        raise Failed("torch is a CUDA build, and this machine has no NVIDIA GPU: run `make clean setup` to begin again")


def first_import() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run([PYTHON, "-c", f"import {USED}"], env=environment, cwd=VENV, capture_output=True, text=True)
    with LOG.open("a") as log:
        log.write(done.stdout + done.stderr)
    if done.returncode:
        raise Failed(f"the installed packages do not import ({done.stderr.strip().splitlines()[-1]}): see {LOG}")


def say(what: str) -> None:
    print(f"setup: {what}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        sys.exit(f"setup: {failure}")
    except OSError as error:
        sys.exit(f"setup: cannot write what it must: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
