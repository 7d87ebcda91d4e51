"""TextArena's two-player games as ours: `textarena:ID`, with the id that `textarena.make` takes.

Claims: TextArena's rules, words and rewards. A state is (id, seed, actions), and what TextArena keeps in a mutable
environment is computed from it, so the game itself keeps nothing. Guards against what TextArena does (0.7.4):

- every episode has an environment of its own; a step is made on a copy, so no earlier state changes;
- an environment draws from, and seeds, Python's global random source: it runs with a source of its own, drawn from the
  rng of `initial`, and the global one is put back (numpy's too);
- what it prints is dropped, and what it says is collected once, so nothing is left over from an earlier episode;
- garbage is refused in `parse`, which tries the words on a copy: refused is what the environment calls an invalid move,
  or what makes it raise. Steps with garbage all the same end the game after PATIENCE of one seat in a row, at its cost.

Deviation: of the boards that a seat was shown, `observe` repeats the last one only. Not for several threads at once,
since the global random sources are exchanged while an environment runs.
"""

from __future__ import annotations

import copy
import io
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from difflib import get_close_matches
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from games.adapters.prober import Prober
from games.adapters.recent import Recent
from games.game import Game
from games.opponents import Opponent
from selfplay.errors import UserError, WrongCall

KEPT = 1024  # environments that need no replay: two for each game that a run plays at once, and more
LONGEST = 1000  # characters of an action; TextArena cuts there too
PATIENCE = 3
LENGTH = 300  # decisions, where an environment names no limit of its own
GENERAL_SUM = ("MarketEntryGame", "PublicGoodsGame")  # of the others, what one seat wins the other loses


class Transcript(NamedTuple):
    id: str
    seed: int
    actions: tuple[str, ...] = ()


class Live:
    """An environment after a transcript, never changed again.

    sources: the random state it goes on from. log: what each seat was told, (sender, words, kind). refusals: how many
    actions of the seat to move were refused in a row; a refused one leaves the rest as it was.
    """

    def __init__(self, env: Any, sources: tuple, log: tuple[tuple, tuple], refusals: int = 0) -> None:
        self.env, self.sources, self.log, self.refusals = env, sources, log, refusals

    @classmethod
    def begin(cls, id: str, seed: int) -> Live:
        import textarena

        with _own_sources(seed) as left:
            env = textarena.make(id)
            env.reset(num_players=2, seed=seed)
        return cls(env, left[0], _heard(_inside(env), ((), ())))

    def after(self, action: str) -> Live:
        """Where the environment refuses, the same environment with one refusal more."""
        refused = Live(self.env, self.sources, self.log, self.refusals + 1)
        env, state = copy.deepcopy(self.env), self.state
        try:
            with _own_sources(self.sources) as left:
                env.step(action)
            inner = _inside(env)
            if inner.state.game_info[state.current_player_id].get("invalid_move") or (
                getattr(inner.state, "error_count", 0) > getattr(state, "error_count", 0)
            ):
                return refused
            return Live(env, left[0], _heard(inner, self.log))
        except Exception:
            return refused

    @property
    def state(self) -> Any:
        return _inside(self.env).state

    @cached_property
    def seat(self) -> int | None:
        return None if self.state.done or self.refusals >= PATIENCE else self.state.current_player_id

    def seen(self, seat: int) -> str:
        told = (*self.log[seat], *self.state.observations.get(seat, ()))
        boards = [place for place, (_, _, kind) in enumerate(told) if kind.name == "GAME_BOARD"]
        lines = []
        for place, (sender, words, kind) in enumerate(told):
            if kind.name != "GAME_BOARD" or place == boards[-1]:
                lines.append(f"Player {sender}: {words.strip()}" if sender in (0, 1) else words.strip())
        return "\n".join(lines)

    def returns(self) -> list[float]:
        if self.refusals >= PATIENCE:
            return [-1.0 if seat == self.state.current_player_id else 1.0 for seat in (0, 1)]
        rewards = self.state.rewards or {}
        return [float(rewards.get(seat, 0.0)) for seat in (0, 1)]


