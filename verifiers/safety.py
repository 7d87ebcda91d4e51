# ruff: noqa: SIM905
"""What a proposed program may not use: whatever could make its result hang on more than its input, or hide how it does.

An allow-list of modules and of what they publish; no name, attribute or string that leads to the interpreter's inside.
This is hygiene and no wall: the sandbox holds without it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterable, Mapping

from verifiers.zygote.surroundings import MODULES

_METHODS = frozenset(
    f"__{name}__"
    for name in (
        "init new post_init repr str len iter next contains getitem setitem delitem call bool lt le gt ge add sub mul "
        "truediv floordiv mod pow neg pos abs radd rsub rmul iadd isub imul and or xor invert lshift rshift enter exit "
        "int float index round reversed missing"
    ).split()
)
_NAMES = frozenset(
    "eval exec open compile input breakpoint globals locals vars dir getattr setattr delattr id hash help exit quit "
    "memoryview copyright credits license RecursionError MemoryError".split()
)
_ATTRIBUTES = frozenset(
    "gi_frame gi_code gi_yieldfrom cr_frame cr_code ag_frame ag_code f_back f_globals f_locals f_builtins f_code "
    "tb_frame tb_next co_code co_consts func_globals func_code mro buffer_info".split()
)
_SPLICERS = frozenset(  # what reads or writes an attribute, or evaluates a text, that is made at run time
    "attrgetter methodcaller get_field get_value get_type_hints ForwardRef singledispatch singledispatchmethod "
    "update_wrapper make_dataclass new_class Template Formatter".split()
)
_OPEN_METHODS = frozenset(("__init__", "__post_init__", "__new__", "__name__"))
_DUNDER = re.compile(r"__\w+__")
_REFUSED: dict[type[ast.AST], str] = {
    ast.AsyncFunctionDef: "async code",
    ast.AsyncFor: "async code",
    ast.AsyncWith: "async code",
    ast.Await: "async code",
    ast.Global: "a global statement",
}


def objection(nodes: Iterable[ast.AST]) -> str | None:
    """The first thing in a program's syntax nodes that it may not use, as a noun phrase; None when there is none."""
    nodes = list(nodes)
    imported = _imported(nodes)
    inside = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    asked = {id(node.func) for node in nodes if isinstance(node, ast.Call) and len(node.args) == 1}
    for node in nodes:
        if isinstance(node, ast.Name) and imported.get(node.id) and id(node) not in inside:
            return f"the module {node.id} as a value"
        if isinstance(node, ast.Name) and node.id == "type" and id(node) in called and id(node) not in asked:
            return "the name type other than for the type of a value"
        reason = _objection(node, imported)
        if reason:
            return reason
    return None


def _imported(nodes: Iterable[ast.AST]) -> dict[str, str | None]:
    """The names that imports bind: to a module, by its name, or (None) to a part of one."""
    found: dict[str, str | None] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found[alias.asname or alias.name] = whole if whole in MODULES else None
    return found


def _objection(node: ast.AST, imported: Mapping[str, str | None]) -> str | None:
    if type(node) in _REFUSED:
        return _REFUSED[type(node)]
    if isinstance(node, ast.Compare):
        return _comparison_objection(node)
    for name in _bound(node):
        if reason := _name_objection(name):
            return reason
    if isinstance(node, ast.Import):
        return next((f"the module {alias.name}" for alias in node.names if alias.name not in MODULES), None)
    if isinstance(node, ast.ImportFrom):
        if node.level or node.module not in MODULES:
            return f"the module {node.module}"
        return next(filter(None, (_offer_objection(node.module, alias.name) for alias in node.names)), None)
    if isinstance(node, ast.Attribute):
        return _attribute_objection(node, imported)
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return _definition_objection(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
        text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        return "a string that names an internal" if _DUNDER.search(text) and text != "__main__" else None
    return None


def _bound(node: ast.AST) -> list[str]:
    """The names in the node itself, other than a definition's own."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [alias.asname for alias in node.names if alias.asname]
    if isinstance(node, (ast.arg, ast.keyword)):
        return [node.arg] if node.arg else []
    if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return [node.name] if node.name else []
    if isinstance(node, ast.MatchMapping):
        return [node.rest] if node.rest else []
    if isinstance(node, ast.MatchClass):
        return node.kwd_attrs
    return node.names if isinstance(node, ast.Nonlocal) else []


def _name_objection(name: str) -> str | None:
    if name in _NAMES:
        return f"the name {name}"
    if not name.isascii():
        return "a name with letters outside ASCII"
    return f"the name {name}" if _DUNDER.fullmatch(name) and name != "__name__" else None


def _offer_objection(module: str, name: str) -> str | None:
    """A module offers what it publishes, and no other module by the way."""
    if name.startswith("_"):
        return f"the private name {name}"
    if name in _SPLICERS:
        return f"the name {name}"
    real = importlib.import_module(module)
    inside = getattr(real, name, None)
    if inspect.ismodule(inside):
        return None if f"{module}.{name}" in MODULES else f"the module {name} through another"
    published = getattr(real, "__all__", None)
    return f"the name {name}, which {module} does not publish" if published and name not in published else None


def _attribute_objection(node: ast.Attribute, imported: Mapping[str, str | None]) -> str | None:
    name = node.attr
    if not name.isascii():
        return "a name with letters outside ASCII"
    if name in _ATTRIBUTES or name in _SPLICERS or (_DUNDER.fullmatch(name) and name not in _OPEN_METHODS):
        return f"the attribute {name}"
    root: ast.expr = node
    while isinstance(root, ast.Attribute):
        inner, root = root, root.value
    if isinstance(root, ast.Name) and root.id in imported:
        if not isinstance(node.ctx, ast.Load):
            return "an assignment to a module, or to a part of one"
        module = imported[root.id]
        if module and inner is node:
            return _offer_objection(module, name)
        if name.startswith("_"):
            return f"the private attribute {name} of a module"
    return None


def _comparison_objection(node: ast.Compare) -> str | None:
    """`is` between values that could be one object or two: the interpreter decides that, not the program."""
    sides = [node.left, *node.comparators]
    for place, operator in enumerate(node.ops):
        pair = sides[place : place + 2]
        if isinstance(operator, ast.Is | ast.IsNot) and not any(map(_single, pair)):
            return "a comparison of identity"
    return None


def _single(node: ast.expr) -> bool:
    """Is there only one such object? None, True, False, … and the types, which are asked for by `type(x) is int`."""
    if isinstance(node, ast.Constant):
        return node.value is None or node.value is ... or isinstance(node.value, bool)
    return isinstance(node, ast.Name) and node.id in (
        "int",
        "str",
        "float",
        "bool",
        "list",
        "tuple",
        "dict",
        "set",
        "bytes",
    )


def _definition_objection(node: ast.FunctionDef | ast.ClassDef) -> str | None:
    if isinstance(node, ast.ClassDef) and node.keywords:
        return "a metaclass or a class keyword"
    if not node.name.isascii():
        return "a name with letters outside ASCII"
    if _DUNDER.fullmatch(node.name) and node.name not in _METHODS:
        return f"the method {node.name}"
    return f"the name {node.name}" if node.name in _NAMES else None
