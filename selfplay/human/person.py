"""The person in a seat: sees what the seat sees, and types a move."""

from __future__ import annotations

import textwrap
from random import Random

from games import Game, State
from selfplay.human.terminal import LEAVE, Left, Terminal
from selfplay.views.text import short

HOW = "Type a move; where moves are numbered, its number will do. q leaves."


class Person:
    """A `games.opponents.Opponent`. A move is asked for again until it is legal; raises Left at `q` and at the end of
    the input."""

    name = "you"

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal

    def act(self, game: Game, state: State, rng: Random) -> str:
        legal = game.legal(state)
        self.terminal.say("", view(game, state))
        if legal is not None:
            self.terminal.say(*wrapped(f"Moves: {', '.join(listed(legal))}"))
        while True:
            words = self.terminal.ask("Your move: ")
            leaves = words.strip().casefold() in LEAVE
            if leaves and legal is None:
                raise Left
            action = read(words, game, state)
            if action is not None:
                return action
            if leaves:
                raise Left
            self.terminal.say(_again(words, legal))


def wrapped(text: str) -> list[str]:
    """Lines that fit a terminal of 80 columns; none for no text."""
    return textwrap.wrap(text, 78, subsequent_indent="  ")


def view(game: Game, state: State) -> str:
    """What the seat to move may see: the game's own drawing where it has one and hides nothing."""
    if game.perfect_information and type(game).render is not Game.render:
        return game.render(state)
    return game.observe(state, game.to_move(state) or 0)


def numbered(legal: list[str]) -> bool:
    """Whether a move may be named by its number: not where moves hold digits themselves, and 3 could mean two of
    them."""
    return not any(character.isdigit() for action in legal for character in action)


def listed(legal: list[str]) -> list[str]:
    return [f"{place} {action}" for place, action in enumerate(legal, 1)] if numbered(legal) else legal


def read(words: str, game: Game, state: State) -> str | None:
    """The legal action that the words name as the game reads them, or by its number; None where they name none."""
    action, legal = game.parse(words, state), game.legal(state)
    if action is not None or legal is None or not numbered(legal):
        return action
    number = words.strip().rstrip(").")
    place = int(number) if number.isascii() and number.isdecimal() and len(number) < 6 else 0
    return legal[place - 1] if 1 <= place <= len(legal) else None


def _again(words: str, legal: list[str] | None) -> str:
    if legal is None:
        return "The game does not take that here; say it in another way, or leave with q."
    if not words.strip():
        return "Nothing was typed: name a move, or leave with q."
    return f"'{short(words.strip(), 40)}' names no legal move: try again, or leave with q."
