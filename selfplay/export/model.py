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
from selfplay.store.reader import Reader

_TRIES = 20


def kept(run: Path) -> dict[int, Path]:
    """Step → model folder of every checkpoint, oldest first. One beyond the last finished step is half of a step, and
    is not among them."""
    found = {
        int(path.name.removeprefix("step-")): path / "policy"
        for path in (run / "checkpoints").glob("step-*")
        if (path / "policy" / "config.json").is_file()
    }
    with Reader(run) as reader:
        last_step = reader.last_step()
    return {step: found[step] for step in sorted(found) if step <= last_step}


def copy(run: Path, target: Path, step: int | None = None) -> dict[str, Any]:
    """Copies the newest checkpoint's model, or that of `step`, to `target`; `step`, `files`, `bytes` of it.

    A live run removes a checkpoint once it has a newer one, perhaps while it is copied; the newer one is copied then.
    UserError: there is none, or none of that step.
    """
    for _ in range(_TRIES):
        chosen, source = _choose(run, step)
        files = _names(source)
        try:
            shutil.copytree(source, target)
        except (shutil.Error, FileNotFoundError) as error:
            if _names(source) == files:  # nothing was taken away: the disk did it
                raise OSError(_reason(error)) from error
        if _names(source) == _names(target) == files:
            break
        shutil.rmtree(target, ignore_errors=True)
    else:
        raise UserError(f"The checkpoints of {run} change faster than they can be copied; try again.")
    return {"step": chosen, "files": files, "bytes": sum((target / name).stat().st_size for name in files)}


def _choose(run: Path, step: int | None) -> tuple[int, Path]:
    found = kept(run)
    if not found:
        raise UserError(f"{run} has no checkpoint of a finished step, so there is no model to export yet.")
    chosen = max(found) if step is None else step
    if chosen not in found:
        known = ", ".join(map(str, found))
        raise UserError(f"{run} keeps no checkpoint of step {step}; it has: {known} (a run keeps its last one).")
    return chosen, found[chosen]


def _names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def _reason(error: OSError) -> str:
    """Of the first file, where `copytree` collected what happened to each."""
    return str(error.args[0][0][2]) if isinstance(error, shutil.Error) else str(error)
