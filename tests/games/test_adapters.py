"""What holds for the games of every library, whether it is installed or not."""

from __future__ import annotations

import sys

import pytest

import games
from games.adapters.recent import Recent
from selfplay.errors import PluginNotFound, UserError


def test_a_library_that_does_not_exist_is_answered_with_the_nearest_one():
    with pytest.raises(PluginNotFound, match="did you mean `open_spiel`") as raised:
        games.find("openspiel:kuhn_poker")
    assert raised.value.exists == ["open_spiel", "textarena"]


@pytest.mark.parametrize(
    ("name", "module", "package"),
    [
        ("open_spiel:kuhn_poker", "pyspiel", "open_spiel"),
        ("textarena:TicTacToe-v0", "textarena", "textarena"),
    ],
)
def test_a_library_that_is_not_installed_is_named_in_one_sentence(name, module, package, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)  # what Python itself does for a module that must not be imported
    with pytest.raises(UserError, match=f"not installed here: `pip install {package}==") as raised:
        games.find(name)
    assert "\n" not in str(raised.value) and name in str(raised.value)


def test_games_of_other_libraries_are_not_listed_among_ours():
    assert not [name for name in games.available() if ":" in name or name in ("open_spiel", "textarena")]


def test_what_was_asked_for_last_is_kept_and_the_rest_is_dropped():
    recent = Recent[int](2)
    recent.put("a", 1)
    recent.put("b", 2)
    assert recent.get("a") == 1
    recent.put("c", 3)
    assert [recent.get(key) for key in "abc"] == [1, None, 3]


def test_the_bench_of_games_does_without_a_library_that_is_not_installed(monkeypatch):
    from selfplay.bench import games as bench

    monkeypatch.setattr(bench, "GAMES", 20)
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setitem(sys.modules, "textarena", None)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    measured = bench.measure()
    assert measured["plies_per_s"] > 0 and measured["observed_plies_per_s"] > 0
    assert measured["vs_textarena"] is measured["observed_vs_textarena"] is measured["vs_open_spiel"] is None
    assert len(measured["notes"]) == 2 and "textarena is not installed" in measured["notes"][0]


@pytest.mark.parametrize(("module", "key"), [("textarena", "vs_textarena"), ("pyspiel", "vs_open_spiel")])
def test_the_bench_of_games_plays_the_libraries_that_are_there(module, key, monkeypatch):
    from selfplay.bench import games as bench

    pytest.importorskip(module, reason=f"{module} is not installed")
    monkeypatch.setattr(bench, "GAMES", 20)
    monkeypatch.setattr(bench, "ROUNDS", 1)
    assert bench.measure()[key] > 0
