"""Packages of other distributions that bear our names are found out before they do harm."""

from __future__ import annotations

import subprocess
import sys

import pytest

from selfplay.names import NAMES, ROOT, check_names


def check_in(path):
    """What `check_names` says in a fresh Python that looks at `path` first."""
    code = f"import sys; sys.path[:0] = [{str(path)!r}, {str(ROOT)!r}]\n"
    code += "from selfplay.names import check_names\ncheck_names()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=path)
    return done.stderr.splitlines()[-1] if done.returncode else ""


def test_our_own_packages_pass():
    check_names()


def test_the_check_imports_none_of_the_packages():
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom selfplay.names import check_names, NAMES\n"
        "check_names(); assert not set(NAMES) & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", NAMES)
def test_another_distribution_s_package_is_named_with_what_to_do(tmp_path, name):
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("raise SystemExit('imported')")
    info = tmp_path / "rl_shop-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rl-shop\nVersion: 1.0\n")
    (info / "RECORD").write_text(f"{name}/__init__.py,,\n")
    said = check_in(tmp_path)
    assert said.startswith(f"selfplay.errors.UserError: The package `{name}`") and "pip uninstall rl-shop" in said


def test_a_stray_module_on_the_path_is_named_by_its_place(tmp_path):
    (tmp_path / "solvers.py").write_text("")
    said = check_in(tmp_path)
    assert str(tmp_path / "solvers.py") in said and "PYTHONPATH" in said