class TextArena(Game):
    """Actions are free text. Raises UserError where TextArena is not installed, has no such game, or has one that does
    not start for two players (`games/adapters/README.md` lists them)."""

    name = "textarena"
    roles = ("player_0", "player_1")
    perfect_information = False

    def __init__(self, id: str) -> None:
        turns = _require(id).state.max_turns
        self.name = f"textarena:{id}"
        self.zero_sum = not id.startswith(GENERAL_SUM)
        self.max_plies = 2 * turns + 10 if turns else LENGTH
        self._id = id
        self._recent: Recent[Live] = Recent(KEPT)

    def __reduce__(self) -> tuple:
        return TextArena, (self._id,)

    def initial(self, rng: Random | None) -> Transcript:
        return Transcript(self._id, rng.getrandbits(31) if rng else 0)

    def to_move(self, state: Transcript) -> int | None:
        return self._live(state).seat

    def observe(self, state: Transcript, seat: int) -> str:
        return self._live(state).seen(seat)

    def legal(self, state: Transcript) -> None:
        return None

    def parse(self, text: str, state: Transcript) -> str | None:
        action = text.strip()
        if not action or len(action) > LONGEST:
            return None
        after = _add(state, action)
        if self._recent.get(after) is None:
            live = self._live(state).after(action)
            if live.refusals:
                return None
            self._recent.put(after, live)
        return action

    def step(self, state: Transcript, action: str, rng: Random | None) -> Transcript:
        after = _add(state, action)
        if self._recent.get(after) is None:
            self._recent.put(after, self._live(state).after(action))
        return after

    def returns(self, state: Transcript) -> list[float]:
        return self._live(state).returns()

    def opponents(self) -> Sequence[Opponent]:
        return (Prober(),)

    def _live(self, state: Transcript) -> Live:
        kept, live = len(state.actions), self._recent.get(state)
        while live is None and kept:
            kept -= 1
            live = self._recent.get(state._replace(actions=state.actions[:kept]))
        if live is None:
            live = Live.begin(state.id, state.seed)
        for action in state.actions[kept:]:
            live = live.after(action)
        self._recent.put(state, live)
        return live


def _add(state: Transcript, action: str) -> Transcript:
    return state._replace(actions=(*state.actions, action))


def _require(id: str) -> Live:
    try:
        with _own_sources(0):
            import textarena  # noqa: F401
            from textarena.envs.registration import ENV_REGISTRY
    except ImportError as error:
        raise UserError(
            f"`textarena:{id}` needs TextArena, which is not installed here: `pip install textarena==0.7.4` ({error})"
        ) from error
    if id not in ENV_REGISTRY:
        near = ", ".join(f"`textarena:{each}`" for each in get_close_matches(id, ENV_REGISTRY, n=3, cutoff=0.5))
        raise WrongCall(f"TextArena has no game `{id}`" + (f": did you mean {near}?" if near else "."))
    try:
        return Live.begin(id, 0)
    except Exception as error:
        said = " ".join(str(error).split())[:200]
        raise UserError(f"TextArena's `{id}` does not start for two players: {type(error).__name__}: {said}") from error


def _inside(env: Any) -> Any:
    """The environment without TextArena's wrappers."""
    while "env" in vars(env):
        env = env.env
    return env


def _heard(env: Any, log: tuple[tuple, tuple]) -> tuple[tuple, tuple]:
    """The log with what the seat to move is told now. Asking for it empties TextArena's own list, as it should be."""
    if env.state.done:
        return log
    seat, told = env.get_observation()
    first, second = (part + tuple(told or ()) if place == seat else part for place, part in enumerate(log))
    return first, second


@contextmanager
def _own_sources(start: int | tuple) -> Iterator[list[tuple]]:
    """Runs the body on random sources of its own, from a seed or from where they were left; what they are left at is
    put into the list. Nothing is printed, and the global sources are as before."""
    kept, left = _sources(), list[tuple]()
    try:
        if isinstance(start, int):
            random.seed(start)
            if numpy := sys.modules.get("numpy"):
                numpy.random.seed(start)
        else:
            _set(start)
        with redirect_stdout(io.StringIO()):
            yield left
        left.append(_sources())
    finally:
        _set(kept)


def _sources() -> tuple:
    numpy = sys.modules.get("numpy")
    return random.getstate(), numpy.random.get_state() if numpy else None


def _set(sources: tuple) -> None:
    random.setstate(sources[0])
    if sources[1] is not None:
        sys.modules["numpy"].random.set_state(sources[1])
