"""A solver for problems of finite domains: generalised arc consistency, and backtracking where that does not decide.

Deterministic: the variable with the fewest values left is tried first, the earlier one of two, its values in order.
The stack is a list, so depth costs no recursion, and the node budget bounds the work.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Scope = tuple[int, ...]
Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """sizes: the number of values of each variable; its values are 0, 1, …. tables: constraints, each the variables
    that it is about and the rows of values that it allows them. A table of one variable is a given."""

    sizes: tuple[int, ...]
    tables: tuple[tuple[Scope, Rows], ...]

    def given(self) -> list[int]:
        """For each variable, the bit mask of the values that its givens leave."""
        masks = [(1 << size) - 1 for size in self.sizes]
        for scope, rows in self.tables:
            if len(scope) == 1:
                masks[scope[0]] &= sum(1 << value for (value,) in rows)
        return masks


@dataclass(frozen=True, slots=True)
class Found:
    """solutions: in the order found, no more than asked for. nodes: states looked at, the first one included.

    steps: values struck out by propagation, plus values tried; what the givens strike out is free. complete: the budget
    was enough.
    """

    solutions: tuple[tuple[int, ...], ...]
    nodes: int
    steps: int
    complete: bool


def search(problem: Problem, most: int = 2, budget: int = 1_000) -> Found:
    """Up to `most` solutions, within `budget` nodes."""
    touching: list[list[int]] = [[] for _ in problem.sizes]
    for index, (scope, _) in enumerate(problem.tables):
        for variable in scope:
            touching[variable].append(index)
    stack: list[tuple[list[int], Iterable[int]]] = [(problem.given(), range(len(problem.tables)))]
    solutions: list[tuple[int, ...]] = []
    nodes = steps = 0
    while stack:
        if nodes == budget:
            return Found(tuple(solutions), nodes, steps, False)
        masks, dirty = stack.pop()
        steps += nodes > 0
        nodes += 1
        struck, alive = _propagate(problem, touching, masks, dirty)
        steps += struck
        if not alive:
            continue
        unsure = [(mask.bit_count(), variable) for variable, mask in enumerate(masks) if mask & (mask - 1)]
        if not unsure:
            solutions.append(tuple(mask.bit_length() - 1 for mask in masks))
            if len(solutions) == most:
                break
            continue
        _, variable = min(unsure)
        for value in reversed(_values(masks[variable])):
            stack.append(([*masks[:variable], 1 << value, *masks[variable + 1 :]], touching[variable]))
    return Found(tuple(solutions), nodes, steps, True)


def _propagate(
    problem: Problem, touching: Sequence[Sequence[int]], masks: list[int], dirty: Iterable[int]
) -> tuple[int, bool]:
    """Strikes values without support out of `masks` until none is left; how many, and whether each variable has one."""
    if not all(masks):
        return 0, False
    struck, waiting = 0, dict.fromkeys(dirty)
    while waiting:
        index = next(iter(waiting))
        del waiting[index]
        scope, rows = problem.tables[index]
        seen = [0] * len(scope)
        for row in rows:
            if all(masks[variable] >> value & 1 for variable, value in zip(scope, row, strict=True)):
                for place, value in enumerate(row):
                    seen[place] |= 1 << value
        for variable, mask in zip(scope, seen, strict=True):
            lost = masks[variable] & ~mask
            if lost:
                struck += lost.bit_count()
                masks[variable] &= mask
                waiting.update((other, None) for other in touching[variable] if other != index)
        if not all(seen):
            return struck, False
    return struck, True


def _values(mask: int) -> list[int]:
    return [value for value in range(mask.bit_length()) if mask >> value & 1]
