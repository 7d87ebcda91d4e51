"""`check(game)`: the law book, for any game. Written for authors of games: a broken law comes with the shortest playout
that breaks it.

from games import find
from games.check import check
for violation in check(find("my_game.py:MyGame")):
    print(violation)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from games import laws
from games.game import Game
from games.laws.purity import global_sources_kept
from games.playout import describe, play


@dataclass(frozen=True, slots=True)
class Violation:
    """law: a short name. sentence: what was expected and what came. transcript: the moves that lead there, one a
    line."""

    law: str
    sentence: str
    transcript: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n    ".join([f"{self.law}: {self.sentence}", *self.transcript])


def check(game: Game, seed: int = 0, playouts: int = 200) -> list[Violation]:
    """At most one violation of each law, the one with the shortest transcript; an empty list means that none was found.

    Laws: declaration, runs, seats, observe, legal, returns (answers of the right form); termination; range; zero sum;
    determinism; isolation (interleaved games); step (every legal action is accepted); parse; value (states hash, pickle
    and compare); immutability; global randomness; chance (the list agrees with what `initial` and `step` draw); hidden
    information (the hidden part is varied over all deals, where `infostate_key` is given); speed.

    Not seen by it: a leak in a game that gives neither `infostate_key` nor `chance`; an endless loop inside one
    function; a dependence on Python's hash seed; wrong rules. The caller's global random state is left as it was.
    """
    declared = [Violation("declaration", sentence) for sentence in _declaration(game)]
    if declared:
        return declared
    with global_sources_kept():
        return _examine(game, seed, playouts)


def _examine(game: Game, seed: int, playouts: int) -> list[Violation]:
    played = [play(game, seed + index) for index in range(playouts)]
    found: dict[str, Violation] = {}
    for law in laws.LAWS:
        try:
            broken = list(law(game, played))
        except Exception as error:
            broken = [("runs", f"while `{law.__name__}` was examined, {describe(error)}", ())]
        for law_name, sentence, moves in broken:
            if law_name not in found or len(moves) < len(found[law_name].transcript):
                found[law_name] = Violation(law_name, sentence, moves)
    return list(found.values())


def _declaration(game: Game) -> list[str]:
    problems = []
    if not isinstance(getattr(game, "name", None), str) or not re.fullmatch(r"[a-z0-9_]+(:\S+)?", game.name):
        problems.append("`name` must be a word in lower case, digits and underscores")
    roles = getattr(game, "roles", None)
    if not isinstance(roles, tuple | list) or not roles or not all(isinstance(role, str) and role for role in roles):
        problems.append("`roles` must be a tuple with one word a seat")
    elif len(set(roles)) < len(roles):
        problems.append("`roles` must differ from each other")
    if not (len(game.utility_range) == 2 and game.utility_range[0] < game.utility_range[1]):
        problems.append("`utility_range` must be (least, greatest)")
    if not isinstance(game.max_plies, int) or game.max_plies < 1:
        problems.append("`max_plies` must be a positive whole number")
    return problems
