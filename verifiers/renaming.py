"""Renames what a program binds to v0, v1, … in order of appearance, without changing what it computes.

A name is left alone when it could be meant by something other than a plain name: when it is also an attribute, a
keyword of some call, a class or a class's member, an import or a builtin. A function's own `__name__` does change.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Set

_BUILTINS = frozenset(dir(builtins))


def rename(tree: ast.Module, keep: Set[str] = frozenset()) -> ast.Module:
    """Changes `tree` in place and returns it."""
    bound, fixed = _survey(tree)
    names: dict[str, str] = {}
    taken = fixed | _BUILTINS | keep
    for name in bound:
        if name not in taken and not name.startswith("__"):
            fresh = f"v{len(names)}"
            while fresh in taken:
                fresh += "_"
            names[name] = fresh
    return _Renamer(names).visit(tree)


def _survey(tree: ast.Module) -> tuple[list[str], set[str]]:
    bound: dict[str, None] = {}
    fixed: set[str] = set()
    for node in _in_order(tree):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, (ast.Store, ast.Del)):
                bound[node.id] = None
        elif isinstance(node, ast.arg):
            bound[node.arg] = None
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            bound[node.name] = None
        elif isinstance(node, ast.ClassDef):
            fixed.add(node.name)  # a class's name shows in the text of its instances
            fixed.update(_members(node))
        elif isinstance(node, ast.Attribute):
            fixed.add(node.attr)
        elif isinstance(node, ast.keyword) and node.arg:
            fixed.add(node.arg)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            fixed.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
        elif (
            isinstance(node, ast.ExceptHandler)
            and node.name
            or isinstance(node, (ast.MatchAs, ast.MatchStar))
            and node.name
        ):
            bound[node.name] = None
        elif isinstance(node, ast.MatchMapping) and node.rest:
            bound[node.rest] = None
        elif isinstance(node, ast.MatchClass):
            fixed.update(node.kwd_attrs)
    return list(bound), fixed


def _members(node: ast.ClassDef) -> set[str]:
    names = set()
    for line in node.body:
        if isinstance(line, (ast.FunctionDef, ast.ClassDef)):
            names.add(line.name)
        else:
            names.update(n.id for n in ast.walk(line) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return names


def _in_order(node: ast.AST) -> list[ast.AST]:
    found = [node]
    for child in ast.iter_child_nodes(node):
        found += _in_order(child)
    return found


class _Renamer(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field in ("id", "arg", "name", "rest"):
            value = getattr(node, field, None)
            if isinstance(value, str) and not isinstance(node, (ast.keyword, ast.alias)):
                setattr(node, field, self.names.get(value, value))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [self.names.get(name, name) for name in node.names]
        return super().generic_visit(node)
