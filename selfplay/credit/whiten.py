"""Rewards compared with the mean of those they belong with, in units of their spread or in their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from statistics import fmean

from selfplay.credit.rewards import Scored

_ALIKE = 1e-6
"""The spread below which rewards differ by rounding alone."""


def centre(rollouts: Sequence[Scored], key: Callable[[Scored], Hashable]) -> list[float]:
    """Each reward less the mean reward of the rollouts with the same `key`, its own included."""
    return [reward - fmean(members) for reward, members in _beside(rollouts, key)]


def whiten(rollouts: Sequence[Scored], key: Callable[[Scored], Hashable]) -> list[float]:
    """`centre`, divided by the sample standard deviation (n - 1) of the rewards with the same `key`; 0 where they are
    all alike, and for one that is alone."""
    found = []
    for reward, members in _beside(rollouts, key):
        mean = fmean(members)
        spread = (sum((other - mean) ** 2 for other in members) / max(1, len(members) - 1)) ** 0.5
        found.append((reward - mean) / spread if spread > _ALIKE else 0.0)
    return found


def totals(
    rollouts: Sequence[Scored], keys: Callable[[Scored], Sequence[Hashable]]
) -> dict[Hashable, tuple[float, int]]:
    """Key → (sum of the rewards, number) of the rollouts that have it among their `keys`."""
    found: dict[Hashable, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    for rollout in rollouts:
        for key in keys(rollout):
            total, count = found[key]
            found[key] = total + rollout.reward, count + 1
    return found


def _beside(rollouts: Sequence[Scored], key: Callable[[Scored], Hashable]) -> list[tuple[float, list[float]]]:
    members: dict[Hashable, list[float]] = defaultdict(list)
    for rollout in rollouts:
        members[key(rollout)].append(rollout.reward)
    return [(rollout.reward, members[key(rollout)]) for rollout in rollouts]
