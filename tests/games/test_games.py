from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import games
from games.check import check
from games.opponents import Minimax
from selfplay.errors import PluginNotFound, UserError

ROOT = Path(games.__file__).parents[1]
README = (ROOT / "games" / "README.md").read_text()


def test_the_built_in_games_are_found_by_name():
    assert {"kuhn_poker", "tic_tac_toe"} <= set(games.available())
    assert [games.find(name).name for name in games.available()] == games.available()


def test_a_game_that_does_not_exist_is_answered_with_the_nearest_one():
    with pytest.raises(PluginNotFound, match="did you mean `kuhn_poker`"):
        games.find("khun_poker")


def test_what_is_no_game_is_refused(tmp_path):
    file = tmp_path / "thing.py"
    file.write_text(
        "from games import Game\n\n\nclass Thing:\n    name = 'thing'\n\n\nclass Half(Game):\n    name = 'half'\n"
    )
    with pytest.raises(UserError, match="inherit from games.Game"):
        games.find(f"{file}:Thing")
    with pytest.raises(UserError, match="still needs initial, legal, observe, returns, step, to_move"):
        games.find(f"{file}:Half")


def test_the_example_of_the_readme_is_a_game_under_forty_lines_that_keeps_the_laws(tmp_path, monkeypatch):
    source = re.search(r"```python file=subtraction\.py\n(.*?)```", README, re.DOTALL).group(1)
    assert len(source.splitlines()) < 40
    (tmp_path / "subtraction.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    game = games.find("subtraction.py:Subtraction")
    assert check(game) == []
    assert Minimax().value(game, game.initial(Random(0))) == 1  # seven stones: take three, leave four
    assert Minimax().act(game, game.initial(Random(0)), Random(0)) == "3"


def test_the_other_code_of_the_readme_runs_and_gives_the_numbers_it_shows(tmp_path, monkeypatch, capsys):
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(blocks) == 3
    (tmp_path / "subtraction.py").write_text(
        re.search(r"```python file=subtraction\.py\n(.*?)```", README, re.DOTALL).group(1)
    )
    monkeypatch.chdir(tmp_path)
    shown = 0
    for block in blocks:
        scope: dict = {}
        exec(block.replace('games.find("my/subtraction.py:Subtraction")', ""), scope)
        for line in block.splitlines():
            code, mark, value = line.partition("  #")
            if mark and re.match(r" [\d.]+", value) and "=" not in code:
                assert eval(code, scope) == pytest.approx(float(re.match(r" ([\d.]+)", value).group(1)), abs=1e-4)
                shown += 1
    assert shown == 3
    assert capsys.readouterr().out == ""


def test_games_and_their_check_load_neither_torch_nor_numpy_nor_the_engine():
    code = (
        "import sys, games, games.check, games.exploitability, games.opponents; games.find('kuhn_poker'); "
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('torch', 'numpy', 'pydantic', 'transformers')"
        " or (m.startswith('selfplay.') and m not in ('selfplay.plugins', 'selfplay.errors'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
