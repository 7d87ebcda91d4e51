"""The law of hidden information: what a seat sees does not depend on what it may not know.

The hidden part is varied: every recorded line of play is played again on every deal that `chance(None)` lists.
`infostate_key` says which of the states that come up a seat cannot tell apart; there it must see one and the same
thing. Where information is hidden, the converse too: after one and the same sights and own actions, one key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from games.game import Game, State
from games.playout import Moment, Playout, transcript

LINES = 60
DEALS = 60
Seen = tuple[str, Moment, tuple, tuple[str, ...]]  # key, moment, the seat's trail with this observation, transcript


def hidden_information(game: Game, playouts: Sequence[Playout]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    law = "hidden information"
    deals = game.chance(None)
    if game.perfect_information and deals is not None and (pair := _twins(game, [state for _, state in deals])):
        seat, one, other = pair
        yield law, f"{game.roles[seat]} cannot tell {one!r} from {other!r}: declare perfect_information = False", ()
    seen = list(_lines(game, playouts, None if deals is None else [state for _, state in deals[:DEALS]]))
    if not seen:
        return

    by_key: dict[tuple, Seen] = {}
    by_trail: dict[tuple, Seen] = {}
    states_of: dict[tuple, set] = {}
    for entry in seen:
        key, moment, trail, moves = entry
        role = game.roles[moment.seat]
        first = by_key.setdefault((moment.seat, key), entry)
        if (first[1].observation, first[1].legal) != (moment.observation, moment.legal):
            what = "observation" if first[1].observation != moment.observation else "legal"
            was, now = getattr(first[1], what), getattr(moment, what)
            sentence = f"{role} knows the same ({key!r}) but is shown {now!r} here and {was!r} in another deal"
            yield law, sentence, moves
        first = by_trail.setdefault((moment.seat, trail), entry)
        if first[0] != key and not game.perfect_information:
            sentence = f"the key {key!r} tells {role} more than it was shown: the same sights also gave {first[0]!r}"
            yield law, sentence, moves
        states_of.setdefault((moment.seat, key), set()).add(moment.state)
    whole = deals is not None and 1 < len(deals) <= DEALS
    if not game.perfect_information and whole and all(len(states) == 1 for states in states_of.values()):
        yield law, "information is declared hidden, but every information state gives the whole state away", seen[0][3]


def _twins(game: Game, deals: list[State]) -> tuple[int, State, State] | None:
    for seat in range(len(game.roles)):
        met: dict[str, State] = {}
        for state in deals:
            if game.chance(state) is None and met.setdefault(game.observe(state, seat), state) != state:
                return seat, met[game.observe(state, seat)], state
    return None


def _lines(game: Game, playouts: Sequence[Playout], deals: list[State] | None) -> Iterator[Seen]:
    for played in playouts[:LINES]:
        if not played.moments or played.fault:
            continue
        actions = [moment.action for moment in played.moments if not moment.over]
        for state in deals or [played.moments[0].state]:
            yield from _replay(game, state, actions, played.seed)


def _replay(game: Game, state: State, actions: list[str], seed: int) -> Iterator[Seen]:
    rng = Random(seed)
    state = game.deal(state, rng)
    moments: list[Moment] = []
    trails: dict[int, tuple] = {}
    for action in actions:
        seat = game.to_move(state)
        if seat is None or (key := game.infostate_key(state, seat)) is None:
            return
        legal = game.legal(state)
        if legal is not None and action not in legal:
            return
        moment = Moment(state, seat, game.observe(state, seat), None if legal is None else tuple(legal), action)
        trail = (*trails.get(seat, ()), moment.observation)
        yield key, moment, trail, transcript(game, seed, moments)
        trails[seat] = (*trail, action)
        moments.append(moment)
        state = game.step(state, action, rng)
