"""The policy of a checkpoint as a model folder: weights, tokenizer, generation settings, as transformers and vLLM load
them.

A checkpoint holds such a folder already, so it is copied. Not linked: whoever trains on in the exported folder must not
write into the checkpoint that the run resumes from.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from selfplay.errors import UserError
from selfplay.training.checkpoint import name


def kept(run: Path, last_step: int) -> dict[int, Path]:
    """Step → model folder of every checkpoint up to `last_step`, oldest first. A later one is half of a step."""
    found = {
        int(path.name.removeprefix("step-")): path / "policy"
        for path in (run / "checkpoints").glob("step-*")
        if (path / "policy" / "config.json").is_file()
    }
    return {step: found[step] for step in sorted(found) if step <= last_step}


def copy(run: Path, target: Path, last_step: int, step: int | None = None) -> dict[str, Any]:
    """Copies the newest checkpoint's model, or that of `step`, to `target`; `step`, `files`, `bytes` of it.

    A live run may remove a checkpoint while it is copied, as soon as it has a newer one; the newer one is taken then.
    UserError: there is none, or none of that step.
    """
    chosen = _choose(run, last_step, step)
    while True:
        try:
            shutil.copytree(kept(run, last_step)[chosen], target)
            break
        except (shutil.Error, FileNotFoundError, KeyError):
            newer = _choose(run, last_step, step)
            if newer == chosen:
                raise
            shutil.rmtree(target, ignore_errors=True)
            chosen = newer
    files = sorted(path for path in target.rglob("*") if path.is_file())
    return {
        "step": chosen,
        "files": [str(path.relative_to(target)) for path in files],
        "bytes": sum(path.stat().st_size for path in files),
    }


def _choose(run: Path, last_step: int, step: int | None) -> int:
    steps = list(kept(run, last_step))
    if not steps:
        raise UserError(f"{run} has no checkpoint of a finished step, so there is no model to export yet.")
    if step is None:
        return steps[-1]
    if step not in steps:
        known = ", ".join(map(str, steps))
        raise UserError(f"{run} keeps no checkpoint of step {step}; it has: {known} (a run keeps its last one).")
    return step
