"""Import names are paths, and other distributions install packages with some of our names: this says when one does."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from pathlib import Path

from selfplay.errors import UserError

NAMES = ("games", "verifiers", "proposers", "solvers")
ROOT = Path(__file__).resolve().parent.parent


def check_names() -> None:
    """Raise `UserError` unless each of the names would be imported from the folder where `selfplay` itself lies.

    Nothing is imported to find out; it takes a millisecond as long as all is well.
    """
    for name in NAMES:
        places = _places(name)
        if not places:
            raise UserError(f"Python finds no package `{name}`: run `make setup` in {ROOT}.")
        if Path(places[0]).resolve() == ROOT / name:
            continue
        owners = importlib.metadata.packages_distributions().get(name, [])
        foreign = [owner for owner in owners if owner != "selfplay-engine"]
        if foreign:
            raise UserError(
                f"The package `{name}` that Python finds belongs to the distribution {foreign[0]} ({places[0]}), "
                f"not to selfplay: run `pip uninstall {foreign[0]}` here, or use the .venv that `make setup` builds."
            )
        raise UserError(
            f"The package `{name}` that Python finds is {places[0]}, not {ROOT / name}: take that folder off "
            "Python's path (PYTHONPATH, or the folder you are in)."
        )


def _places(name: str) -> list[str]:
    """The folders, or the one file, that `import name` would load."""
    spec = importlib.util.find_spec(name)
    if spec is None:
        return []
    return list(spec.submodule_search_locations or [spec.origin or "built in"])
