"""What one step will do: decided before anything is sampled, from the bank and the step's own seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from selfplay.config import Config, CurriculumConfig
from selfplay.curriculum import directives
from selfplay.curriculum.bank import Bank
from selfplay.curriculum.samplers import Mixture
from selfplay.families import Family
from selfplay.records import Brief, Task
from selfplay.seeds import derive, rng


@dataclass(frozen=True)
class Assignment:
    """One proposal to ask for. Those of one `group` share their brief, so their rewards are comparable."""

    index: int
    group: str
    brief: Brief


@dataclass(frozen=True)
class Match:
    """One game to play; matches with the same `seed` are dealt the same. In the seat `rival`, if any, sits an earlier
    self."""

    index: int
    game: str
    seed: int
    rival: int | None = None


@dataclass(frozen=True)
class Plan:
    assignments: tuple[Assignment, ...]
    replays: tuple[Task, ...]
    matches: tuple[Match, ...]


def plan(
    step: int,
    config: Config,
    bank: Bank,
    families: Mapping[str, Family],
    games: Sequence[str],
    rivals: float = 0.0,
) -> Plan:
    """Proposals shared evenly over families and briefs (at least two a brief, so that they can be compared), replays
    from the bank, matches over the names of `games`, a share `rivals` of them against an earlier self, seats at
    random."""
    chance, wanted = rng(config.seed, step, "plan"), config.curriculum
    names = list(families)
    sets = min(wanted.prompts, max(1, wanted.proposals // (2 * max(1, len(names)))))
    groups = [
        (f"{name}/{place}", _brief(families[name], wanted, bank, chance)) for place in range(sets) for name in names
    ]
    assignments = tuple(
        Assignment(index, *groups[index % len(groups)]) for index in range(wanted.proposals if names else 0)
    )
    seats = rng(config.seed, step, "seats")
    matches = tuple(
        Match(
            index,
            games[index // config.games.same_deal % len(games)],
            derive(config.seed, step, "deal", index // config.games.same_deal),
            seats.randrange(2) if seats.random() < rivals else None,
        )
        for index in range(config.games.episodes if games else 0)
    )
    replays = bank.draw(names, Mixture(wanted.replay_samplers), wanted.replays, chance)
    return Plan(assignments, tuple(replays), matches)


def _brief(family: Family, wanted: CurriculumConfig, bank: Bank, chance: Random) -> Brief:
    """References, the source where the family works from one, and at times a directive."""
    shown = bank.draw([family.name], Mixture(wanted.reference_samplers), wanted.references, chance)
    source = bank.draw(family.sources, Mixture({"uniform": 1.0}), 1, chance) if family.sources else []
    brief = Brief(family.name, tuple(shown), source[0] if source else None)
    directive, task = directives.draw(wanted.directives, family, bank, chance)
    if task is not None:
        others = [each for each in shown if each.id != task.id]
        brief = replace(brief, references=(*others[: max(0, wanted.references - 1)], task))
    return replace(brief, directive=directive)
