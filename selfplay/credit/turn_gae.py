"""Credit to the turn: what the position it led to is worth, less what the position it was made in is worth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from selfplay.config import CreditConfig
from selfplay.credit.means import Means
from selfplay.credit.rae import Rae
from selfplay.credit.rewards import Scored
from selfplay.records import Turn
from selfplay.seeds import derive


class TurnGae:
    """A = G - b(position), where G is the reward after the seat's last turn of a game, and (1 - lambda) V(next) +
    lambda G(next) before it: generalised advantage estimation (arXiv 1506.02438), undiscounted, from one own turn to
    the next.

    Deviation: no critic is trained. A position is a prompt, as in GiGPO's step-level groups (arXiv 2505.10978); V is
    the mean of the G that its turns had, over all steps, with `value_memory` turns as the longest memory. It is read
    before it is updated. A position never met has the role's baseline (`rae`) for its own and is looked through when it
    comes next, so where no prompt ever comes twice, this is `rae`.

    A turn that named no legal move earns its reward alone: no blame for the turns before it, and none in V, which is
    what a position is worth to those who keep to the rules. It does count in b, so that a position's advantages are
    centred on 0; with b = V most of them would push words down, and tic-tac-toe's rules were not learnt.
    """

    name = "turn_gae"

    def __init__(self, config: CreditConfig) -> None:
        self._mix = config.gae_lambda
        self._role = Rae(config)
        self._values, self._baselines = Means(config.value_memory), Means(config.value_memory)

    def advantages(self, rollouts: Sequence[Scored]) -> list[float]:
        states = [_state(rollout.turn) for rollout in rollouts]
        targets = self._targets(rollouts, states)
        over_role = self._role.advantages(rollouts)
        found = [
            target - self._baselines.get(state, rollout.reward - over)
            for rollout, state, target, over in zip(rollouts, states, targets, over_role, strict=True)
        ]
        learnt = list(zip(rollouts, states, targets, strict=True))
        self._baselines.learn((state, target) for _, state, target in learnt)
        self._values.learn((state, target) for rollout, state, target in learnt if rollout.legal)
        return found

    def state_dict(self) -> dict[str, Any]:
        parts: dict[str, Rae | Means] = {"role": self._role, "values": self._values, "baselines": self._baselines}
        return {name: part.state_dict() for name, part in parts.items()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self._role.load_state_dict(state["role"])
        self._values.load_state_dict(state["values"])
        self._baselines.load_state_dict(state["baselines"])

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
                ahead += (1 - self._mix) * (self._values.get(states[place], ahead) - ahead)
        return targets


def _state(turn: Turn) -> str:
    """The game, the seat and the prompt, in 62 bits: the name of a position in a checkpoint."""
    return f"{derive('position', turn.group, turn.prompt_ids):x}"
