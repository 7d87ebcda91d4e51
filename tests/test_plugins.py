from __future__ import annotations

import sys
from pathlib import Path

import pytest

from selfplay.errors import PluginNotFound, UserError
from selfplay.plugins import available, find

PLUGIN = 'class {cls}:\n    name = "{name}"\n'


@pytest.fixture
def package(tmp_path, monkeypatch, request):
    """An importable, empty plug-in folder; its import name is unique to the test."""
    folder = tmp_path / f"plugs_{request.node.name}"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for module in [name for name in sys.modules if name.split(".")[0] == folder.name]:
        del sys.modules[module]


def install(folder: Path, distribution: str, group: str, **points: str) -> None:
    """Puts the metadata of a distribution where Python looks for it."""
    info = folder / f"{distribution}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    lines = "".join(f"{name} = {value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[{group}]\n{lines}")


def test_a_file_dropped_into_the_folder_is_found_by_its_name(package):
    assert available(package.name, "toys") == []
    (package / "top.py").write_text(PLUGIN.format(cls="Top", name="top"))
    assert find("toys", "top", package.name).__name__ == "Top"
    assert available(package.name, "toys") == ["top"]


def test_the_same_plug_in_is_the_same_class_each_time(package):
    (package / "top.py").write_text(PLUGIN.format(cls="Top", name="top"))
    assert find("toys", "top", package.name) is find("toys", "top", package.name)


def test_a_plug_in_in_a_file_of_another_name_is_found_too(package):
    (package / "round_things.py").write_text(
        PLUGIN.format(cls="Ball", name="ball") + PLUGIN.format(cls="Top", name="top")
    )
    assert find("toys", "top", package.name).__name__ == "Top"
    assert find("toys", "ball", package.name).__name__ == "Ball"


def test_finding_one_imports_no_other_module_of_the_folder(package):
    (package / "top.py").write_text(PLUGIN.format(cls="Top", name="top"))
    (package / "heavy.py").write_text("raise RuntimeError('imported')\n" + PLUGIN.format(cls="Heavy", name="heavy"))
    (package / "many.py").write_text(PLUGIN.format(cls="Ball", name="ball"))
    assert available(package.name, "toys") == ["ball", "heavy", "top"]
    find("toys", "top", package.name)
    find("toys", "ball", package.name)
    assert f"{package.name}.heavy" not in sys.modules


def test_an_annotated_name_counts_and_an_inherited_one_does_not(package):
    (package / "a.py").write_text(
        'class A:\n    name: str = "a"\n\n\nclass B(A):\n    pass\n\n\nclass C:\n    name: str\n'
    )
    assert find("toys", "a", package.name).__name__ == "A"
    assert available(package.name, "toys") == ["a"]


def test_a_class_imported_into_a_module_is_not_taken_for_its_own(package):
    (package / "a.py").write_text(PLUGIN.format(cls="A", name="a"))
    (package / "b.py").write_text(f"from {package.name}.a import A\n\n\n" + PLUGIN.format(cls="B", name="b"))
    assert find("toys", "a", package.name).__module__ == f"{package.name}.a"
    assert available(package.name, "toys") == ["a", "b"]


def test_two_files_with_one_name_are_an_error_that_names_both(package):
    (package / "a.py").write_text(PLUGIN.format(cls="A", name="twin"))
    (package / "b.py").write_text(PLUGIN.format(cls="B", name="twin"))
    with pytest.raises(UserError, match=r"a\.py, b\.py"):
        find("toys", "twin", package.name)


def test_a_name_that_is_not_found_says_what_was_tried_what_exists_and_what_is_near(package):
    (package / "spinning_top.py").write_text(PLUGIN.format(cls="Top", name="spinning_top"))
    (package / "ball.py").write_text(PLUGIN.format(cls="Ball", name="ball"))
    with pytest.raises(PluginNotFound) as raised:
        find("toys", "spining-top", package.name)
    assert raised.value.nearest == "spinning_top"
    assert raised.value.exists == ["ball", "spinning_top"]
    message = str(raised.value)
    assert "did you mean `spinning_top`" in message
    assert "spining-top.py" in message and "selfplay.toys" in message and "ball, spinning_top" in message
    with pytest.raises(PluginNotFound) as raised:
        find("toys", "zzz", package.name)
    assert raised.value.nearest is None and "did you mean" not in str(raised.value)


def test_a_built_in_that_cannot_be_imported_says_why_and_does_not_spoil_the_others(package):
    (package / "top.py").write_text(PLUGIN.format(cls="Top", name="top"))
    (package / "broken.py").write_text("class Broken(:\n")
    assert find("toys", "top", package.name).__name__ == "Top"
    with pytest.raises(UserError, match=r"broken\.py cannot be imported, mend it first: SyntaxError"):
        find("toys", "broken", package.name)


def test_a_class_is_found_by_the_path_of_its_file(tmp_path, monkeypatch, package):
    (tmp_path / "mine.py").write_text(PLUGIN.format(cls="Mine", name="mine"))
    found = find("toys", f"{tmp_path}/mine.py:Mine", package.name)
    assert found.name == "mine"
    assert find("toys", f"{tmp_path}/mine.py", package.name) is found
    monkeypatch.chdir(tmp_path)
    assert find("toys", "mine.py:Mine", package.name) is found


def test_files_of_one_name_in_two_folders_stay_apart(tmp_path, package):
    for word in ("one", "two"):
        (tmp_path / word).mkdir()
        (tmp_path / word / "toy.py").write_text(PLUGIN.format(cls="Toy", name=word))
    assert [find("toys", f"{tmp_path}/{word}/toy.py:Toy", package.name).name for word in ("one", "two")] == [
        "one",
        "two",
    ]


def test_a_wrong_path_or_class_names_the_near_ones(tmp_path, package):
    file = tmp_path / "mine.py"
    file.write_text(PLUGIN.format(cls="Spinner", name="spinner") + PLUGIN.format(cls="Ball", name="ball"))
    with pytest.raises(PluginNotFound, match="did you mean `Spinner`"):
        find("toys", f"{file}:Spiner", package.name)
    with pytest.raises(PluginNotFound) as raised:
        find("toys", f"{tmp_path}/mime.py:Spinner", package.name)
    assert raised.value.nearest == str(file)
    with pytest.raises(UserError, match="holds Spinner, Ball"):
        find("toys", str(file), package.name)


def test_a_file_that_fails_once_mended_is_found(tmp_path, package):
    file = tmp_path / "mine.py"
    file.write_text("import no_such_module_at_all\n")
    with pytest.raises(UserError, match=r"mine\.py cannot be imported.*no_such_module_at_all"):
        find("toys", f"{file}:Mine", package.name)
    file.write_text("# mended, and longer than it was before\n" + PLUGIN.format(cls="Mine", name="mine"))
    assert find("toys", f"{file}:Mine", package.name).name == "mine"


def test_another_distribution_offers_a_plug_in_through_an_entry_point(tmp_path, package):
    (tmp_path / "foreign_toys.py").write_text(PLUGIN.format(cls="Kite", name="kite"))
    install(tmp_path, "foreign", "selfplay.toys", kite="foreign_toys:Kite", lost="foreign_toys:Lost")
    (package / "top.py").write_text(PLUGIN.format(cls="Top", name="top"))
    assert find("toys", "kite", package.name).__name__ == "Kite"
    assert available(package.name, "toys") == ["kite", "lost", "top"]
    with pytest.raises(PluginNotFound):
        find("games", "kite", package.name)
    with pytest.raises(UserError, match="`lost` of foreign cannot be imported"):
        find("toys", "lost", package.name)
    del sys.modules["foreign_toys"]


def test_a_built_in_comes_before_an_entry_point_and_two_entry_points_are_an_error(tmp_path, package):
    (package / "top.py").write_text(PLUGIN.format(cls="Top", name="top"))
    install(tmp_path, "one", "selfplay.toys", top="nowhere:Top", kite="nowhere:Kite")
    install(tmp_path, "two", "selfplay.toys", kite="elsewhere:Kite")
    assert find("toys", "top", package.name).__name__ == "Top"
    with pytest.raises(UserError, match="two distributions"):
        find("toys", "kite", package.name)
