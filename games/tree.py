"""A whole game, unfolded into the graph of its states, for the exact measures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from games.game import Game, State
from selfplay.errors import UserError

LIMIT = 500_000


@dataclass(frozen=True, slots=True)
class Node:
    """One state. A decision has `seat`, `key` and `legal`; chance has `odds`; the end has `returns`. `children` are
    positions in the tree's nodes, one for each legal action or outcome."""

    state: State
    children: tuple[int, ...] = ()
    odds: tuple[float, ...] = ()
    seat: int = -1
    key: str = ""
    legal: tuple[str, ...] = ()
    returns: tuple[float, ...] = ()

    @property
    def decides(self) -> bool:
        return self.seat >= 0


@lru_cache(maxsize=4)
def unfold(game: Game) -> tuple[Node, ...]:
    """Every state that can be reached, children before their parents; the last node is the start (chance's deal).

    Histories that lead to the same state share its node: states are values, and what follows depends on them alone.
    Raises UserError where the game gives no `infostate_key`, draws chance it does not list, has free-text actions,
    repeats a state, forgets, or is larger than LIMIT states.
    """
    nodes: list[Node] = []
    position: dict[State, int] = {}
    path: dict[State, Node] = {}
    branches: dict[State, tuple[State, ...]] = {}
    stack: list[tuple[State, bool]] = [(None, False)]
    while stack:
        state, expanded = stack.pop()
        if expanded:
            node, after = path.pop(state), branches.pop(state)
            position[state] = len(nodes)
            children = tuple(position[child] for child in after)
            nodes.append(Node(state, children, node.odds, node.seat, node.key, node.legal, node.returns))
        elif state in path:
            raise UserError(f"`{game.name}` can come back to an earlier state: keep a count of plies in the state")
        elif state not in position:
            if len(position) + len(path) >= LIMIT:
                raise UserError(f"`{game.name}` has more than {LIMIT} states: too many to measure exactly")
            path[state], branches[state] = _expand(game, state)
            stack.append((state, True))
            stack.extend((child, False) for child in reversed(branches[state]))
    _require_recall(game, nodes)
    return tuple(nodes)


def _expand(game: Game, state: State | None) -> tuple[Node, tuple[State, ...]]:
    try:
        outcomes = game.chance(state)
        if outcomes is None and state is None:
            outcomes = [(1.0, game.initial(None))]
        if outcomes is not None:
            return Node(state, odds=tuple(odds for odds, _ in outcomes)), tuple(after for _, after in outcomes)
        seat = game.to_move(state)
        if seat is None:
            return Node(state, returns=tuple(game.returns(state))), ()
        legal, key = game.legal(state), game.infostate_key(state, seat)
        if legal is None or key is None:
            lacks = "an `infostate_key`" if key is None else "a list of legal actions"
            raise UserError(f"`{game.name}` cannot be measured exactly: it lacks {lacks}")
        after = tuple(game.step(state, action, None) for action in legal)
        return Node(state, seat=seat, key=key, legal=tuple(legal)), after
    except (AttributeError, TypeError) as error:
        raise UserError(
            f"`{game.name}` cannot be measured exactly: asked for no random draw (rng=None) it failed with "
            f"{type(error).__name__}: {error}; list its chance in `chance`"
        ) from error


def members(nodes: Iterable[Node]) -> dict[str, list[int]]:
    """Key → positions of the states that the seat to move cannot tell apart."""
    groups: dict[str, list[int]] = defaultdict(list)
    for position, node in enumerate(nodes):
        if node.decides:
            groups[node.key].append(position)
    return groups


def _require_recall(game: Game, nodes: list[Node]) -> None:
    """A best response is exact only if a seat never forgets what it did: all ways into an information state of several
    states must share its last own (key, action). One state alone may be reached in many ways (transpositions)."""
    last: list[tuple[set, set]] = [(set(), set()) for _ in nodes]
    for position in reversed(range(len(nodes))):
        node = nodes[position]
        for branch, child in enumerate(node.children):
            for seat in range(2):
                last[child][seat].update([(node.key, branch)] if node.seat == seat else last[position][seat])
                if node.state is None:
                    last[child][seat].add(None)
    for key, group in members(nodes).items():
        if len({(nodes[position].seat, nodes[position].legal) for position in group}) > 1:
            raise UserError(f"`{game.name}`: the key {key!r} is shared by two seats, or by two lists of legal actions")
        if len(group) > 1 and len(set().union(*(last[position][nodes[position].seat] for position in group))) > 1:
            raise UserError(
                f"`{game.name}`: the key {key!r} forgets what its seat knew or did before: put it in the key"
            )
