"""The seat of a game: how a position becomes a prompt, and words a move. The same for every game.

Answer formats: `text` asks for the move in its own words, `label` for one character that names a line of the listed
legal moves (a model with nothing in it can learn one character). A game whose actions are free text has no list and
always answers in words.
"""

from __future__ import annotations

from dataclasses import dataclass

from games import Game, State
from solvers.deduction import boxed

LABELS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


@dataclass(frozen=True)
class Player:
    """style: `completion` or `chat`. answer: `text` or `label`. show_legal, show_rules: what the prompt says beside the
    position."""

    style: str = "completion"
    answer: str = "text"
    show_legal: bool = True
    show_rules: bool = True

    @property
    def stop(self) -> tuple[str, ...]:
        return () if self.style == "chat" else ("\n",)

    def prompt(
        self, game: Game, seat: int, observation: str, legal: tuple[str, ...] | None
    ) -> str | list[dict[str, str]]:
        if self.answer == "label" and legal is not None:
            listed = "\n".join(f"{label}) {action}" for label, action in zip(LABELS, legal, strict=False))
        else:
            listed = f"Legal moves: {', '.join(legal)}" if self.show_legal and legal is not None else ""
        position = "\n".join(part for part in (observation, listed) if part)
        if self.style == "chat":
            ask = "Think, then put your move, and nothing else, in \\boxed{}."
            told = game.rules if self.show_rules else game.name
            return [{"role": "user", "content": f"{told}\nYou play {game.roles[seat]}.\n\n{position}\n\n{ask}"}]
        rules = f"{game.rules}\n\n" if self.show_rules and game.rules else ""
        return f"{rules}{position}\nMove:"

    def write(self, action: str, legal: tuple[str, ...] | None) -> str:
        """The plainest words that `read` takes for `action` in the completion style: what a policy is scored on."""
        if self.answer == "label" and legal is not None:
            return LABELS[legal.index(action)]
        return f" {action}\n"

    def read(self, text: str, game: Game, state: State, legal: tuple[str, ...] | None) -> str | None:
        """The legal action that the words name, or None."""
        words = boxed(text) if self.style == "chat" else text
        if words is None:
            return None
        if self.answer == "label" and legal is not None:
            place = LABELS.find(words.strip()) if len(words.strip()) == 1 else -1
            return legal[place] if 0 <= place < len(legal) else None
        return game.parse(words, state)
