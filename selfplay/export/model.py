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

    A live run removes a checkpoint once it has a newer one, perhaps while it is copied: what fails when the checkpoints
    have changed meanwhile is tried again. UserError: there is none, or none of that step. OSError: the disk.
    """
    while True:
        before = _folders(run)
        try:
            return _copy(run, target, step)
        except (OSError, UserError):
            shutil.rmtree(target, ignore_errors=True)
            if _folders(run) == before:
                raise


def _copy(run: Path, target: Path, step: int | None) -> dict[str, Any]:
    chosen, source = _choose(run, step)
    try:
        shutil.copytree(source, target)
    except shutil.Error as error:
        raise OSError(error.args[0][0][2]) from error  # what happened to the first file; it has a list of all
    if not source.is_dir():
        raise OSError("the checkpoint was removed while it was copied")
    files = sorted(path for path in target.rglob("*") if path.is_file())
    names = [str(path.relative_to(target)) for path in files]
    return {"step": chosen, "files": names, "bytes": sum(path.stat().st_size for path in files)}


def _folders(run: Path) -> set[str]:
    return {path.name for path in (run / "checkpoints").glob("step-*")}


def _choose(run: Path, step: int | None) -> tuple[int, Path]:
    found = kept(run)
    if not found:
        raise UserError(f"{run} has no checkpoint of a finished step, so there is no model to export yet.")
    chosen = max(found) if step is None else step
    if chosen not in found:
        known = ", ".join(map(str, found))
        raise UserError(f"{run} keeps no checkpoint of step {step}; it has: {known} (a run keeps its last one).")
    return chosen, found[chosen]
