"""One lookup for every kind of plug-in: a plain class in one file, found by its `name` without being registered.

`find` looks, in this order, at

1. `path/to/file.py:Class` (or `path/to/file.py`, where the file holds one plug-in),
2. the built-in folder of the kind: a class whose body says `name = "foo"`, in `foo.py` first, then in the others,
3. entry points of the group `selfplay.<kind>` in installed distributions.

A built-in comes before an entry point of the same name; two candidates at one place are an error. The folder is scanned
as source text, so listing what exists imports nothing, and finding one plug-in imports only its own module.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from selfplay.errors import PluginNotFound, UserError


def find(kind: str, name: str, package: str) -> Any:
    """The class (or, from a file or an entry point, any object) that `name` names.

    kind: the plug-in kind, as in the entry-point group `selfplay.<kind>`. package: the import name of its built-in
    folder. Raises PluginNotFound, which says what was tried, what exists and the nearest name; UserError where a file
    cannot be imported or where two plug-ins share the name.
    """
    path, colon, attribute = name.rpartition(":") if not name.endswith(".py") else (name, "", "")
    if path.endswith(".py"):
        return _from_file(kind, Path(path).expanduser(), attribute if colon else None)

    folder = _folder(package)
    files = _files(folder)
    own_file = files.get(name)
    places = [(name, own_file)] if own_file and name in _names(own_file) else _holding(name, files)
    if len(places) > 1:
        raise UserError(
            f"two files of {folder} hold a class named `{name}`, rename one: {', '.join(f.name for _, f in places)}"
        )
    if places:
        module = _import(f"{package}.{places[0][0]}", places[0][1], _load_package_module)
        return _only(kind, name, _classes(module).get(name, []), places[0][1])

    points = [point for point in _entry_points(kind) if point.name == name]
    if len({point.value for point in points}) > 1:
        raise UserError(
            f"two distributions offer {kind} called `{name}`, uninstall one: {', '.join(p.value for p in points)}"
        )
    if points:
        return _load_point(points[0])
    tried = [f"{folder / name}.py", f"classes with `name = {name!r}` in {folder}", f"entry points of selfplay.{kind}"]
    raise _not_found(kind, name, tried, available(package, kind))


def available(package: str, kind: str) -> list[str]:
    """Names of all plug-ins of a kind, built-in and installed, sorted. Imports none of them."""
    names = {name for file in _files(_folder(package)).values() for name in _names(file)}
    return sorted(names | {point.name for point in _entry_points(kind)})


def _from_file(kind: str, path: Path, attribute: str | None) -> Any:
    if not path.is_file():
        raise _not_found(
            kind, f"{path}:{attribute}" if attribute else str(path), [str(path.absolute())], _python_files(path.parent)
        )
    resolved = path.resolve()
    unique = f"plugin_{hashlib.sha256(str(resolved).encode()).hexdigest()[:12]}_{resolved.stem}"
    module = _import(unique, resolved, _load_lone_file)
    if attribute is None:
        found = [cls for classes in _classes(module).values() for cls in classes]
        return _only(kind, str(path), found, path)
    if not hasattr(module, attribute):
        exists = [key for key, value in vars(module).items() if isinstance(value, type) and value.__module__ == unique]
        raise _not_found(kind, attribute, [f"the names in {path}"], sorted(exists))
    return getattr(module, attribute)


def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ValueError(f"{package} is not a package")
    return Path(next(iter(spec.submodule_search_locations)))


def _files(folder: Path) -> dict[str, Path]:
    """Module name → source file, for the modules that lie directly in the folder."""
    modules = sorted(pkgutil.iter_modules([str(folder)]), key=lambda module: module.name)
    files = {m.name: folder / m.name / "__init__.py" if m.ispkg else folder / f"{m.name}.py" for m in modules}
    return {name: file for name, file in files.items() if file.is_file()}


def _holding(name: str, files: dict[str, Path]) -> list[tuple[str, Path]]:
    return [(module, file) for module, file in files.items() if name in _names(file)]


def _names(file: Path) -> list[str]:
    """The plug-in names a source file declares: string constants assigned to `name` in the body of a top-level class.
    A file that does not parse declares what its file name says, so that finding it tells what is wrong with it."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return [file.stem]
    return [name for node in tree.body if isinstance(node, ast.ClassDef) for name in _declared(node)]


def _declared(node: ast.ClassDef) -> Iterator[str]:
    for line in node.body:
        targets = (
            line.targets if isinstance(line, ast.Assign) else [line.target] if isinstance(line, ast.AnnAssign) else []
        )
        value = getattr(line, "value", None)
        named = any(isinstance(target, ast.Name) and target.id == "name" for target in targets)
        if named and isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value


def _classes(module: ModuleType) -> dict[str, list[type]]:
    """Plug-in name → the classes of the module that declare it themselves (an inherited name does not count)."""
    found: dict[str, list[type]] = {}
    for value in vars(module).values():
        own = isinstance(value, type) and value.__module__ == module.__name__
        if own and isinstance(name := vars(value).get("name"), str) and value not in found.setdefault(name, []):
            found[name].append(value)
    return found


def _only(kind: str, name: str, found: list[type], file: Path) -> type:
    if len(found) == 1:
        return found[0]
    listed = ", ".join(cls.__name__ for cls in found) or "no such class"
    raise UserError(f"`{name}` must name one class of {kind}, and {file} holds {listed}: write {file}:Class")


def _import(module_name: str, file: Path, load: Callable[[str, Path], ModuleType]) -> ModuleType:
    """The module, imported once. Raises UserError that names the file when its code fails."""
    if module_name in sys.modules:
        return sys.modules[module_name]
    try:
        return load(module_name, file)
    except UserError:
        raise
    except Exception as error:
        raise UserError(f"{file} cannot be imported, mend it first: {type(error).__name__}: {error}") from error


def _load_package_module(module_name: str, file: Path) -> ModuleType:
    importlib.invalidate_caches()
    return importlib.import_module(module_name)


def _load_lone_file(module_name: str, file: Path) -> ModuleType:
    loader = SourceFileLoader(module_name, str(file))
    module = importlib.util.module_from_spec(ModuleSpec(module_name, loader, origin=str(file)))
    module.__file__ = str(file)
    sys.modules[module_name] = module
    try:
        loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    return module


def _entry_points(kind: str) -> list[EntryPoint]:
    return list(entry_points(group=f"selfplay.{kind}"))


def _load_point(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as error:
        owner = point.dist.name if point.dist else point.value
        raise UserError(f"`{point.name}` of {owner} cannot be imported: {type(error).__name__}: {error}") from error


def _python_files(folder: Path) -> list[str]:
    return sorted(str(file) for file in folder.glob("*.py")) if folder.is_dir() else []


def _not_found(kind: str, name: str, tried: list[str], exists: list[str]) -> PluginNotFound:
    lowered = {each.lower(): each for each in exists}
    near = get_close_matches(name.lower(), list(lowered), n=1, cutoff=0.5)
    return PluginNotFound(kind, name, tried, exists, lowered[near[0]] if near else None)
