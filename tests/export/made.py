"""Runs to export: as the store's tests make them, in chat as well."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selfplay.records import Proposal, StepRecord, Turn
from selfplay.store.folder import RunFolder
from tests.store import made

TEMPLATE = (
    "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}</end>\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def run(root: Path, *records: StepRecord, **config: Any) -> RunFolder:
    """A run of exactly these steps, or of three as `made.record` gives them."""
    records = records or tuple(made.record(step) for step in (1, 2, 3))
    recipe = json.dumps({"name": "made", "steps": len(records), "seed": 7, **config})
    folder = RunFolder.create(root, "made", recipe, {"seed": 7, "started": 1.0})
    with folder.writer() as writer:
        writer.evaluation("before", 0, made.BEFORE, seconds=1.5)
        for record in records:
            writer.commit(record)
        writer.evaluation("after", len(records), made.AFTER, seconds=1.5)
    folder.release()
    return folder


def with_proposals(record: StepRecord, *proposals: Proposal) -> StepRecord:
    """The record, with these proposals after its own."""
    return dataclasses.replace(record, proposals=(*record.proposals, *proposals))


def with_turns(record: StepRecord, change: Callable[[Turn], Turn]) -> StepRecord:
    """The record with every turn changed."""

    def changed(owner: Any) -> Any:
        return dataclasses.replace(owner, turn=owner.turn and change(owner.turn))

    return dataclasses.replace(
        record,
        proposals=tuple(map(changed, record.proposals)),
        attempts=tuple(map(changed, record.attempts)),
        episodes=tuple(dataclasses.replace(one, plies=tuple(map(changed, one.plies))) for one in record.episodes),
    )


def chat_model(model: Path, folder: Path) -> Path:
    """A copy of the model in `folder` whose tokenizer has a chat template."""
    shutil.copytree(model, folder)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps(settings | {"chat_template": TEMPLATE}))
    return folder


def chat_run(root: Path, model: Path) -> RunFolder:
    """A run whose prompts went through the template of `TEMPLATE`; one of each record's has lost its beginning."""

    def templated(turn: Turn) -> Turn:
        text = f"<user>{turn.prompt}</end>\n<assistant>"
        return dataclasses.replace(turn, prompt=text if turn.group != made.task(2, 6).id else text[8:])

    records = [with_turns(made.record(step), templated) for step in (1, 2, 3)]
    return run(root, *records, model={"source": str(model), "style": "chat"})
