"""What a proposer is told to aim at, and whether it did.

A directive is drawn with the shares of the recipe: a theme that the bank has little of, a difficulty, or a variation of
a task that was failed (WebRL, arXiv 2411.02337). What was asked is stored with the proposal, so that asking can be
compared with what came back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Literal

from selfplay.curriculum.bank import Bank
from selfplay.curriculum.samplers import Mixture
from selfplay.families import Family
from selfplay.records import Directive, Proposal, Task

_DIFFICULTIES = {"that are easy to solve": 0.75, "of medium difficulty": 0.5, "that are hard to solve": 0.25}


def draw(
    shares: Mapping[Literal["theme", "difficulty", "variation"], float], family: Family, bank: Bank, chance: Random
) -> tuple[Directive | None, Task | None]:
    """A directive, or None; for a variation the task to vary, which becomes the last reference. `shares` sum to at most
    1; what remains is the chance of none. A kind that has nothing to ask for gives none."""
    mark = chance.random()
    kind = None
    for name, share in shares.items():
        if mark < share:
            kind = name
            break
        mark -= share
    if kind == "theme" and family.themes:
        counts = bank.themes(family.name, family.themes)
        (theme,) = chance.choices(family.themes, [1 / (1 + count) for count in counts])
        return Directive("theme", f"about {theme}", theme=theme), None
    if kind == "difficulty":
        text, target = chance.choice(list(_DIFFICULTIES.items()))
        return Directive("difficulty", text, target=target), None
    if kind == "variation":
        for task in bank.draw([family.name], Mixture({"failed": 1.0}), 1, chance):
            return Directive("variation", "like the last one, but changed", task=task.id), task
    return None, None


def heeded(proposals: Sequence[Proposal], rates: Mapping[str, float]) -> dict[str, float]:
    """What came back, by what was asked. `rates`: solve rates of the tasks that were measured.

    `directive/theme/hit_rate` against `base_rate`: the share of tasks that have the theme, where it was asked and where
    it was not; `directive/KIND/valid_rate`; `directive/difficulty/TARGET/solve_rate`. Absent where nothing was asked.
    """
    metrics: dict[str, float] = {}
    for kind in ("theme", "difficulty", "variation"):
        asked = [p for p in proposals if p.directive and p.directive.kind == kind]
        if asked:
            metrics[f"directive/{kind}/valid_rate"] = sum(p.task is not None for p in asked) / len(asked)
    pairs = [(p, p.task) for p in proposals if p.task is not None]
    themed = [(p.directive.theme, p.family, task) for p, task in pairs if p.directive and p.directive.theme]
    if themed:
        metrics["directive/theme/hit_rate"] = sum(theme in task.themes for theme, _, task in themed) / len(themed)
        base = [
            theme in other.themes
            for theme, family, _ in themed
            for p, other in pairs
            if p.family == family and not (p.directive and p.directive.theme)
        ]
        if base:
            metrics["directive/theme/base_rate"] = sum(base) / len(base)
    for target in _DIFFICULTIES.values():
        found = [rates[task.id] for p, task in pairs if _target(p) == target and task.id in rates]
        if found:
            metrics[f"directive/difficulty/{target}/solve_rate"] = sum(found) / len(found)
    return metrics


def _target(proposal: Proposal) -> float | None:
    return proposal.directive.target if proposal.directive else None
