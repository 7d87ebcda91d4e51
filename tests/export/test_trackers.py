from __future__ import annotations

import importlib.util
import json
import os
import sqlite3
import struct
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from selfplay.errors import UserError
from selfplay.export.trackers import TRACKERS, Point, points, track
from selfplay.store.reader import Reader
from tests.export import made as runs
from tests.store import made

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return runs.run(tmp_path).path


def test_curves_come_step_after_step_with_evaluations_and_without_what_is_no_number(run: Path) -> None:
    with Reader(run) as reader:
        found = list(points(reader))
    assert [point.step for point in found] == [0, 1, 2, 3]
    assert found[0] == Point(0, 1.0, {f"evaluation/{key}": value for key, value in made.BEFORE.items()})
    metrics = {key: value for key, value in made.record(3).metrics.items() if key != "loss/nan"}
    assert found[3].values == metrics | {f"evaluation/{key}": value for key, value in made.AFTER.items()}
    assert found[3].time is not None and found[3].time > 1e9


@pytest.mark.parametrize("name", TRACKERS)
def test_a_library_that_is_missing_is_one_sentence_with_the_command_that_brings_it(
    run: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, TRACKERS[name].library, None)
    with pytest.raises(UserError, match=rf"^`--to-{name}` needs .* `pip install {TRACKERS[name].pin}` brings it\.$"):
        track(name, run, "somewhere")


def test_extras_and_sentences_name_the_same_versions() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    assert {name: [tracker.pin] for name, tracker in TRACKERS.items()} == {name: extras[name] for name in TRACKERS}


def told(run: Path, name: str, target: str, **environment: str) -> dict[str, Any]:
    """What the command line says of this export, in a process of its own; skips where the library is missing."""
    if importlib.util.find_spec(TRACKERS[name].library) is None:
        pytest.skip(f"the extra `{name}` is not installed")
    command = [sys.executable, "-m", "selfplay.cli", "export", str(run), f"--to-{name}", target, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=os.environ | environment)
    assert done.returncode == 0 and done.stdout.count("\n") == 1, done.stderr
    found = json.loads(done.stdout)["trackers"][name]
    assert (found["steps"], found["values"]) == (4, 25)
    return found


def test_tensorboard_gets_every_value_and_the_config(run: Path, tmp_path: Path) -> None:
    folder = Path(told(run, "tensorboard", str(tmp_path / "tb"))["where"])
    from tensorboardX.proto.event_pb2 import Event
    from tensorboardX.record_writer import masked_crc32c

    assert folder == tmp_path / "tb" / run.name
    (file,) = folder.iterdir()
    raw, found, texts = file.read_bytes(), {}, []
    while raw:
        (length,) = struct.unpack("<Q", raw[:8])
        assert struct.unpack("<I", raw[8:12])[0] == masked_crc32c(raw[:8])
        event = Event.FromString(raw[12 : 12 + length])
        raw = raw[16 + length :]
        for value in event.summary.value:
            if value.HasField("simple_value"):
                found[value.tag, event.step] = value.simple_value
            elif value.HasField("tensor"):
                texts.append(value.tensor.string_val[0].decode())
    assert len(found) == 25 and found["evaluation/proposer/valid_rate", 3] == 0.5
    assert found["proposer/reward/mean", 2] == pytest.approx(0.2)
    assert '"seed": 7' in texts[0]
    with pytest.raises(UserError, match="has event files already; `--force` replaces them"):
        track("tensorboard", run, str(tmp_path / "tb"))
    track("tensorboard", run, str(tmp_path / "tb"), force=True)
    assert len(list(folder.iterdir())) == 1


def test_trackio_gets_every_value_and_the_config(run: Path, tmp_path: Path) -> None:
    told(run, "trackio", "games", TRACKIO_DIR=str(tmp_path / "trackio"))
    with sqlite3.connect(tmp_path / "trackio" / "games.db") as db:
        kept = dict(db.execute("SELECT step, metrics FROM metrics WHERE run_name = ?", (run.name,)))
        ((config,),) = db.execute("SELECT config FROM configs")
    assert json.loads(kept[3])["proposer/reward/mean"] == pytest.approx(0.3)
    assert sum(len(json.loads(values)) for values in kept.values()) == 25
    assert json.loads(config)["seed"] == 7


def test_wandb_gets_every_value_and_the_config_offline(run: Path, tmp_path: Path) -> None:
    where = told(run, "wandb", "games", WANDB_DIR=str(tmp_path))["where"]
    from wandb.proto.wandb_internal_pb2 import Record

    (file,) = Path(where).glob("*.wandb")
    records = [Record.FromString(one) for one in leveldb_log(file.read_bytes())]
    history = [
        {item.key or "/".join(item.nested_key): json.loads(item.value_json) for item in record.history.item}
        for record in records
        if record.HasField("history")
    ]
    assert [row["_step"] for row in history] == [0, 1, 2, 3]
    assert history[2]["proposer/reward/mean"] == pytest.approx(0.2)
    assert history[3]["evaluation/proposer/valid_rate"] == 0.5
    config = {item.key: item.value_json for record in records for item in record.run.config.update}
    assert config["seed"] == "7"


def leveldb_log(raw: bytes) -> Iterator[bytes]:
    """The records of a file in LevelDB's log format: blocks of 32 KiB, behind a header of 7 bytes."""
    place, parts = 7, b""
    while place < len(raw):
        left = 32768 - place % 32768
        if left < 7:
            place += left
            continue
        _, length, kind = struct.unpack("<IHB", raw[place : place + 7])
        parts += raw[place + 7 : place + 7 + length]
        place += 7 + length
        if kind in (1, 4):
            yield parts
            parts = b""
