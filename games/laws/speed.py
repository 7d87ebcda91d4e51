"""The law of speed: a game is played by the thousand, so a decision must not cost much."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from games.game import Game
from games.laws.places import Breach
from games.playout import Playout, play

SLOWEST_S = 0.05  # a decision; tic-tac-toe takes 0.00001
SPENT_S = 2.0


def speed(game: Game, playouts: Sequence[Playout]) -> Iterator[Breach]:
    """speed: a decision of random play takes less than SLOWEST_S, of this process's own time, so that a busy machine
    does not make a game slow. Looks at one game after the other until SPENT_S are spent, or at ten."""
    began, decisions = time.process_time(), 0
    for played in playouts[:10]:
        decisions += sum(not moment.over for moment in play(game, played.seed).moments)
        if time.process_time() - began > SPENT_S:
            break
    each = (time.process_time() - began) / max(1, decisions)
    if each > SLOWEST_S:
        yield "speed", f"a decision takes {each:.2f} s: at most {SLOWEST_S} s will do to play by the thousand", ()
