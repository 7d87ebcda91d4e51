"""Where compiled code is kept between runs, and how it is trusted: it will be executed.

A file counts only if it belongs to this user, is open to no other, and begins with the SHA-256 of the rest. It appears
whole or not at all.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
_DIGEST_BYTES = 32


def folder() -> Path:
    """`wasm` in `$SELFPLAY_CACHE`, else in `selfplay` in the user's cache folder, where the engine keeps models too."""
    chosen = os.environ.get("SELFPLAY_CACHE")
    base = Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "selfplay"
    return base.expanduser().absolute() / "wasm"


def once(path: Path, make: Callable[[], bytes], load: Callable[[bytes], T | None]) -> T:
    """What `load` makes of the bytes that `path` keeps; where there are none, or it returns None for them, of those
    that `make` returns, which are kept from then on if the disk allows it. Of several processes that want the same at
    once, one makes it. Raises `ValueError` when `load` refuses what was made."""
    import fcntl

    found = _kept(path, load)
    if found is not None:
        return found
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(path.parent / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return _loaded(make(), load)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = _kept(path, load)
        if found is None:
            made = make()
            with contextlib.suppress(OSError):
                _write(path, made)
            found = _loaded(made, load)
        return found
    finally:
        os.close(lock)


def _kept(path: Path, load: Callable[[bytes], T | None]) -> T | None:
    data = _read(path)
    return None if data is None else load(data)


def _loaded(made: bytes, load: Callable[[bytes], T | None]) -> T:
    found = load(made)
    if found is None:
        raise ValueError("code that was compiled a moment ago does not load")
    return found


def _read(path: Path) -> bytes | None:
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    with open(file, "rb") as stream:
        about = os.fstat(file)
        if not stat.S_ISREG(about.st_mode) or about.st_uid != os.geteuid() or about.st_mode & 0o077:
            return None
        digest = stream.read(_DIGEST_BYTES)
        data = stream.read()
    return data if hashlib.sha256(data).digest() == digest else None


def _write(path: Path, data: bytes) -> None:
    file, draft = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with open(file, "wb") as stream:
            stream.write(hashlib.sha256(data).digest())
            stream.write(data)
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise
