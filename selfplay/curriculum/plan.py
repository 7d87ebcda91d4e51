"""What one step will do: decided before anything is sampled, from the bank and the step's own seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from selfplay.config import Config
from selfplay.curriculum.bank import Bank
from selfplay.families import Family
from selfplay.records import Task
from selfplay.seeds import derive, rng


@dataclass(frozen=True)
class Request:
    """One proposal to ask for. Proposals of one `group` share their references, so their rewards are comparable."""

    index: int
    family: str
    references: tuple[Task, ...]
    group: str


@dataclass(frozen=True)
class Match:
    """One game to play; matches with the same `seed` are dealt the same."""

    index: int
    game: str
    seed: int


@dataclass(frozen=True)
class Plan:
    requests: tuple[Request, ...]
    replays: tuple[Task, ...]
    matches: tuple[Match, ...]


def plan(step: int, config: Config, bank: Bank, families: Mapping[str, Family], games: Sequence[str]) -> Plan:
    """Proposals shared evenly over families and reference sets (at least two a set, so that they can be compared),
    replays from the bank, matches over the names of `games`."""
    chance, wanted = rng(config.seed, step, "plan"), config.curriculum
    names = list(families)
    sets = min(wanted.prompts, max(1, wanted.proposals // (2 * max(1, len(names)))))
    groups = [
        (f"{name}/{place}", name, tuple(bank.references(name, wanted.references, chance)))
        for place in range(sets)
        for name in names
    ]
    requests = tuple(
        Request(index, family, references, group)
        for index in range(wanted.proposals if names else 0)
        for group, family, references in [groups[index % len(groups)]]
    )
    matches = tuple(
        Match(index, games[index % len(games)], derive(config.seed, step, "deal", index))
        for index in range(config.games.episodes if games else 0)
    )
    return Plan(requests, tuple(bank.replays(names, wanted.replays, chance)), matches)
