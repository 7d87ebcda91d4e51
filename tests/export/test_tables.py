from __future__ import annotations

import dataclasses
import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from selfplay.errors import UserError
from selfplay.export import parquet
from selfplay.export.folder import DATA, export
from selfplay.export.tables import RUN_TABLES, STREAMS, Column, Table
from selfplay.store.folder import RunFolder
from selfplay.store.reader import Reader
from tests.export import made as runs
from tests.store import made

datasets = pytest.importorskip("datasets")


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    return datasets.load_dataset(str(folder), name, split="train", cache_dir=str(folder.parent / "cache")).to_list()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return runs.run(tmp_path_factory.mktemp("runs")).path


@pytest.fixture(scope="module")
def folder(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("out") / "export"
    export(run, target)
    return target


@pytest.mark.parametrize("name", RUN_TABLES)
def test_a_table_loads_by_its_name_from_the_folder_alone_and_holds_what_the_run_holds(
    run: Path, folder: Path, name: str
) -> None:
    with Reader(run) as reader:
        held = list(STREAMS[name](reader))
    found = rows(folder, name)
    assert held and found == held
    assert list(found[0]) == list(RUN_TABLES[name].columns)


def test_the_tables_agree_with_the_pages_of_the_reader(run: Path, folder: Path) -> None:
    with Reader(run) as reader:
        proposals = {p["id"]: p for p in reader.proposals(100)}
        episode = reader.episode(1)
        task = reader.task(made.task(2, 0).id)
    for row in rows(folder, "proposals"):
        one = proposals[row["id"]]
        assert (row["gate"], row["task"], row["references"]) == (one["gate"], one["task"], one["refs"])
        assert (row["prompt"], row["completion"]) == (one["turn"]["prompt"], one["turn"]["text"])
        assert json.loads(row["draft"] or "null") == one["draft"]
    first = [row for row in rows(folder, "turns") if row["episode"] == 1]
    assert [row["action"] for row in first] == [ply["action"] for ply in episode["plies"]]
    assert [row["prompt"] for row in first] == ["You hold the king.", None]
    (same,) = [row for row in rows(folder, "tasks") if row["id"] == task["id"]]
    assert json.loads(same["body"]) == task["body"] and same["solve_rate"] == task["solve_rate"]


def test_a_model_s_words_come_back_as_it_wrote_them(folder: Path) -> None:
    assert made.HOSTILE in [row["completion"] for row in rows(folder, "proposals")]
    assert made.HOSTILE in [row["completion"] for row in rows(folder, "turns")]


def test_a_lone_surrogate_is_written_out_wherever_it_stands(tmp_path: Path) -> None:
    record = made.record(1)
    game = dataclasses.replace(record.episodes[0], opponents=("policy", "a\ud800b"))
    odd = dataclasses.replace(made.task(1, 9), body={"program": "\udfff"}, gold="\ud800é")
    record = dataclasses.replace(record, tasks=(*record.tasks, odd), episodes=(game,))
    about = export(runs.run(tmp_path, record).path)
    found = Path(about["path"])
    assert rows(found, "episodes")[0]["opponents"] == ["policy", "a\\ud800b"]
    task = rows(found, "tasks")[2]
    assert task["gold"] == "\\ud800é" and json.loads(task["body"]) == {"program": "\udfff"}


def test_what_a_run_has_none_of_is_left_out_and_said(tmp_path: Path) -> None:
    record = dataclasses.replace(made.record(1), episodes=(), samples={})
    about = export(runs.run(tmp_path, record).path)
    target = Path(about["path"])
    assert about["left_out"] == {"lineage": "the run has none", "episodes": "the run has none"} | {
        "turns": "the run has none"
    }
    assert not (target / "turns.parquet").exists() and "- no `turns`: the run has none" in card(target)
    assert {c["config_name"] for c in front(target)["configs"]} == set(DATA) - {"lineage", "episodes", "turns"}


def test_a_run_without_a_step_exports_what_there_is(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path, "empty", json.dumps({"name": "empty"}), {})
    run.writer().close()
    run.release()
    about = export(run.path)
    assert about["step"] == 0 and about["tables"] == {} and set(about["left_out"]) == set(DATA)
    assert "It was not evaluated." in card(Path(about["path"]))


def test_a_table_reaches_the_disk_before_its_last_row_is_asked_for(tmp_path: Path) -> None:
    path, table = tmp_path / "numbers.parquet", Table("numbers", {"n": Column("int", ""), "text": Column("text", "")})
    sizes = []

    def numbers() -> Iterator[dict[str, Any]]:
        for n in range(3 * parquet.BATCH + 1):
            if n % parquet.BATCH == 0 and n:
                sizes.append(path.stat().st_size)
            yield {"n": n, "text": str(n), "unnamed": object()}

    assert parquet.write(path, table, numbers()) == 3 * parquet.BATCH + 1
    assert len(sizes) == 3 and sizes[0] < sizes[1] < sizes[2]
    from pyarrow.parquet import ParquetFile

    file = ParquetFile(path)
    assert file.num_row_groups == 4 and file.read()["n"].to_pylist() == list(range(3 * parquet.BATCH + 1))


def test_a_live_run_is_exported_as_it_was_at_one_step(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path, "live", json.dumps({"name": "live", "steps": 60}), {})
    ready, stop = threading.Event(), threading.Event()

    def write() -> None:
        with run.writer() as writer:
            for step in range(1, 61):
                writer.commit(made.record(step))
                ready.set()
                if stop.is_set():
                    return

    thread = threading.Thread(target=write)
    thread.start()
    ready.wait()
    seen = []
    for _ in range(6):
        about = export(run.path, tmp_path / "out", force=True)
        counts = {name: table["rows"] for name, table in about["tables"].items()}
        step = about["step"]
        assert (counts["proposals"], counts["tasks"], counts["episodes"]) == (8 * step, 2 * step, 2 * step)
        assert counts["attempts"] == 4 * (3 * step - 1) and counts["metrics"] == 6 * step
        seen.append(step)
    stop.set()
    thread.join()
    run.release()
    assert seen == sorted(seen) and seen[0] >= 1


def front(target: Path) -> dict[str, Any]:
    return yaml.safe_load(card(target).split("---\n")[1])


def card(target: Path) -> str:
    return (target / "README.md").read_text(encoding="utf-8")


def test_what_is_there_is_not_replaced_unless_it_is_an_export_and_force_says_so(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "deep" / "out"
    export(run, target, ["metrics"])
    with pytest.raises(
        UserError, match=r"out exists already; `--force` replaces it, `--to FOLDER` writes elsewhere\.$"
    ):
        export(run, target, ["tasks"])
    assert (target / "metrics.parquet").exists()
    export(run, target, ["tasks"], force=True)
    assert (target / "tasks.parquet").exists() and not (target / "metrics.parquet").exists()
    assert [path.name for path in target.parent.iterdir()] == ["out"]
    (tmp_path / "mine").mkdir()
    export(run, tmp_path / "mine", ["tasks"])
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("years of work")
    with pytest.raises(UserError, match="exists and is no export"):
        export(run, tmp_path / "other", force=True)
    assert (tmp_path / "other" / "thesis.tex").read_text() == "years of work"


def test_an_export_that_fails_leaves_nothing_and_the_earlier_one_stays(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    export(run, target, ["tasks"])
    with pytest.raises(UserError, match="no checkpoint of a finished step"):
        export(run, target, ["metrics", "model"], force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"] and (target / "tasks.parquet").exists()


def test_a_folder_that_cannot_be_written_is_one_sentence(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="^The export could not be written to .*`--to`.$") as caught:
        export(run, tmp_path / "file" / "out")
    assert "\n" not in str(caught.value)


def test_the_card_says_where_everything_came_from(run: Path, folder: Path) -> None:
    text = card(folder)
    for words in ("SmolLM2-135M-Instruct", "Apache-2.0", "| seed | 7 |", "as of step 3 of 3"):
        assert words in text
    assert "| kuhn_poker/exploitability (lower is better) | 0.460 | 0.200 |" in text
    assert "- `proposals`: 24 rows" in text
    assert json.loads((folder / "export.json").read_text())["tables"]["proposals"]["rows"] == 24


def test_a_licence_that_nobody_here_knows_is_called_unknown_with_a_pointer(tmp_path: Path) -> None:
    run = runs.run(tmp_path, made.record(1), model={"source": "some-lab/some-model"}).path
    assert "| unknown here: read https://huggingface.co/some-lab/some-model |" in card(Path(export(run)["path"]))


def test_without_pyarrow_the_sentence_says_how_to_get_it(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UserError, match="pyarrow, which is not installed: `pip install datasets` brings it"):
        export(run, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
