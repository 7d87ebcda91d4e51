"""A step in numbers: `role/metric/stat`, from what the roles did."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from selfplay.credit.rewards import Owner
from selfplay.curriculum import directives
from selfplay.curriculum.bank import Bank
from selfplay.records import Attempt, End, Episode, Proposal, Sample, Verdict


def summarise(
    proposals: Sequence[Proposal],
    attempts: Sequence[Attempt],
    episodes: Sequence[Episode],
    samples: Mapping[Owner, Sample],
    learnability: Mapping[str, float],
    bank: Bank,
) -> dict[str, float]:
    """Rates are shares of their role's rollouts; a role that did nothing has no metrics."""
    metrics = {"bank/tasks": float(bank.admitted), "bank/active": float(len(bank))}
    if proposals:
        new = sum(p.task is not None for p in proposals)
        repeats = sum(p.refusal is not None and p.refusal.gate == "novelty" for p in proposals)
        metrics |= {"proposer/valid_rate": (new + repeats) / len(proposals), "proposer/new_rate": new / len(proposals)}
    if attempts:
        verdicts = [a.verdict for a in attempts]
        metrics |= {
            "solver/solve_rate": verdicts.count(Verdict.CORRECT) / len(verdicts),
            "solver/unparsed_rate": verdicts.count(Verdict.UNPARSED) / len(verdicts),
            "solver/distinct_answers": _distinct(attempts),
        }
        metrics |= directives.heeded(proposals, _rates(attempts))
    if learnability:
        metrics["curriculum/learnability/mean"] = sum(learnability.values()) / len(learnability)
    if episodes:
        asked = [ply for e in episodes for ply in e.plies if ply.turn is not None]
        metrics |= {
            "player/legal_rate": sum(ply.action is not None for ply in asked) / len(asked),
            "player/forfeit_rate": sum(e.end is End.INVALID for e in episodes) / len(episodes),
            "player/plies/mean": sum(len(e.plies) for e in episodes) / len(episodes),
        }
    return metrics | _by_role(samples)


def _by_role(samples: Mapping[Owner, Sample]) -> dict[str, float]:
    roles: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples.values():
        roles[sample.turn.role].append(sample)
    metrics: dict[str, float] = {}
    for role, mine in roles.items():
        lengths = [len(sample.turn.completion.ids) for sample in mine]
        metrics |= {
            f"{role}/reward/mean": sum(s.reward for s in mine) / len(mine),
            f"{role}/advantage/spread": (sum(s.advantage**2 for s in mine) / len(mine)) ** 0.5,
            f"{role}/tokens/mean": sum(lengths) / len(mine),
            f"{role}/logprob/mean": sum(sum(s.turn.completion.logprobs) for s in mine) / max(1, sum(lengths)),
        }
    return metrics


def _rates(attempts: Sequence[Attempt]) -> dict[str, float]:
    """Solve rate by task."""
    verdicts: dict[str, list[bool]] = defaultdict(list)
    for attempt in attempts:
        verdicts[attempt.task_id].append(attempt.verdict is Verdict.CORRECT)
    return {task_id: sum(right) / len(right) for task_id, right in verdicts.items()}


def _distinct(attempts: Sequence[Attempt]) -> float:
    """Mean share of different completions among the attempts at one task: 1 / attempts would mean that they are
    copies."""
    words: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for attempt in attempts:
        words[attempt.task_id].append(attempt.turn.completion.ids)
    return sum(len(set(group)) / len(group) for group in words.values()) / len(words)
