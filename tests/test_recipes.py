"""The recipes that come with the engine."""

from __future__ import annotations

import pytest

from selfplay.config import RECIPES, load
from selfplay.parts import Rules

NAMES = sorted(path.stem for path in RECIPES.glob("*.toml"))


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_names_only_what_there_is(name: str) -> None:
    rules = Rules.assemble(load(name))
    try:
        assert rules.config.name == name and (rules.games or rules.families)
    finally:
        rules.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_begins_by_saying_what_it_is_for(name: str) -> None:
    first = (RECIPES / f"{name}.toml").read_text().splitlines()[0]
    assert first.startswith("# ") and first.endswith(".") and len(first) > 40
