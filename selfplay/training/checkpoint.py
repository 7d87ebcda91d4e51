"""Checkpoints: everything that has state, in one folder that appears whole or not at all.

`step-00012/policy` is a model folder that transformers and vLLM load; `trainer.pt` holds optimizer, schedule and
magnet; `parts.json` the small states (baselines). A folder is written under a temporary name and renamed. The run's
database, not this folder, says which steps are finished: a checkpoint that is newer than the last committed step is
half of a step, and is dropped.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selfplay.errors import UserError

if TYPE_CHECKING:
    from selfplay.training.trainer import Trainer


def name(step: int) -> str:
    return f"step-{step:05d}"


def save(folder: Path, step: int, trainer: Trainer, parts: dict[str, Any]) -> Path:
    """Write the checkpoint of `step`. Raises UserError when the disk does not take it; nothing half-written is left
    under its name."""
    import torch
    from safetensors import SafetensorError

    final, draft = folder / name(step), folder / f".{name(step)}.new"
    try:
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        trainer.save_policy(draft / "policy")
        torch.save(trainer.state_dict(), draft / "trainer.pt")
        (draft / "parts.json").write_text(json.dumps(parts))
        shutil.rmtree(final, ignore_errors=True)
        os.replace(draft, final)
    except (OSError, RuntimeError, SafetensorError) as error:  # what torch and safetensors make of a failed write
        shutil.rmtree(draft, ignore_errors=True)
        raise UserError(
            f"The checkpoint of step {step} could not be written to {folder} ({error}): free some space and go on "
            "with `selfplay resume`; every finished step is kept."
        ) from error
    return final


def newest(folder: Path, last_step: int) -> int:
    """The step of the newest checkpoint that is not beyond `last_step`; 0 when there is none. Newer ones are
    removed."""
    steps = sorted(int(path.name.removeprefix("step-")) for path in folder.glob("step-*"))
    for step in steps:
        if step > last_step:
            _remove(folder / name(step))
    return max((step for step in steps if step <= last_step), default=0)


def newest_kept(folder: Path) -> int:
    """The step of the newest checkpoint there is; 0 when there is none."""
    return max((int(path.name.removeprefix("step-")) for path in folder.glob("step-*")), default=0)


def forget_older(folder: Path, step: int) -> None:
    """Remove checkpoints before `step`, once `step` is committed."""
    for path in folder.glob("step-*"):
        if int(path.name.removeprefix("step-")) < step:
            _remove(path)
    for left in folder.glob(".step-*.old"):
        shutil.rmtree(left)


def _remove(path: Path) -> None:
    """Renamed first: under its own name a checkpoint is whole until it is gone, for those who copy it too."""
    old = path.with_name(f".{path.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    os.replace(path, old)
    shutil.rmtree(old)


def load(folder: Path, step: int, trainer: Trainer) -> dict[str, Any]:
    """Put the trainer's state back (its weights were loaded from `policy`); the small parts."""
    import torch

    path = folder / name(step)
    trainer.load_state_dict(torch.load(path / "trainer.pt", map_location="cpu", weights_only=True))
    return json.loads((path / "parts.json").read_text())
