"""Laws of `step` and `parse`, at every state that was met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from games.game import Game
from games.laws.places import Breach, decisions
from games.playout import Playout, describe

GARBAGE = ("", " ", "\n", "no such move", "None", "\x00", "[]", "()", "?!", "💥", "9" * 40, "{'a': 1}", "\\boxed{}")


def acceptance(game: Game, playouts: Sequence[Playout]) -> Iterator[Breach]:
    """step: every legal action is accepted."""
    for moves, moment in decisions(game, playouts):
        for action in moment.legal or ():
            try:
                game.to_move(game.step(moment.state, action, Random(0)))
            except Exception as error:
                sentence = f"the legal action {action!r} was not accepted: {describe(error)}"
                yield "step", sentence, (*moves, f"{game.roles[moment.seat]}: {action}")


def parsing(game: Game, playouts: Sequence[Playout]) -> Iterator[Breach]:
    """parse: an action's own spelling names it; garbage, and actions that are legal elsewhere, name nothing."""
    examined = list(decisions(game, playouts))
    everywhere = {action for _, moment in examined for action in moment.legal or ()}
    for moves, moment in examined:
        legal = moment.legal
        if legal is None:
            if game.parse(moment.action, moment.state) is None:
                yield "parse", f"the action {moment.action!r} of a scripted player is not understood", moves
            continue
        for action in legal:
            if (got := game.parse(action, moment.state)) != action:
                yield "parse", f"the legal action {action!r} is read as {got!r}", moves
        two = (f"{legal[0]} or {legal[-1]}",) if len(legal) > 1 else ()
        folded = {action.casefold() for action in legal}
        for text in (*GARBAGE, *two, *sorted(everywhere)[:50]):
            if text.casefold() in folded:
                continue
            try:
                got = game.parse(text, moment.state)
            except Exception as error:
                yield "parse", f"{text!r} is no action here: None was due, but {describe(error)}", moves
                continue
            if got is not None:
                yield "parse", f"{text!r} is no action here, but is read as {got!r}", moves
