"""What a run is made of, assembled once: from a recipe, or from a recipe and a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import games
from games import Game
from selfplay import families, models, plugins
from selfplay.config import Config
from selfplay.credit import Credit
from selfplay.curriculum.bank import Archive, Bank
from selfplay.curriculum.posterior import Scorer
from selfplay.curriculum.samplers import Mixture
from selfplay.errors import WrongCall
from selfplay.evaluation import against
from selfplay.families import Family
from selfplay.league import League
from selfplay.records import Task
from selfplay.sandboxes import Sandboxes
from selfplay.seeds import rng
from selfplay.training import checkpoint
from solvers.player import Player

if TYPE_CHECKING:
    from selfplay.policy.engine import Engine
    from selfplay.training.trainer import Trainer


@dataclass
class Rules:
    """The parts that need no model: what can be wrong with a recipe is found here, before anything is made or
    loaded."""

    config: Config
    games: Mapping[str, Game]
    """What is played, by the games' own names."""
    solved: Mapping[str, Game]
    """Whose exploitability is computed."""
    families: Mapping[str, Family]
    player: Player
    credit: Credit
    scorer: Scorer
    sandboxes: Sandboxes

    @classmethod
    def assemble(cls, config: Config) -> Rules:
        """Raises UserError for a name that nothing answers to, and for a machine that cannot contain programs."""
        proposes = config.curriculum.families and config.curriculum.proposals
        if not (proposes or (config.games.names and config.games.episodes)):
            raise WrongCall(
                f"The recipe '{config.name}' asks for no proposals and no games, so there is nothing to learn from: "
                "set curriculum.families and curriculum.proposals, or games.names and games.episodes."
            )
        _fits(config)
        played, solved = _find(config.games.names), _find(config.evaluation.exploitability)
        if config.games.observation == "infostate":
            _named([*played.values(), *solved.values()])
        for shares in (config.curriculum.replay_samplers, config.curriculum.reference_samplers):
            Mixture(shares)
        if config.evaluation.games:
            against.pairings(config.evaluation.opponents, played)
        sandboxes = Sandboxes(config.sandbox, config.seed)
        try:
            return cls(
                config,
                played,
                solved,
                families.load(config.curriculum.families, sandboxes, config.curriculum.rename),
                _player(config),
                Credit(config, played),
                plugins.find("scorers", config.curriculum.scorer, "selfplay.curriculum.scorers")(),
                sandboxes,
            )
        except BaseException:
            sandboxes.close()
            raise

    def close(self) -> None:
        self.sandboxes.close()

    def bank(self, archive: Archive = lambda identities: False) -> Bank:
        """An empty one; `archive` is asked by its novelty gate."""
        return Bank(self.scorer, archive, self.config.curriculum.capacity, self.config.curriculum.decay)

    async def seeds(self) -> list[Task]:
        return [task for family in self.families.values() for task in await family.seeds()]


def _player(config: Config) -> Player:
    shown = config.games
    return Player(config.model.style, shown.answer, shown.show_legal, shown.show_rules, shown.observation)


def _find(names: Sequence[str]) -> dict[str, Game]:
    """Games by their own names, however the recipe names them."""
    found: dict[str, Game] = {}
    for name in names:
        game = games.find(name)
        if type(found.setdefault(game.name, game)) is not type(game):
            raise WrongCall(f"Two games of the recipe are both called '{game.name}': rename one.")
    return found


def _named(found: Sequence[Game]) -> None:
    """UserError where a game has no names for what a seat knows."""
    for game in found:
        state = game.initial(rng("names", game.name))
        if game.infostate_key(state, game.to_move(state) or 0) is None:
            raise WrongCall(
                f"games.observation = 'infostate' shows the names of information states, and `{game.name}` gives none "
                "(no `infostate_key`): set games.observation = 'current'."
            )


def _fits(config: Config) -> None:
    """UserError where two keys cannot both be meant."""
    most = max(config.curriculum.max_tokens, config.curriculum.answer_tokens, config.games.max_tokens)
    if config.sampler.max_len < most + 32:
        raise WrongCall(
            f"sampler.max_len is {config.sampler.max_len}, which leaves no room for a prompt beside {most} new tokens: "
            "raise it."
        )
    if config.games.observation == "history" and config.evaluation.exploitability:
        raise WrongCall(
            "evaluation.exploitability asks the policy about one position at a time, and with games.observation = "
            "'history' it is trained on whole games: set evaluation.exploitability = []."
        )
    if config.training.explore and config.model.style == "chat":
        raise WrongCall(
            "training.explore pulls toward the plainest words of each legal move, and a chat model's answer has no "
            "plainest words: set training.explore = 0, or model.style = 'completion'."
        )
    if config.training.budget_tokens and (config.training.magnet or config.training.entropy or config.training.explore):
        raise WrongCall(
            "training.budget_tokens leaves rows out, and training.magnet, entropy and explore act on every row: "
            "set one or the other."
        )


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


def open_league(config: Config, folder: Path) -> League:
    """The run's league; its sampler is made when the first rival is drawn."""

    def opened(snapshot: Path) -> Engine:
        from selfplay.quiet import hushed

        with hushed():
            from selfplay.policy import open_engine

            return open_engine(snapshot, config.sampler, config.seed, config.deterministic)

    return League(config.league, folder / "league", opened)
