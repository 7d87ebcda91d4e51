"""From verdicts, learnability and returns to one advantage a turn, by role.

An estimator is one class in one file: rollouts of one role in, one advantage each out, with `state_dict` where it has
state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from games import Game
from selfplay import plugins
from selfplay.config import Config, CreditConfig
from selfplay.credit.rewards import Owner, Scored, rewards
from selfplay.records import Attempt, Episode, Proposal, Sample


class Estimator(Protocol):
    name: str

    def advantages(self, rollouts: Sequence[Scored]) -> list[float]:
        """One advantage a rollout, in order, in the units of its reward."""

    def state_dict(self) -> dict[str, Any]: ...

    def load_state_dict(self, state: dict[str, Any]) -> None: ...


class Credit:
    """One estimator a role; `assign` is the step's credit."""

    def __init__(self, config: Config, games: Mapping[str, Game]) -> None:
        self._config, self._games = config, games
        names = {"proposer": config.credit.proposer, "solver": config.credit.solver, "player": config.credit.player}
        self._weights: dict[str, float] = {str(role): weight for role, weight in config.credit.weights.items()}
        self._estimators = {role: _make(name, config.credit) for role, name in names.items()}

    def assign(
        self,
        proposals: Sequence[Proposal],
        attempts: Sequence[Attempt],
        episodes: Sequence[Episode],
        learnability: Mapping[str, float],
    ) -> dict[Owner, Sample]:
        """A sample for every turn that was the policy's own and is trained on, in a fixed order."""
        scored = rewards(self._config.reward, self._games, proposals, attempts, episodes, learnability)
        samples: dict[Owner, Sample] = {}
        for role, estimator in self._estimators.items():
            mine = [rollout for rollout in scored if rollout.turn.role == role]
            weight = self._weights.get(role, 1.0)
            for rollout, advantage in zip(mine, estimator.advantages(mine), strict=True):
                samples[rollout.owner] = Sample(rollout.turn, rollout.reward, weight * advantage, rollout.legal)
        return samples

    def state_dict(self) -> dict[str, Any]:
        return {role: estimator.state_dict() for role, estimator in self._estimators.items()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        for role, estimator in self._estimators.items():
            estimator.load_state_dict(state[role])


def _make(name: str, config: CreditConfig) -> Estimator:
    return plugins.find("estimators", name, "selfplay.credit")(config)
