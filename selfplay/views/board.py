"""A stored game played once more by its rules, so that a spectator sees the board: from its seed and its actions.

What the seats saw and might play is stored; it must be what the rules say now, or the board is not drawn: rules that
changed since would draw a game that was not played. Where they fail altogether, that is told too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import games
from games import Game
from selfplay.errors import UserError
from selfplay.seeds import rng


def draw(episode: Mapping[str, Any], rules: str | None = None, names: Sequence[str] = ()) -> dict[str, Any]:
    """`boards`: the state for a spectator before each ply, and after the last; None from where it cannot be told.
    `board_problem`: one sentence why not, or None.

    rules: the game, as a recipe names it; by default the one of the run's `names` (of other libraries) or of the
    built-in and installed games that has the episode's name. Files are loaded only when `rules` names them.
    """
    boards: list[str | None] = []
    try:
        problem = _play(_find(episode["game"], rules, names), episode, boards)
    except UserError as error:
        problem = f"no board: {error}"
    except Exception as error:  # the rules are anybody's code, and the words were stored by others
        failed = f"the rules of {episode['game']} failed ({type(error).__name__}: {error})"
        problem = f"no board from ply {len(boards) + 1} on: {failed}"
    return {"boards": boards + [None] * (len(episode["plies"]) + 1 - len(boards)), "board_problem": problem}


def _find(name: str, rules: str | None, names: Sequence[str]) -> Game:
    if rules is not None:
        game = games.find(rules)
        if game.name != name:
            raise UserError(f"`{rules}` is the game {game.name}, and {name} was played")
        return game
    foreign = [spec for spec in names if ":" in spec and ".py" not in spec]
    for spec in foreign:
        game = games.find(spec)
        if game.name == name:
            return game
    if name not in games.available():
        raise UserError(
            f"the game {name} is not among the built-in ones; `--rules path/to/file.py:Class` says where it is"
        )
    return games.find(name)


def _play(game: Game, episode: Mapping[str, Any], boards: list[str | None]) -> str | None:
    """Fills `boards` as far as the game can be told; one sentence why not further."""
    chance = rng("chance", game.name, episode["seed"])
    state = game.initial(chance)
    for ply in episode["plies"]:
        seat = game.to_move(state)
        if seat is None or _seen(game, state, seat) != (ply["seat"], ply["observation"], ply["legal"]):
            return f"no board from ply {ply['ply'] + 1} on: the rules of {game.name} now show something else there"
        boards.append(game.render(state))
        if ply["action"] is not None:
            state = game.step(state, ply["action"], chance)
    boards.append(game.render(state))
    return None


def _seen(game: Game, state: Any, seat: int) -> tuple[int, str, list[str] | None]:
    legal = game.legal(state)
    return seat, game.observe(state, seat), None if legal is None else list(legal)
