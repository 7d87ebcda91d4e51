"""Credit to the turn: what the position it led to is worth, less what the position it was made in is worth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from selfplay.config import CreditConfig
from selfplay.credit.rae import Rae
from selfplay.credit.rewards import Scored
from selfplay.records import Turn

_MOST = 200_000
"""Positions whose values are remembered; those not met for longest leave."""


class TurnGae:
    """A = G - V(position), G = the reward after the seat's last turn of a game, (1 - lambda) V(next) + lambda G(next)
    before it: generalised advantage estimation (arXiv 1506.02438), undiscounted, from one own turn to the next.

    Deviation: no critic is trained. A position is a prompt, as in GiGPO's step-level groups (arXiv 2505.10978), and V
    is the mean of the G that its turns had, over all steps, with `value_memory` turns as the longest memory. It is read
    before it is updated. A position never met has the role's baseline (`rae`) for its own value and is looked through
    when it comes next, so where no prompt ever comes twice, this is `rae`.

    A turn that named no legal move stands alone: its reward less V, and no blame for the turns before it.
    """

    name = "turn_gae"

    def __init__(self, config: CreditConfig) -> None:
        self._mix, self._memory = config.gae_lambda, config.value_memory
        self._role = Rae(config)
        self._values: dict[str, tuple[float, int]] = {}

    def advantages(self, rollouts: Sequence[Scored]) -> list[float]:
        states = [_state(rollout.turn) for rollout in rollouts]
        targets = self._targets(rollouts, states)
        over_role = self._role.advantages(rollouts)
        found = [
            target - (self._values[state][0] if state in self._values else rollout.reward - over)
            for rollout, state, target, over in zip(rollouts, states, targets, over_role, strict=True)
        ]
        self._learn(rollouts, states, targets)
        return found

    def state_dict(self) -> dict[str, Any]:
        return {"role": self._role.state_dict(), "values": dict(self._values)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self._role.load_state_dict(state["role"])
        self._values = {key: (value, count) for key, (value, count) in state["values"].items()}

    def _targets(self, rollouts: Sequence[Scored], states: Sequence[str]) -> list[float]:
        """G of each turn, in order; its reward where it was not legal."""
        games: dict[tuple[str, int, str], list[int]] = defaultdict(list)
        for place, rollout in enumerate(rollouts):
            kind, index, _ = rollout.owner
            if rollout.legal:
                games[kind, index, rollout.turn.group].append(place)
        targets = [rollout.reward for rollout in rollouts]
        for places in games.values():
            ahead: float | None = None
            for place in sorted(places, key=lambda each: rollouts[each].owner, reverse=True):
                if ahead is not None:
                    targets[place] = ahead
                ahead = targets[place]
                if states[place] in self._values:
                    ahead += (1 - self._mix) * (self._values[states[place]][0] - ahead)
        return targets

    def _learn(self, rollouts: Sequence[Scored], states: Sequence[str], targets: Sequence[float]) -> None:
        seen: dict[str, list[float]] = defaultdict(list)
        for rollout, state, target in zip(rollouts, states, targets, strict=True):
            if rollout.legal:
                seen[state].append(target)
        for state, found in seen.items():
            value, count = self._values.pop(state, (0.0, 0))
            total = value * count + sum(found)
            count += len(found)
            self._values[state] = total / count, min(count, self._memory)
        for state in list(self._values)[:-_MOST]:
            del self._values[state]


def _state(turn: Turn) -> str:
    """The game, the seat and the prompt, in 64 bits."""
    return blake2b(repr((turn.group, turn.prompt_ids)).encode(), digest_size=8).hexdigest()
