"""One text for all renamed and reordered copies of a puzzle.

Names are told apart by how they occur, round after round (colour refinement, Weisfeiler and Leman 1968), and where that
leaves a tie, the first of the tied names is singled out. Claim: equal texts mean copies. Two copies have equal texts
unless a tie holds names that no renaming exchanges; that costs a missed repeat, never a wrong one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set

from verifiers.identity import digest

Tree = str | tuple["Tree", ...]  # a name, or an operator with its arguments

UNORDERED: Set[Tree] = frozenset({"and", "or", "iff", "=", "!=", "same", "differ", "not all"})


def label(trees: Iterable[Tree], sorts: Mapping[str, str]) -> tuple[list[str], str]:
    """The names in their canonical order, sort by sort, and the canonical text of all trees.

    sorts: each name that may change, with what it names; names of one sort exchange. Other leaves are constants. A tree
    that is there twice counts once.
    """
    listed = {write(tree, {}): tree for tree in trees}.values()
    found = {name: [tree for tree in listed if name in leaves(tree)] for name in sorts}
    colours = _refine(found, dict(sorts))
    while tied := [name for name in sorts if Counter(colours.values())[colours[name]] > 1]:
        least = min(colours[name] for name in tied)
        first = next(name for name in tied if colours[name] == least)
        colours = _refine(found, colours | {first: f"{least} first"})
    ordered = sorted(sorts, key=lambda name: (sorts[name], colours[name]))
    places = {name: f"{sorts[name]}{place}" for place, name in enumerate(ordered)}
    return ordered, "; ".join(sorted({write(tree, places) for tree in listed}))


def leaves(tree: Tree) -> frozenset[str]:
    """Every name and constant in the tree."""
    if isinstance(tree, str):
        return frozenset({tree})
    return frozenset().union(*map(leaves, tree[1:]))


def write(tree: Tree, names: Mapping[str, str]) -> str:
    """The tree with `names` for its leaves; the arguments of an unordered operator sorted."""
    if isinstance(tree, str):
        return names.get(tree, f"'{tree}'")
    parts = [write(part, names) for part in tree[1:]]
    return f"{tree[0]}({', '.join(sorted(parts) if tree[0] in UNORDERED else parts)})"


def _refine(found: Mapping[str, list[Tree]], colours: dict[str, str]) -> dict[str, str]:
    while True:
        finer = {}
        for name, trees in found.items():
            marked = colours | {name: "*"}
            finer[name] = digest("\0".join([colours[name], *sorted(write(tree, marked) for tree in trees)]))
        if len(set(finer.values())) == len(set(colours.values())):
            return finer
        colours = finer
