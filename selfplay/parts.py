"""What a run is made of, assembled once: from a recipe, or from a recipe and a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import games
from games import Game
from selfplay import families, models, plugins
from selfplay.config import Config
from selfplay.credit import Credit
from selfplay.curriculum.bank import Bank
from selfplay.curriculum.posterior import Scorer
from selfplay.errors import UserError
from selfplay.families import Family
from selfplay.records import Task
from selfplay.training import checkpoint
from solvers.player import Player
from verifiers.sandbox import Sandbox, open_sandbox

if TYPE_CHECKING:
    from selfplay.policy.engine import Engine
    from selfplay.training.trainer import Trainer


@dataclass
class Rules:
    """The parts that need no model: what can be wrong with a recipe is found here, before anything is made or
    loaded."""

    config: Config
    games: Mapping[str, Game]
    families: Mapping[str, Family]
    player: Player
    credit: Credit
    scorer: Scorer
    sandbox: Sandbox

    @classmethod
    def assemble(cls, config: Config) -> Rules:
        """Raises UserError for a name that nothing answers to, and for a machine that cannot contain programs."""
        proposes = config.curriculum.families and config.curriculum.proposals
        if not (proposes or (config.games.names and config.games.episodes)):
            raise UserError(
                f"The recipe '{config.name}' asks for no proposals and no games, so there is nothing to learn from: "
                "set curriculum.families and curriculum.proposals, or games.names and games.episodes."
            )
        names = dict.fromkeys([*config.games.names, *config.evaluation.exploitability])
        found = {name: games.find(name) for name in names}
        sandbox = open_sandbox(
            servers=config.sandbox.servers,
            min_level=config.sandbox.min_level,
            allow_weak=config.sandbox.min_level == "weak",
        )
        try:
            return cls(
                config,
                found,
                families.load(config.curriculum.families, sandbox),
                Player(config.model.style, config.games.answer, config.games.show_legal, config.games.show_rules),
                Credit(config, found),
                plugins.find("scorers", config.curriculum.scorer, "selfplay.curriculum.scorers")(),
                sandbox,
            )
        except BaseException:
            sandbox.close()
            raise

    def bank(self) -> Bank:
        return Bank(lambda task: self.families[task.family].verifier.identity(task), self.scorer)

    async def seeds(self) -> list[Task]:
        return [task for family in self.families.values() for task in await family.seeds()]


def model_folder(config: Config) -> Path:
    """Where the first weights are. Raises UserError when they cannot be had."""
    return models.resolve(config.model.source, config.seed)


def open_policy(config: Config, folder: Path, step: int) -> tuple[Engine, Trainer]:
    """Sampler and trainer with the weights of `step`: the model's own at 0, a checkpoint's after that."""
    from selfplay.quiet import hushed

    source = folder / "checkpoints" / checkpoint.name(step) / "policy" if step else model_folder(config)
    with hushed():
        from selfplay.policy import open_engine
        from selfplay.training.trainer import Trainer

        trained = model_folder(config) if config.training.lora_rank else source  # an adapter goes on top of the base
        trainer = Trainer(trained, config.training, config.sampler, config.steps, config.seed, folder / "checkpoints")
        engine = open_engine(source, config.sampler, config.seed, config.deterministic)
    engine.version = step
    return engine, trainer
