"""Random playouts, recorded so that laws can be read off them."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from games.game import Game, State


@dataclass(frozen=True, slots=True)
class Moment:
    """One state of a playout. `seat` is -1 when the game is over; `legal` is None for free text."""

    state: State
    seat: int = -1
    observation: str = ""
    legal: tuple[str, ...] | None = None
    action: str = ""
    returns: tuple[float, ...] = ()

    @property
    def over(self) -> bool:
        return self.seat < 0

    @property
    def seen(self) -> tuple:
        """All but the state: what a spectator can compare."""
        return self.seat, self.observation, self.legal, self.action, self.returns


@dataclass(frozen=True, slots=True)
class Playout:
    """moments: the last one is the end of the game, unless `fault` (law, sentence) or the ply limit came first."""

    seed: int
    moments: tuple[Moment, ...]
    fault: tuple[str, str] | None = None

    @property
    def finished(self) -> bool:
        return bool(self.moments) and self.moments[-1].over


class Fault(Exception):
    """The game answered with something that is no answer. `law` names what it breaks."""

    def __init__(self, law: str, sentence: str):
        super().__init__(sentence)
        self.law, self.sentence = law, sentence


def walk(game: Game, seed: int, limit: int | None = None) -> Iterator[Moment]:
    """Plays at random, one moment at a time; the state steps on when the next moment is asked for. Chance and choice
    have a source each, both made from `seed`. Stops after `limit` decisions (default: the game's own `max_plies`).
    Raises Fault."""
    chance, choice = Random(seed), Random(f"choice {seed}")
    state = game.initial(chance)
    for ply in range((limit or game.max_plies) + 1):
        seat = game.to_move(state)
        if seat is None:
            yield Moment(state, returns=_returns(game, state))
            return
        if ply == (limit or game.max_plies):
            return
        if not isinstance(seat, int) or not 0 <= seat < len(game.roles):
            raise Fault("seats", f"to_move said {seat!r}, which is none of the {len(game.roles)} seats")
        observation, legal = game.observe(state, seat), game.legal(state)
        if not isinstance(observation, str):
            raise Fault("observe", f"observe gave {type(observation).__name__}, not text")
        action = _choose(game, state, legal, choice)
        yield Moment(state, seat, observation, None if legal is None else tuple(legal), action)
        state = game.step(state, action, chance)


def play(game: Game, seed: int) -> Playout:
    """One recorded playout; whatever the game raises is recorded too."""
    return collect(seed, walk(game, seed))


def collect(seed: int, walker: Iterator[Moment]) -> Playout:
    moments: list[Moment] = []
    try:
        for moment in walker:
            moments.append(moment)
    except Fault as fault:
        return Playout(seed, tuple(moments), (fault.law, fault.sentence))
    except Exception as error:
        return Playout(seed, tuple(moments), ("runs", describe(error)))
    return Playout(seed, tuple(moments))


def describe(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {frames[-1].name} (line {frames[-1].lineno})" if frames else ""
    return f"the game raised {type(error).__name__}: {error}{where}"


def transcript(game: Game, seed: int, moments: tuple[Moment, ...] | list[Moment]) -> tuple[str, ...]:
    """The moves, one a line, ready to be read or replayed."""
    lines = [f"seed {seed}"]
    for moment in moments:
        if moment.over:
            lines.append(f"over: returns {list(moment.returns)}")
        else:
            lines.append(f"{game.roles[moment.seat]}: {moment.action}")
    return tuple(lines)


def _choose(game: Game, state: State, legal: list[str] | None, rng: Random) -> str:
    if legal is None:
        players = game.opponents()
        if not players:
            raise Fault(
                "legal",
                "legal is None (free text), and opponents() offers nobody who could play: add a scripted player",
            )
        return rng.choice(players).act(game, state, rng)
    if (
        not isinstance(legal, list | tuple)
        or not legal
        or not all(isinstance(action, str) and action for action in legal)
    ):
        raise Fault(
            "legal", f"legal gave {legal!r}: a seat that is to move needs a list of one or more non-empty actions"
        )
    if len(set(legal)) < len(legal):
        raise Fault("legal", f"legal lists an action twice: {legal!r}")
    return rng.choice(legal)


def _returns(game: Game, state: State) -> tuple[float, ...]:
    returns = game.returns(state)
    if len(returns) != len(game.roles) or not all(isinstance(value, int | float) for value in returns):
        raise Fault("returns", f"returns gave {returns!r}: one number a seat is needed, for {len(game.roles)} seats")
    return tuple(returns)
