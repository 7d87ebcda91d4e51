"""Where the time went, by phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def cost(
    sums: Sequence[Mapping[str, Any]], evaluations: Sequence[Mapping[str, Any]], width: int
) -> dict[str, Any] | None:
    """`total` seconds by phase, longest first, the fixed evaluations among them; `phases`: phase → mean seconds a step,
    a value a group. None when no step is done."""
    phases = list(dict.fromkeys(phase for group in sums for phase in group["seconds"]))
    if not phases:
        return None
    total = {phase: sum(group["seconds"].get(phase, 0.0) for group in sums) for phase in phases}
    for evaluation in evaluations:
        total[f"evaluation {evaluation['label']}"] = evaluation["seconds"]
    per_step = {phase: [group["seconds"].get(phase, 0.0) / width for group in sums] for phase in phases}
    longest = sorted(total, key=lambda phase: -total[phase])
    return {
        "total": {phase: total[phase] for phase in longest},
        "phases": {phase: per_step[phase] for phase in longest if phase in per_step},
    }
