"""A source names a model, or the sentence says why it does not."""

from __future__ import annotations

import subprocess
import sys

import pytest

from selfplay.errors import UserError
from selfplay.models import cache, resolve


def test_a_folder_with_a_model_is_used_as_it_is(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"")
    assert resolve(str(tmp_path)) == tmp_path.resolve()


def test_an_empty_folder_holds_no_model(tmp_path):
    with pytest.raises(UserError, match=r"holds no model \(no config.json\).*--model.source embedded"):
        resolve(str(tmp_path))


def test_a_folder_without_weights_holds_no_model(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(UserError, match="no weights"):
        resolve(str(tmp_path))


def test_a_file_is_no_model(tmp_path):
    path = tmp_path / "model.gguf"
    path.write_bytes(b"")
    with pytest.raises(UserError, match="it is a file"):
        resolve(str(path))


def test_a_misspelt_name_is_answered_with_the_nearest():
    with pytest.raises(UserError, match="did you mean `embedded`"):
        resolve("embeded")


def test_a_name_that_is_nothing_is_answered_with_what_could_be_given():
    with pytest.raises(UserError, match="a folder, a hub name .* or use `--model.source embedded`"):
        resolve("./no/such/folder")


def test_a_hub_name_that_cannot_be_fetched_gives_one_sentence_and_a_way_out(tmp_path):
    code = "from selfplay.models import resolve\nresolve('no-such-owner/no-such-model')"
    settings = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True)
    last = done.stderr.splitlines()[-1]
    assert done.returncode and last.startswith(
        "selfplay.errors.UserError: Cannot fetch the model `no-such-owner/no-such-model`"
    )
    assert "cannot be reached" in last and "--model.source embedded" in last


def test_a_failed_build_leaves_nothing_in_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SELFPLAY_CACHE", str(tmp_path))

    def build(folder):
        (folder / "half").write_text("…")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cache.once("model", build)
    assert list(tmp_path.iterdir()) == []


def test_of_two_builds_at_once_the_first_to_finish_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("SELFPLAY_CACHE", str(tmp_path))

    def slow(folder):
        cache.once("model", lambda inner: (inner / "who").write_text("fast"))
        (folder / "who").write_text("slow")

    assert (cache.once("model", slow) / "who").read_text() == "fast"
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_a_disk_that_takes_no_more_gives_one_sentence_and_stays_clean(tmp_path):
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "from selfplay.models import resolve\nresolve('scratch')"
    )
    settings = {"SELFPLAY_CACHE": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-B", "-c", code], env=settings, capture_output=True, text=True)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("selfplay.errors.UserError: Cannot write the model to") and "SELFPLAY_CACHE" in last
    assert list(tmp_path.iterdir()) == []
