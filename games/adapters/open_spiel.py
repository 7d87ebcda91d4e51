"""OpenSpiel's two-player games as ours: `open_spiel:NAME` or `open_spiel:NAME(parameter=value)`, written as it does.

Claims: the same rules, chance and utilities (OpenSpiel is asked at every state). Deviations: a simultaneous node is two
decisions, seat 0 first, and seat 1 is not shown what seat 0 chose; a state is the history of actions, so positions that
are reached in two ways are two states. Left out are games whose rewards come before the end, whose chance cannot be
listed (OpenSpiel draws inside), and those of other numbers of players.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from games.adapters.recent import Recent
from games.game import Game
from selfplay.errors import UserError, WrongCall

KEPT = 2048  # positions that need no replay: two for each game that a run plays at once, and more
DEALS = 1000  # no more first states are listed at once; beyond, chance speaks word by word
NUMBER = re.compile(r"^\d+ - ")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Position(NamedTuple):
    """game: as OpenSpiel writes it. moves: the actions so far, chance's too, as OpenSpiel's numbers."""

    game: str
    moves: str = ""

    def after(self, action: int) -> Position:
        return Position(self.game, f"{self.moves} {action}" if self.moves else str(action))


class Live:
    """OpenSpiel's own object at a position, never changed again. pending: what seat 0 chose at a simultaneous node."""

    def __init__(self, state: Any, pending: int | None = None) -> None:
        self.state, self.pending = state, pending

    def apply(self, action: int, *, copy: bool = True) -> Live:
        state = self.state.clone() if copy else self.state
        if not state.is_simultaneous_node():
            state.apply_action(action)
        elif self.pending is not None:
            state.apply_actions([self.pending, action])
        elif self.seat == 1:  # a seat without a choice has OpenSpiel's 0
            state.apply_actions([0, action])
        elif not state.legal_actions(1):
            state.apply_actions([action, 0])
        else:
            return Live(state, action)
        return Live(state)

    @cached_property
    def seat(self) -> int | None:
        """The seat to move; None at the end and where chance has the word."""
        if self.state.is_simultaneous_node():
            return 1 if self.pending is not None or not self.state.legal_actions(0) else 0
        seat = self.state.current_player()
        return seat if seat >= 0 else None

    @cached_property
    def legal(self) -> dict[str, int]:
        """Readable action → OpenSpiel's number, in its order. Two of one spelling would get their numbers behind."""
        seat, found = self.seat, dict[str, int]()
        for action in self.state.legal_actions(seat):
            words = _named(self.state.action_to_string(seat, action))
            found[f"{words} #{action}" if words in found or not words else words] = action
        return found


