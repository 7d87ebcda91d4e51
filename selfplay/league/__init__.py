"""Earlier selves to play against: snapshots of the policy, one of which sits in a seat of some games of a step.

A policy that only meets its present self forgets how to beat its past ones, and its own mistakes go unpunished while
both seats make them. One snapshot a step is drawn, because only one other policy is held in memory. What it does is
never trained on.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from games import Game
from selfplay import plugins
from selfplay.config import LeagueConfig
from selfplay.records import Episode
from selfplay.training import checkpoint

if TYPE_CHECKING:
    from selfplay.policy.engine import Engine
    from selfplay.training.trainer import Trainer

_MEMORY = 0.9
"""What a snapshot's mean score keeps of its past at each step in which it played."""


class Draw(Protocol):
    """How a rival is chosen: a plug-in, one class in one file of this folder."""

    name: str

    def weight(self, score: float) -> float:
        """The relative chance of a snapshot against which the policy scores `score`, from 0 (always lost) to 1."""


@dataclass(frozen=True)
class Rival:
    """A frozen policy in a seat. `name` is its checkpoint's: `step-00010`."""

    name: str
    engine: Engine


class League:
    """folder: where snapshots are kept. opened: makes a sampler from a snapshot's folder; called once, if ever."""

    def __init__(self, config: LeagueConfig, folder: Path, opened: Callable[[Path], Engine]) -> None:
        """Raises UserError for a way of drawing that is not there."""
        self._config, self._folder, self._opened = config, folder, opened
        self._draw: Draw | None = plugins.find("league", config.draw, __name__)() if config.share else None
        self._engine: Engine | None = None
        self._held = ""
        self._scores: dict[str, float] = {}

    @property
    def names(self) -> list[str]:
        """The snapshots that are kept, oldest first."""
        return sorted(self._scores)

    def rival(self, rng: Random) -> Rival | None:
        """Who sits in the other seat this step; None while there is no snapshot, or where the recipe asks for none."""
        if self._draw is None or not self._scores:
            return None
        names = self.names
        (name,) = rng.choices(names, [self._draw.weight(self._scores[each]) + 1e-6 for each in names])
        return self.seat(name)

    def seat(self, name: str) -> Rival:
        """The snapshot called `name`, its weights in the league's sampler."""
        if self._engine is None:
            self._engine = self._opened(self._folder / name)
        elif name != self._held:
            self._engine.publish(_weights(self._folder / name))
        self._engine.forget()  # so that a step does not hang on what steps before it asked
        self._held = name
        return Rival(name, self._engine)

    def lend(self, name: str, engine: Engine) -> None:
        """Put the snapshot's weights into another sampler than the league's own."""
        engine.publish(_weights(self._folder / name))

    def spread(self, count: int) -> list[str]:
        """Up to `count` snapshots, evenly over the run, the oldest and the newest among them."""
        names = self.names
        if len(names) <= count:
            return names
        return [names[round(place * (len(names) - 1) / max(1, count - 1))] for place in range(count)]

    def record(self, episodes: Sequence[Episode], games: Mapping[str, Game]) -> dict[str, float]:
        """Fold in how the policy fared against this step's rival; `league/…` metrics, none without such games."""
        scores = []
        for episode in episodes:
            rivals = [name for name in episode.opponents if name in self._scores]
            if rivals:
                low, high = games[episode.game].utility_range
                own = episode.returns[1 - episode.opponents.index(rivals[0])]
                scores.append((rivals[0], (own - low) / (high - low)))
        if not scores:
            return {}
        name, mean = scores[0][0], sum(score for _, score in scores) / len(scores)
        self._scores[name] = _MEMORY * self._scores[name] + (1 - _MEMORY) * mean
        return {
            "league/score": mean,
            "league/rival_step": float(name.removeprefix("step-")),
            "league/size": float(len(self._scores)),
        }

    def keep(self, step: int, trainer: Trainer) -> None:
        """Take a snapshot where it is due; the most crowded one leaves when there are too many."""
        if self._draw is None or step % self._config.every:
            return
        name = checkpoint.name(step)
        trainer.save_policy(self._folder / name)
        self._scores[name] = 0.5
        names = self.names
        if len(names) > self._config.most:
            steps = [int(each.removeprefix("step-")) for each in names]
            place = min(range(1, len(steps) - 1), key=lambda i: steps[i + 1] - steps[i - 1])
            shutil.rmtree(self._folder / names[place])
            del self._scores[names[place]]

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()

    def state_dict(self) -> dict[str, Any]:
        return {"scores": dict(self._scores)}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Snapshots that the state does not know, of steps that were undone, are removed."""
        self._scores = dict(state["scores"])
        for path in self._folder.glob("step-*"):
            if path.name not in self._scores:
                shutil.rmtree(path)


def _weights(folder: Path) -> list[tuple[str, Any]]:
    from safetensors.torch import load_file

    return [pair for file in sorted(folder.glob("*.safetensors")) for pair in load_file(file).items()]
