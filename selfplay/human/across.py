"""Who sits across from the person: a scripted opponent, a run's newest checkpoint, or a model."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from games import Game, State
from games.opponents import Opponent, find
from selfplay import models
from selfplay.config import Config, load
from selfplay.errors import PluginNotFound, UserError, WrongCall
from selfplay.policy.engine import Engine
from selfplay.store.folder import listing
from selfplay.training import checkpoint
from solvers.player import Player

Say = Callable[[str], None]


@dataclass
class Script:
    """A scripted opponent under its name; its moves are said aloud where nothing is hidden anyway."""

    name: str
    opponent: Opponent
    say: Say

    def act(self, game: Game, state: State, rng: Random) -> str:
        action = self.opponent.act(game, state, rng)
        if game.perfect_information:
            self.say(f"{self.name} plays {action}.")
        return action


@dataclass(frozen=True)
class Model:
    """A policy's weights, and the recipe that says how it is asked."""

    name: str
    folder: Path
    config: Config


@dataclass(frozen=True)
class Heard(Player):
    """A policy's seat whose moves are said aloud where nothing is hidden anyway."""

    say: Say = print

    def read(self, text: str, game: Game, state: State, legal: tuple[str, ...] | None) -> str | None:
        action = super().read(text, game, state, legal)
        if game.perfect_information and action is not None:
            self.say(f"The model plays {action}.")
        return action


def seat(against: str | None, game: Game, root: Path, say: Say) -> Script | Model:
    """`against`: a scripted opponent, a run (its folder, or its name under `root`), or a model (`embedded`, a folder, a
    hub name). None: the game's own first opponent where its actions are free text, and else `random`.

    Raises UserError where nobody is called so, or cannot play.
    """
    if against is None:
        own = game.opponents()
        against = own[0].name if own and game.legal(game.initial(Random(0))) is None else "random"
    try:
        return Script(against, find(against, game), say)
    except PluginNotFound as error:
        scripted = error.exists
    run = next((path for path in (Path(against), root / against) if (path / "run.db").is_file()), None)
    if run is not None:
        return _checkpoint(run)
    if against in models.NAMED or against.startswith("scratch:") or Path(against).is_dir() or "/" in against:
        return Model(against, models.resolve(against), load("quickstart"))
    runs = [path.name for path in listing(root)]
    near = difflib.get_close_matches(against, [*scripted, *runs, *models.NAMED], n=1)
    raise WrongCall(
        f"Nobody is called {against!r}{f' (did you mean {near[0]}?)' if near else ''}: name a scripted opponent "
        f"({', '.join(scripted)}), a run (`selfplay runs` lists them), or a model."
    )


def _checkpoint(run: Path) -> Model:
    step = checkpoint.newest_kept(run / "checkpoints")
    if not step:
        raise UserError(f"The run {run} has no checkpoint yet, so there is nothing of it to play against.")
    folder = run / "checkpoints" / checkpoint.name(step) / "policy"
    return Model(f"{run.name} at step {step}", folder, load(str(run)))


@contextmanager
def awake(model: Model) -> Iterator[Engine]:
    """The model in a sampler, on transformers: one move at a time needs no batch, and it starts sooner."""
    from selfplay.quiet import hushed

    sampler = model.config.sampler.model_copy(update={"engine": "transformers", "batch": 1})
    with hushed():
        from selfplay.policy import open_engine

        engine = open_engine(model.folder, sampler, model.config.seed)
    try:
        yield engine
    finally:
        engine.close()
