"""Bad input: one clear sentence, a non-zero exit, and no run is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from selfplay.cli import main
from tests.store import made


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


CASES = {
    "an unknown recipe": (
        ["quickstrat"],
        "There is no recipe 'quickstrat'",
        "quickstart",
    ),
    "an unknown key": (
        ["scratch", "--training.learning_rat", "1"],
        "no key 'training.learning_rat'",
        "'training.learning_rate'",
    ),
    "a key without its section": (
        ["scratch", "--learning_rate", "1e-3"],
        "no key 'learning_rate'",
        "'training.learning_rate'",
    ),
    "an unknown section": (
        ["scratch", "--trainin.epochs", "1"],
        "no key 'trainin",
        "training",
    ),
    "an unknown game": (
        ["scratch", "--games.names", '["kuhn_pokr"]'],
        "kuhn_pokr",
        "did you mean `kuhn_poker`?",
    ),
    "an unknown game to measure": (
        ["scratch", "--evaluation.exploitability", '["chess"]'],
        "`chess`",
        "kuhn_poker",
    ),
    "an unknown family": (
        ["scratch", "--curriculum.families", '["deducton"]'],
        "deducton",
        "did you mean `deduction`?",
    ),
    "an unknown scorer": (
        ["scratch", "--curriculum.scorer", "varience"],
        "varience",
        "did you mean `variance`?",
    ),
    "an unknown estimator": (
        ["scratch", "--credit.player", "raee"],
        "raee",
        "did you mean `rae`?",
    ),
    "a history where single positions are asked about": (
        ["scratch", "--games.observation", "history"],
        "games.observation = 'history'",
        "set evaluation.exploitability = []",
    ),
    "no steps": (
        ["scratch", "--steps", "0"],
        "the value of 'steps' does not fit",
        "greater than 0",
    ),
    "a word for a number": (
        ["scratch", "--steps", "many"],
        "the value of 'steps' does not fit",
        "'many'",
    ),
    "an unknown engine": (
        ["scratch", "--sampler.engine", "vlm"],
        "'sampler.engine'",
        "'vllm'",
    ),
    "a key inside a value": (
        ["scratch", "--steps.more", "3"],
        "'steps.more'",
        "a value",
    ),
    "a word without dashes": (
        ["scratch", "steps", "3"],
        "'steps' stands alone",
        "`--steps 3`",
    ),
    "a key without a value": (
        ["scratch", "--steps"],
        "'--steps' has no value",
        "",
    ),
    "a shape that is none": (
        ["scratch", "--model.source", "scratch:2x33"],
        "scratch:2x33",
        "scratch:4x192",
    ),
    "a model nobody knows": (
        ["scratch", "--model.source", "scrtch"],
        "no model `scrtch`",
        "did you mean `scratch`?",
    ),
}


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SELFPLAY_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("SELFPLAY_CACHE", str(tmp_path / "cache"))
    made.run(tmp_path / "runs", name="scratch")
    return tmp_path / "runs"


def refused(call: list[str], runs: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The one sentence that `selfplay run` ends with, everything else being as it was."""
    before = contents(runs)
    assert main(["run", *call]) != 0
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("selfplay run: ") and err.count("\n") == 1 and err.endswith("\n")
    assert contents(runs) == before
    assert [path.name for path in runs.iterdir()] == ["scratch-001"]
    return err


@pytest.mark.parametrize("case", CASES)
def test_it_is_one_sentence_that_names_the_fault_and_the_cure(
    case: str, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call, fault, cure = CASES[case]
    sentence = refused(call, runs, capsys)
    assert fault in sentence and cure in sentence


def test_a_model_folder_with_nothing_in_it_is_named(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    sentence = refused(["scratch", "--model.source", str(tmp_path / "empty")], runs, capsys)
    assert f"{tmp_path}/empty holds no model (no config.json)" in sentence and "--model.source embedded" in sentence


@pytest.mark.parametrize(
    ("name", "text"),
    [("broken.toml", "steps = = 3"), ("broken.json", "{"), ("list.json", "[1]"), ("binary.toml", "\udcff")],
)
def test_a_recipe_that_cannot_be_read_is_named(
    name: str, text: str, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text, errors="surrogateescape")
    assert str(tmp_path / name) in refused([str(tmp_path / name)], runs, capsys)


def test_a_game_without_names_for_what_a_seat_knows_is_not_shown_by_them(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plain.py").write_text(
        "from games.tic_tac_toe import TicTacToe\n\n\nclass Plain(TicTacToe):\n"
        "    name = 'plain'\n    infostate_key = lambda self, state, seat: None\n"
    )
    call = ["scratch", "--games.names", f'["{tmp_path}/plain.py:Plain"]', "--games.observation", "infostate"]
    sentence = refused(call, runs, capsys)
    assert "`plain` gives none (no `infostate_key`): set games.observation = 'current'" in sentence


def test_runs_that_cannot_be_made_where_they_are_asked_for(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("SELFPLAY_RUNS", str(tmp_path / "file"))
    assert f"No run can be made in {tmp_path}/file" in refused(["scratch"], runs, capsys)


def test_resuming_what_is_no_run_is_one_sentence(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (runs / "foreign").mkdir()
    for name, words in (("scrtch-001", "did you mean scratch-001?"), ("foreign", "is not a run: there is no run.db")):
        assert main(["resume", name]) == (1 if name == "foreign" else 2)
        out, err = capsys.readouterr()
        assert out == "" and words in err and err.count("\n") == 1
