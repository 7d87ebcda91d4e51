"""One writing process a run folder, by a lock that the system drops when that process ends, however it ends."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from selfplay.errors import UserError


class Lock:
    """An exclusive `flock` on `path`, whose text is the holder's process id.

    Forked children close their copy of the descriptor: an orphan of a killed run does not keep the folder locked.
    """

    def __init__(self, path: Path, what: str) -> None:
        self.path, self.what = path, what
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        return self._descriptor is not None

    def acquire(self) -> None:
        """UserError: another process holds it. Somebody who only looks holds it for an instant, hence the few tries."""
        if self.held:
            return
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise UserError(
                f"{self.what} cannot be locked ({error.strerror}); a run needs a folder it may write to."
            ) from error
        for pause in (0.05, 0.1, 0.2, None):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if pause is None:
                    owner = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
                    os.close(descriptor)
                    help = "wait for it to end, stop it, or choose another folder"
                    raise UserError(f"{self.what} is in use by process {owner}; {help}.") from None
                time.sleep(pause)
        with suppress(
            OSError
        ):  # the number is for the reader of an error; a full disk must not keep a run from its lock
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor = descriptor
        os.register_at_fork(after_in_child=self._forget)

    def release(self) -> None:
        if self._descriptor is not None:
            with suppress(OSError):
                os.ftruncate(self._descriptor, 0)
            self._forget()

    def owner(self) -> int | None:
        """The process that holds the lock, if any."""
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return None
        except BlockingIOError:
            text = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
            return int(text) if text.isdigit() else -1
        finally:
            os.close(descriptor)

    def _forget(self) -> None:
        if self._descriptor is not None:
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None
