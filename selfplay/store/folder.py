"""The folder of a run: it explains itself, can be run again, and belongs to one writing process at a time.

`run.db` is the truth; beside it `config.json` (the resolved recipe), `meta.json` (what ran where), `metrics.jsonl`,
`checkpoints/` and `run.lock`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

from selfplay.errors import UserError
from selfplay.store.lock import Lock
from selfplay.store.reader import Reader
from selfplay.store.writer import Writer


class RunFolder:
    """Made by `create` or `open`. `release` lets go of the lock; so does the end of the process, however it ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = Lock(path / "run.lock", what=f"The run {path}")

    @classmethod
    def create(
        cls, root: Path | str, name: str, config_json: str, meta: Mapping[str, Any], *, exact: bool = False
    ) -> RunFolder:
        """Makes `root/name-001` (the next free number), or `root/name` itself when `exact`, and locks it for this
        process.

        UserError: the folder is there already and is not empty, or cannot be made.
        """
        try:
            path = _make(Path(root), name) if exact else _make_numbered(Path(root), name)
        except OSError as error:
            raise UserError(
                f"No run can be made in {root} ({error.strerror}); choose a folder you may write to."
            ) from error
        folder = cls(path)
        try:
            folder._fill(config_json, meta)
        except BaseException:
            folder.release()
            shutil.rmtree(path, ignore_errors=True)
            raise
        return folder

    def _fill(self, config_json: str, meta: Mapping[str, Any]) -> None:
        self.lock.acquire()
        try:
            self.checkpoints.mkdir(exist_ok=True)
            write_atomically(self.path / "config.json", config_json)
            write_atomically(self.path / "meta.json", json.dumps(dict(meta), indent=2, default=str) + "\n")
        except OSError as error:
            raise UserError(
                f"{self.path} cannot be written ({error.strerror}); free some space, or choose another folder."
            ) from error
        with self.writer() as writer:
            writer.describe(meta)

    @classmethod
    def open(cls, path: Path | str, *, write: bool = False) -> RunFolder:
        """An existing run; `write` locks it for this process. UserError: no run is there, or another process writes
        to it."""
        path = Path(path)
        if not (path / "run.db").is_file():
            what = "there is no run.db in it" if path.is_dir() else "there is no such folder"
            raise UserError(f"{path} is not a run: {what} (`selfplay runs` lists the runs).")
        folder = cls(path)
        if write:
            folder.lock.acquire()
        return folder

    @property
    def database(self) -> Path:
        return self.path / "run.db"

    @property
    def checkpoints(self) -> Path:
        return self.path / "checkpoints"

    def writer(self) -> Writer:
        """The database, to write to. Only while this process holds the lock."""
        if not self.lock.held:
            raise RuntimeError(f"{self.path} is written to without its lock")
        return Writer(self.database)

    def reader(self) -> Reader:
        return Reader(self.database)

    def config(self) -> dict[str, Any]:
        return _read_json(self.path / "config.json")

    def meta(self) -> dict[str, Any]:
        """`machine` and `started` only where they are what a run writes there: a mapping, and seconds."""
        found = _read_json(self.path / "meta.json")
        forms = (("machine", dict), ("started", int | float))
        return {key: value for key, value in found.items() if all(key != k or isinstance(value, f) for k, f in forms)}

    def games(self) -> list[str]:
        """What the run's recipe calls its games."""
        games = self.config().get("games")
        names = games.get("names") if isinstance(games, dict) else None
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []

    def used_by(self) -> int | None:
        """The process that writes to the run now, if any."""
        return self.lock.owner()

    def release(self) -> None:
        self.lock.release()


def state(process: int | None, step: int, steps: int | None, evaluated: Container[str]) -> str:
    """`running`, `finished` or `stopped`: of a run that `process` writes to, at `step` of `steps`, with these labels of
    evaluations."""
    return "running" if process else "finished" if step == steps and "after" in evaluated else "stopped"


def listing(root: Path | str) -> list[Path]:
    """The runs under `root`, newest first (by when they were made)."""
    root = Path(root)
    found = [path.parent for path in root.glob("*/run.db")] if root.is_dir() else []
    return sorted(found, key=lambda path: (_made(path), path.name), reverse=True)


def newest(root: Path | str) -> Path:
    """UserError: there is none yet."""
    found = listing(root)
    if not found:
        raise UserError(
            f"There are no runs under {root} yet; start one with `selfplay run quickstart`, or name a folder."
        )
    return found[0]


def write_atomically(path: Path, text: str) -> None:
    """Under a temporary name first, then renamed: a reader sees the old text or the new one."""
    new = path.with_name(path.name + ".new")
    with new.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


def _make(root: Path, name: str) -> Path:
    path = root / name
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UserError(f"{path} exists already; choose another name, or go on with `selfplay resume {path}`.")
    path.mkdir(parents=True, exist_ok=True)
    return path


def _make_numbered(root: Path, name: str) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    pattern = re.compile(re.escape(name) + r"-(\d+)$")
    taken = [int(match[1]) for path in root.iterdir() if (match := pattern.match(path.name))]
    number = max(taken, default=0) + 1
    while True:
        path = root / f"{name}-{number:03d}"
        try:
            path.mkdir()
            return path
        except FileExistsError:
            number += 1


def _made(path: Path) -> float:
    """When the run was made, as its meta.json says, or else as the folder's files say."""
    try:
        started = _read_json(path / "meta.json").get("started")
        return float(started) if isinstance(started, int | float) else (path / "config.json").stat().st_mtime
    except (OSError, UserError):
        return (path / "run.db").stat().st_mtime


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UserError(f"{path} cannot be read ({error}); the run's database may still be whole.") from error
    if not isinstance(value, dict):
        raise UserError(f"{path} holds no JSON object; the run's database may still be whole.")
    return value


def describe_run(argv: list[str], seed: int, **more: Any) -> dict[str, Any]:
    """The meta of a run that starts now: `started` (seconds since 1970), `argv`, `seed`, the machine, and `more`."""
    from selfplay.store.machine import describe_machine

    return {"started": time.time(), "argv": argv, "seed": seed, **more, "machine": describe_machine()}
