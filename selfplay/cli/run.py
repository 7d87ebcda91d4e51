"""`selfplay run RECIPE [--key value …]`: start a run."""

from __future__ import annotations

import sys
from pathlib import Path

from selfplay import config as recipes
from selfplay.cli.arguments import overrides
from selfplay.cli.common import Parser, runs_root


def main(argv: list[str]) -> int:
    if not argv or {"-h", "--help"} & set(argv):
        _help()
        return 0 if argv else 2
    if argv[0].startswith("-"):
        Parser("run", "", json=False).error("name a recipe first: `selfplay run RECIPE [--key value …]`.")
    recipe, *rest = argv
    config = recipes.load(recipe, overrides(rest))

    from selfplay.runner import start

    start(config, runs_root(), [Path(sys.argv[0]).name, "run", *argv])
    return 0


def _help() -> None:
    known = ", ".join(sorted(path.stem for path in recipes.RECIPES.glob("*.toml")))
    print(
        f"usage: selfplay run RECIPE [--key value …]\n\n"
        f"RECIPE is one of {known}; or a path to a TOML file or to a run's config.json."
    )
    print("\nkeys and their defaults:")
    for key, value in recipes.keys().items():
        print(f"  --{key} {list(value) if isinstance(value, tuple) else value}")
