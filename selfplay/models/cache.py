"""The cache of models: a folder appears there whole or not at all, however many processes make it at once."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from selfplay.errors import UserError


def root() -> Path:
    """The cache folder: `$SELFPLAY_CACHE`, else `selfplay` in the user's cache folder."""
    if chosen := os.environ.get("SELFPLAY_CACHE"):
        return Path(chosen).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "selfplay"


def once(name: str, build: Callable[[Path], None]) -> Path:
    """The cached folder `name`; when it is missing, `build` fills an empty folder that is then renamed into place.

    Raises `UserError` when the cache cannot be written (a full disk, no permission); other errors of `build` propagate.
    Either way nothing half-made stays behind.
    """
    target = root() / name
    if target.is_dir():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=target.parent) as scratch:
            draft = Path(scratch) / name
            draft.mkdir()
            build(draft)
            _move(draft, target)
    except UserError:
        raise
    except Exception as error:
        if isinstance(error, OSError) or "os error" in str(error):  # safetensors wraps the disk's errors in its own
            raise UserError(
                f"Cannot write the model to {target} ({error}): free some space, "
                "or set SELFPLAY_CACHE to another folder."
            ) from error
        raise
    return target


def _move(draft: Path, target: Path) -> None:
    """Rename `draft` to `target`, unless another process was first: both made the same, so the first one stays."""
    try:
        draft.rename(target)
    except OSError:
        if not target.is_dir():
            raise
        shutil.rmtree(draft)
