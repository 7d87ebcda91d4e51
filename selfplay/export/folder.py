"""One export: a folder that appears whole or not at all, and describes one moment of the run."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from selfplay.config import build
from selfplay.errors import UserError
from selfplay.export import model, pairs, parquet
from selfplay.export.card import card
from selfplay.export.chat import Template, said, template
from selfplay.export.tables import RUN_TABLES, STREAMS, Table
from selfplay.export.tables import pairs as pair_tables
from selfplay.store.folder import RunFolder
from selfplay.store.graded import KINDS
from selfplay.store.reader import Reader
from selfplay.store.streams import Row

PAIRS = ("sft", "preferences")
WHAT = (*RUN_TABLES, *PAIRS, "model")
DATA = WHAT[:-1]
"""Everything but the model, which may weigh gigabytes."""
MANIFEST = "export.json"


def export(
    run: Path,
    target: Path | None = None,
    what: Collection[str] = DATA,
    *,
    step: int | None = None,
    most: int = 4,
    turns: str = "won",
    force: bool = False,
) -> dict[str, Any]:
    """Writes `what` of the run to `target` (`run/export`), with the card, `config.json`, and `export.json`, which holds
    what this returns.

    A live run is exported as of its newest finished step, the model as of its newest checkpoint. `step`: of the model.
    `most`: training pairs a task or prompt. `turns`: the moves in the pairs (see `pairs.sft`). `force`: replace an
    earlier export.

    Returns `run`, `path`, `step`, `tables` (name → `file`, `rows`, `bytes`), `left_out` (name → why), `model` (`step`,
    `files`, `bytes`; None when not asked for), `cut` (rows left out because their prompt was cut), `evaluation`,
    `config`, `meta`, `seconds`. UserError: `target` is there already, or the disk does not take it.
    """
    started, folder = time.perf_counter(), RunFolder.open(run)
    target = target or run / "export"
    _check(target, force)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as scratch:
            draft = Path(scratch) / target.name
            draft.mkdir()
            about = _Export(folder, draft, most, turns).fill(what, step)
            about |= {"path": str(target), "seconds": round(time.perf_counter() - started, 2)}
            (draft / MANIFEST).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
            if target.exists():
                target.rename(Path(scratch) / "before")
            draft.rename(target)
    except OSError as error:
        raise UserError(
            f"The export could not be written to {target} ({error.strerror or error}): free some space there, or "
            "choose another folder with `--to`."
        ) from error
    return about


def _check(target: Path, force: bool) -> None:
    """UserError: something is there that must not be replaced."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    if not (target / MANIFEST).is_file():
        raise UserError(f"{target} exists and is no export; choose another folder with `--to`.")
    if not force:
        raise UserError(f"{target} exists already; `--force` replaces it, `--to FOLDER` writes elsewhere.")


class _Export:
    """One export being made in the folder `draft`."""

    def __init__(self, folder: RunFolder, draft: Path, most: int, turns: str) -> None:
        self.folder, self.draft, self.most, self.turns = folder, draft, most, turns
        self.config = build(folder.config(), str(folder.path / "config.json"))
        self.chat = self.config.model.style == "chat"
        self.tables: dict[str, Table] = RUN_TABLES | pair_tables(self.chat)
        self.cut: dict[str, int] = {}

    def fill(self, what: Collection[str], step: int | None) -> dict[str, Any]:
        made: dict[str, dict[str, Any]] = {}
        policy = model.copy(self.folder.path, self.draft / "model", step) if "model" in what else None
        with self.folder.reader() as reader, reader.snapshot():
            last_step = reader.last_step()
            for name in (name for name in self.tables if name in what):
                made[name] = self._write(name, reader)
            evaluation = reader.evaluations()
        about = {
            "run": self.folder.path.name,
            "step": last_step,
            "tables": {name: table for name, table in made.items() if table["rows"]},
            "left_out": {name: _why(name) for name, table in made.items() if not table["rows"]},
            "model": policy,
            "most": self.most,
            "turns": self.turns,
            "cut": self.cut,
            "evaluation": evaluation,
            "config": self.config.model_dump(mode="json"),
            "meta": self.folder.meta(),
        }
        (self.draft / "README.md").write_text(card(about, self.tables), encoding="utf-8")
        (self.draft / "config.json").write_text(json.dumps(about["config"], indent=2) + "\n", encoding="utf-8")
        return about

    def _write(self, name: str, reader: Reader) -> dict[str, Any]:
        file = f"{name}.parquet"
        path = self.draft / file
        rows = self._pairs(name, reader) if name in PAIRS else STREAMS[name](reader)
        count = parquet.write(path, self.tables[name], rows)
        return {"file": file, "rows": count, "bytes": path.stat().st_size if count else 0}

    def _pairs(self, name: str, reader: Reader) -> Iterator[Row]:
        form = self._template() if self.chat else None
        for kind in KINDS:
            graded = reader.graded(kind)
            if name == "sft":
                made = pairs.sft(graded, None if kind == "proposal" else self.most, self.turns)
            else:
                made = pairs.preferences(graded, self.most, self.turns)
            for row in made:
                if form is None:
                    yield row
                elif (messages := form.messages(row["prompt"])) is None:
                    self.cut[name] = self.cut.get(name, 0) + 1
                else:
                    spoken = {side: said(row[side]) for side in ("completion", "chosen", "rejected") if side in row}
                    yield row | {"prompt": messages} | spoken

    def _template(self) -> Template:
        folders = model.kept(self.folder.path)
        if folders:
            return template(list(folders.values())[-1])
        from selfplay.models import resolve

        return template(resolve(self.config.model.source, self.config.seed))


def _why(name: str) -> str:
    return {
        "sft": "nothing that the run wrote was found right",
        "preferences": "no prompt had both a better and a worse answer",
    }.get(name, "the run has none")
