"""A player for games whose actions are free text, when nothing is known but what the game itself says."""

from __future__ import annotations

import re
from random import Random

from games.game import Game, State

TRIES = 150
BRACKETED = re.compile(r"\[[^\[\]\n]{1,60}\]")
VARIABLE = re.compile(r"\d+|(?<![A-Za-z])[A-Za-z](?=\d)")  # a number, or the letter of a board's cell


class Prober:
    """Tries what is shown in square brackets, until `game.parse` takes it: as it stands, moved over the board (all its
    numbers by as much, all its letters by as much), or with any other numbers and letters. It shows that a game can be
    played, not how."""

    def __init__(self) -> None:
        self.name = "prober"  # not in the class body, which would list it among the libraries

    def act(self, game: Game, state: State, rng: Random) -> str:
        """An action that `game.parse` takes; "pass" where TRIES tries found none."""
        seen = game.observe(state, game.to_move(state) or 0)
        shown = sorted(set(BRACKETED.findall(seen)))
        for _ in range(TRIES if shown else 0):
            action = rng.choice((_itself, _moved, _changed))(rng.choice(shown), rng)
            if game.parse(action, state) is not None:
                return action
        return "pass"


def _itself(example: str, rng: Random) -> str:
    return example


def _moved(example: str, rng: Random) -> str:
    up, right = rng.randint(-7, 7), rng.randint(-7, 7)

    def move(sign: re.Match[str]) -> str:
        return str(max(0, int(sign[0][:3]) + up)) if sign[0].isdigit() else chr(max(ord("A"), ord(sign[0]) + right))

    return VARIABLE.sub(move, example)


def _changed(example: str, rng: Random) -> str:
    """A small number or an early letter more often than not, since boards and heaps are small."""

    def change(sign: re.Match[str]) -> str:
        if sign[0].isdigit():
            return str(rng.randint(0, rng.choice((3, 9, max(9, int(sign[0][:3]))))))
        return chr(ord("a" if sign[0].islower() else "A") + rng.randrange(rng.choice((4, 8))))

    return VARIABLE.sub(change, example)