class OpenSpiel(Game):
    """Raises UserError where OpenSpiel is not installed, has no such game, or has one that cannot be played here."""

    name = "open_spiel"
    roles = ("player_0", "player_1")

    def __init__(self, text: str) -> None:
        self._game = game = _load(text)
        kind, simultaneous = game.get_type(), game.get_type().dynamics.name == "SIMULTANEOUS"
        self.name = f"open_spiel:{text}"
        self.rules = f"This is {kind.long_name}, played as in OpenSpiel."
        self.zero_sum = kind.utility.name == "ZERO_SUM"
        self.perfect_information = kind.information.name == "PERFECT_INFORMATION" and not simultaneous
        self.utility_range = (game.min_utility(), game.max_utility())
        self.max_plies = game.max_game_length() * (2 if simultaneous else 1)
        self._start = Position(str(game))
        self._shows_state = kind.provides_information_state_string and (
            not kind.provides_observation_string or kind.information.name == "IMPERFECT_INFORMATION"
        )
        self._has_keys = kind.provides_information_state_string
        self._recent: Recent[Live] = Recent(KEPT)

    def __reduce__(self) -> tuple:
        return OpenSpiel, (self.name.partition(":")[2],)

    @cached_property
    def _deals(self) -> list[tuple[float, Position]] | None:
        """All that chance can say before the first decision; where that is more than DEALS, its first words only."""
        deals = self.chance(self._start)
        while deals is not None:
            longer = [
                (odds * share, later) for odds, state in deals for share, later in self.chance(state) or [(1.0, state)]
            ]
            if longer == deals or len(longer) > DEALS:
                break
            deals = longer
        return deals

    def chance(self, state: Position | None) -> list[tuple[float, Position]] | None:
        if state is None:
            return self._deals
        live = self._live(state).state
        if not live.is_chance_node():
            return None
        return [(odds, state.after(outcome)) for outcome, odds in live.chance_outcomes() if odds > 0]

    def initial(self, rng: Random | None) -> Position:
        return self._start if rng is None or self._deals is None else self.deal(None, rng)

    def to_move(self, state: Position) -> int | None:
        return self._live(state).seat

    def observe(self, state: Position, seat: int) -> str:
        live = self._live(state).state
        seen = live.information_state_string(seat) if self._shows_state else live.observation_string(seat)
        return f"You are player {seat}.\n{_compact(seen)}".rstrip()

    def legal(self, state: Position) -> list[str]:
        return list(self._live(state).legal)

    def step(self, state: Position, action: str, rng: Random | None) -> Position:
        live = self._live(state)
        number = live.legal[action]
        after = state.after(number)
        self._recent.put(after, live.apply(number))
        return self.deal(after, rng)

    def returns(self, state: Position) -> list[float]:
        return list(self._live(state).state.returns())

    def infostate_key(self, state: Position, seat: int) -> str | None:
        if self.perfect_information:
            return state.moves
        return f"{seat} {self._live(state).state.information_state_string(seat)}" if self._has_keys else None

    def _live(self, state: Position) -> Live:
        live = self._recent.get(state)
        if live is None:
            earlier, _, last = state.moves.rpartition(" ")
            parent = self._recent.get(Position(state.game, earlier)) if last else None
            if parent is not None:
                live = parent.apply(int(last))
            else:
                live = Live(self._game.new_initial_state())
                for move in state.moves.split():
                    live = live.apply(int(move), copy=False)
            self._recent.put(state, live)
        return live


def _load(text: str) -> Any:
    try:
        import pyspiel
    except ImportError as error:
        raise UserError(
            f"`open_spiel:{text}` needs OpenSpiel, which is not installed here: `pip install open_spiel==2.0.2`"
        ) from error
    known, name = {kind.short_name: kind for kind in pyspiel.registered_games()}, text.partition("(")[0]
    if name not in known:
        near = ", ".join(f"`open_spiel:{each}`" for each in get_close_matches(name, known, n=3, cutoff=0.5))
        raise WrongCall(f"OpenSpiel has no game `{name}`" + (f": did you mean {near}?" if near else "."))
    if reason := _refusal(known[name], bare=name == text):
        raise UserError(f"OpenSpiel's `{name}` cannot be played here: {reason}.")
    try:
        game = pyspiel.load_game(text)
    except Exception as error:
        accepted = ", ".join(known[name].parameter_specification) or "none"
        said = " ".join(str(error).split())
        raise UserError(f"OpenSpiel refuses `{text}`: {said} (parameters of `{name}`: {accepted})") from error
    if game.num_players() != 2:
        hint = f": write `open_spiel:{name}(players=2)`" if known[name].min_num_players <= 2 else ""
        raise UserError(f"`open_spiel:{text}` is for {game.num_players()} players, and games here have two{hint}.")
    return game


def _refusal(kind: Any, bare: bool) -> str | None:
    if not kind.min_num_players <= 2 <= kind.max_num_players:
        return "it is not for two players"
    if kind.reward_model.name != "TERMINAL":
        return "it pays rewards before its end"
    if kind.dynamics.name == "MEAN_FIELD":
        return "it is a mean-field game"
    if kind.chance_mode.name == "SAMPLED_STOCHASTIC":
        return "OpenSpiel draws its chance inside, so the same seed would not give the same game"
    if bare and not kind.default_loadable:
        return f"it needs parameters, in brackets behind its name ({', '.join(kind.parameter_specification)})"
    return None


def _named(text: str) -> str:
    """Without OpenSpiel's number in front, and with the star of a capture as an x: `games.text.match` ignores stars."""
    return " ".join(NUMBER.sub("", COLOURS.sub("", text)).replace("*", "x").split())


def _compact(text: str) -> str:
    """Without colours, empty lines, white space at the ends of lines, and a margin that all lines share."""
    lines = [line.rstrip() for line in COLOURS.sub("", text).expandtabs().splitlines() if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return "\n".join(line[margin:] for line in lines)
