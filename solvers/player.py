"""The seat of a game: how a position becomes a prompt, and words a move. The same for every game.

Answer formats: `text` asks for the move in its own words, `label` for one character (a model with nothing in it can
learn one character): the move's first, where the legal moves differ in it, or else the one that names a line of their
list. A letter that means one thing everywhere is learnt sooner than a place in a list: with places, Leduc poker's
`fold` and `raise` shared one, and what was learnt of the one was done with the other. A game whose actions are free
text has no list and always answers in words.

Observation styles: `current` shows the position alone, which a game's `observe` makes complete; `history` shows what
the seat saw and did before as well; `infostate` shows the name that the game has for what the seat knows (its
`infostate_key`), and a colon: as complete, and a third as long, for a model that knows no words. Of its own turns a
seat sees the moves again, of the other seat's turns what the game shows of them: never the words around a move, so that
reasoning stays with whoever reasoned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games import Game, State
from solvers.deduction import boxed

LABELS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
Past = Sequence[tuple[str, str]]
"""What a seat saw and the move it made, oldest first."""


@dataclass(frozen=True)
class Player:
    """style: `completion` or `chat`. answer: `text` or `label`. show_legal, show_rules: what the prompt says beside the
    position. observation: `current`, `history` or `infostate`."""

    style: str = "completion"
    answer: str = "text"
    show_legal: bool = True
    show_rules: bool = True
    observation: str = "current"

    @property
    def stop(self) -> tuple[str, ...]:
        return () if self.style == "chat" else ("\n",)

    def shown(self, game: Game, state: State, seat: int, observation: str) -> str:
        """The position as `prompt` wants it; `observation` is what `observe` says of it."""
        return str(game.infostate_key(state, seat)) if self._terse else observation

    def prompt(
        self, game: Game, seat: int, observation: str, legal: tuple[str, ...] | None, past: Past = ()
    ) -> str | list[dict[str, str]]:
        past = past if self.observation == "history" else ()
        position = "\n".join(part for part in (observation, self._listed(legal)) if part)
        if self.style == "chat":
            return self._chat(game, seat, position, past)
        rules = f"{game.rules}\n\n" if self.show_rules and game.rules else ""
        before = "".join(f"{seen}\nMove: {made}\n\n" for seen, made in past)
        return f"{rules}{before}{position}:" if self._terse else f"{rules}{before}{position}\nMove:"

    def write(self, action: str, legal: tuple[str, ...] | None) -> str:
        """The plainest words that `read` takes for `action` in the completion style: what a policy is scored on."""
        if self.answer == "label" and legal is not None:
            return _labels(legal)[legal.index(action)]
        return f" {action}\n"

    def read(self, text: str, game: Game, state: State, legal: tuple[str, ...] | None) -> str | None:
        """The legal action that the words name, or None."""
        words = boxed(text) if self.style == "chat" else text
        if words is None:
            return None
        if self.answer == "label" and legal is not None:
            return dict(zip(_labels(legal), legal, strict=False)).get(words.strip())
        return game.parse(words, state)

    @property
    def _terse(self) -> bool:
        return self.observation == "infostate"

    def _listed(self, legal: tuple[str, ...] | None) -> str:
        if legal is None:
            return ""
        if self.answer == "label" and _labels(legal) is LABELS:
            return "\n".join(f"{label}) {action}" for label, action in zip(LABELS, legal, strict=False))
        return f"Legal moves: {', '.join(legal)}" if self.show_legal else ""

    def _chat(self, game: Game, seat: int, position: str, past: Past) -> list[dict[str, str]]:
        told = game.rules if self.show_rules else game.name
        ask = "Think, then put your move, and nothing else, in \\boxed{}."
        seen = [*(before for before, _ in past), f"{position}\n\n{ask}"]
        seen[0] = f"{told}\nYou play {game.roles[seat]}.\n\n{seen[0]}"
        said = [f"\\boxed{{{made}}}" for _, made in past]
        messages = [{"role": "user", "content": seen[0]}]
        for answer, question in zip(said, seen[1:], strict=True):
            messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": question}]
        return messages


def _labels(legal: tuple[str, ...]) -> Sequence[str]:
    """One character a move: their first ones where those differ."""
    first = [action[:1] for action in legal]
    return first if len(set(first)) == len(legal) and all(first) else LABELS
