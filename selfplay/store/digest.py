"""What one step amounts to, in a few counts: the light summary that the live view, the database and `show` share.

`digest(record)` gives plain data (JSON holds it as it is):

- `funnel`: proposed ≥ parsed ≥ valid ≥ new ≥ admitted. A proposal refused at `parse` was not parsed; one refused at
  `novelty` was valid and not new; one refused by a gate of the curriculum (`curriculum`, `quota`) was new and not
  admitted; one refused at any other gate, a family's own ones too, was parsed and not valid.
- `refusals`: how many each gate refused. `asked`, `made`: proposals, and tasks among them, by family.
- `spread`: how many of the tasks measured in the step have a solve rate in each of the bins of `SPREAD`.
- `verdicts`: attempts by verdict. `games`: episodes by game. `ends`: episodes by why they ended.
- `moves`, `illegal`: plies where the policy was asked, and those where its words named no legal action.
- `tasks`: tasks stored in the step; `turns`: calls of the policy that it made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from selfplay.records import Attempt, Episode, Proposal, StepRecord, Verdict

T = TypeVar("T")
STAGES = ("proposed", "parsed", "valid", "new", "admitted")
VALIDITY_GATES = ("size", "safety", "run", "budget", "value", "determinism", "consistent", "unique", "trivial")
LATER_GATES = ("curriculum", "quota")
GATES = ("parse", *VALIDITY_GATES, "novelty", *LATER_GATES)
SPREAD = ("0", "(0,.25]", "(.25,.5]", "(.5,.75]", "(.75,1)", "1")


def digest(record: StepRecord) -> dict[str, Any]:
    plies = [ply for episode in record.episodes for ply in episode.plies if ply.turn is not None]
    refusals = Counter(p.refusal.gate for p in record.proposals if p.refusal is not None)
    return {
        "funnel": funnel(refusals, len(record.proposals)),
        "refusals": in_gate_order(refusals),
        "asked": dict(sorted(Counter(p.family for p in record.proposals).items())),
        "made": dict(sorted(Counter(p.family for p in record.proposals if p.task is not None).items())),
        "spread": spread(measured(record.attempts).values()),
        "verdicts": dict(sorted(Counter(str(a.verdict) for a in record.attempts).items())),
        "games": dict(sorted(Counter(e.game for e in record.episodes).items())),
        "ends": dict(sorted(Counter(str(e.end) for e in record.episodes).items())),
        "moves": len(plies),
        "illegal": sum(ply.action is None for ply in plies),
        "tasks": len(record.tasks),
        "turns": len(record.proposals) + len(record.attempts) + len(plies),
    }


def funnel(refusals: Mapping[str, int], proposed: int) -> dict[str, int]:
    """The five stages, from how many each gate refused."""
    parsed = proposed - refusals.get("parse", 0)
    valid = parsed - sum(n for gate, n in refusals.items() if gate not in ("parse", "novelty", *LATER_GATES))
    new = valid - refusals.get("novelty", 0)
    admitted = proposed - sum(refusals.values())
    return dict(zip(STAGES, (proposed, parsed, valid, new, admitted), strict=True))


def in_gate_order(refusals: Mapping[str, T]) -> dict[str, T]:
    known = [gate for gate in GATES if gate in refusals]
    return {gate: refusals[gate] for gate in [*known, *sorted(set(refusals) - set(known))]}


def measured(attempts: Iterable[Attempt]) -> dict[str, tuple[int, int]]:
    """Task id → (attempts, correct ones), in order of first attempt."""
    counts: dict[str, tuple[int, int]] = {}
    for attempt in attempts:
        n, correct = counts.get(attempt.task_id, (0, 0))
        counts[attempt.task_id] = (n + 1, correct + (attempt.verdict == Verdict.CORRECT))
    return counts


def spread(counts: Iterable[tuple[int, int]]) -> dict[str, int]:
    """How many tasks have a solve rate in each bin, from (attempts, correct) of each; 1 and 0 have bins of their
    own."""
    bins = dict.fromkeys(SPREAD, 0)
    for n, correct in counts:
        if n:
            bins[_bin(n, correct)] += 1
    return bins


def _bin(n: int, correct: int) -> str:
    if correct in (0, n):
        return "1" if correct else "0"
    return SPREAD[1 + (4 * correct - 1) // n]


def total(digests: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The sum of many digests, in the same form."""
    sums: dict[str, Any] = {"funnel": dict.fromkeys(STAGES, 0), "refusals": {}, "spread": dict.fromkeys(SPREAD, 0)}
    sums |= {
        "asked": {},
        "made": {},
        "verdicts": {},
        "games": {},
        "ends": {},
        "moves": 0,
        "illegal": 0,
        "tasks": 0,
        "turns": 0,
    }
    for one in digests:
        for key, value in one.items():
            if isinstance(value, Mapping):
                for name, count in value.items():
                    sums[key][name] = sums[key].get(name, 0) + count
            else:
                sums[key] += value
    return sums | {"refusals": in_gate_order(sums["refusals"])}


def last_task(proposals: Iterable[Proposal]) -> Proposal | None:
    """The last proposal that became a task."""
    return next((p for p in reversed(tuple(proposals)) if p.task is not None), None)


def last_game(episodes: Iterable[Episode]) -> Episode | None:
    return next(iter(reversed(tuple(episodes))), None)
