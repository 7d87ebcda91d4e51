"""An equilibrium of a small game of hidden information, and the player that follows it.

CFR+ (Tammelin, arXiv 1407.5042): regret matching on regrets that are cut off at 0, the seats updated in turn, iteration
t counted t times in the average strategy, whose exploitability goes to 0. Nothing is drawn at random: the same game
gives the same table.

Deviation: it runs on the graph of states (`games.tree`), where histories that end in the same state share a node. What
a seat did to come there is summed over those histories; in a game whose states hold their history, as poker's do, that
is the tree's own rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np

from games.exploitability import Policy
from games.game import Game, State
from games.tree import Node, members, unfold
from selfplay.errors import UserError

ITERATIONS = 500


class CfrOpponent:
    """Draws from the row of `solve`'s table; it knows no more than the seat it plays for."""

    name = "cfr"

    def prepare(self, game: Game) -> None:
        """Raises UserError for a game that cannot be solved exactly; solves nothing yet."""
        _nodes(game)

    def act(self, game: Game, state: State, rng: Random) -> str:
        row = solve(game)[game.infostate_key(state, game.to_move(state) or 0) or ""]
        return rng.choices(list(row), list(row.values()))[0]


@lru_cache(maxsize=8)
def solve(game: Game, iterations: int = ITERATIONS) -> Policy:
    """The average strategy after so many iterations: information-state key → {action: probability}. Remembered per game
    object.

    Raises UserError for a game that is not of two seats and zero sum, or cannot be unfolded (see `games.tree.unfold`).
    """
    nodes = _nodes(game)
    graph = _Graph.of(nodes)
    regrets, average = np.zeros(len(graph.many)), np.zeros(len(graph.many))
    for iteration in range(1, iterations + 1):
        for seat in (0, 1):
            odds = np.concatenate([graph.shares(regrets), graph.chance])[graph.slot]
            own, others, values = graph.sweep(odds, seat)
            mine, parent = graph.edges[seat], graph.parent[graph.edges[seat]]
            gains = others[parent] * (values[graph.child[mine]] - values[parent])
            np.add.at(regrets, graph.slot[mine], gains)
            np.maximum(regrets, 0, out=regrets)
            np.add.at(average, graph.slot[mine], iteration * own[parent] * odds[mine])
    shares = iter(graph.shares(average).tolist())
    return {key: {action: next(shares) for action in nodes[group[0]].legal} for key, group in members(nodes).items()}


@dataclass(frozen=True)
class _Graph:
    """The states as arrays. An edge leads from a `parent` to a `child` (positions in the tree's nodes) with the odds at
    its `slot`: first one slot for each information state and action, in the order of `members`, then one for each
    outcome of chance."""

    parent: np.ndarray  # (edges,), sorted by the parent's depth
    child: np.ndarray  # (edges,)
    slot: np.ndarray  # (edges,)
    depths: list[slice]  # edges whose parents are equally deep, the root's first
    edges: tuple[np.ndarray, np.ndarray]  # the edges that each seat decides
    starts: np.ndarray  # (information states,): the first slot of each
    many: np.ndarray  # (decided slots,): how many actions the slot's information state has
    chance: np.ndarray  # (outcomes,)
    returns: np.ndarray  # (nodes,): seat 0's, 0 where the game goes on

    @classmethod
    def of(cls, nodes: tuple[Node, ...]) -> _Graph:
        groups = members(nodes)
        counts = np.array([len(nodes[group[0]].legal) for group in groups.values()])
        starts = np.cumsum(counts) - counts
        first = dict(zip(groups, starts.tolist(), strict=True))
        depth, chance, found = [0] * len(nodes), list[float](), list[tuple[int, int, int, int, int]]()
        for position in reversed(range(len(nodes))):
            node = nodes[position]
            start = first[node.key] if node.decides else int(counts.sum()) + len(chance)
            chance += node.odds
            for branch, child in enumerate(node.children):
                depth[child] = max(depth[child], depth[position] + 1)
                found.append((depth[position], position, child, start + branch, node.seat))
        level, parent, child, slot, seat = np.array(sorted(found)).T
        bounds = [0, *(np.flatnonzero(np.diff(level)) + 1).tolist(), len(level)]
        return cls(
            parent=parent,
            child=child,
            slot=slot,
            depths=[slice(one, two) for one, two in zip(bounds, bounds[1:], strict=False)],
            edges=(np.flatnonzero(seat == 0), np.flatnonzero(seat == 1)),
            starts=starts,
            many=np.repeat(counts, counts),
            chance=np.array(chance),
            returns=np.array([node.returns[0] if node.returns else 0.0 for node in nodes]),
        )

    def shares(self, weights: np.ndarray) -> np.ndarray:
        """(decided slots,): weights that add up to 1 in each information state; uniform where all are 0."""
        totals = np.repeat(np.add.reduceat(weights, self.starts), self.many[self.starts])
        return np.where(totals > 0, weights / np.where(totals > 0, totals, 1), 1 / self.many)

    def sweep(self, odds: np.ndarray, seat: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each node (what `seat` adds to the probability of coming there, what chance and the other seat add, its
        value for `seat`)."""
        mine = np.zeros(len(odds), bool)
        mine[self.edges[seat]] = True
        own_odds, other_odds = np.where(mine, odds, 1.0), np.where(mine, 1.0, odds)
        own, others = np.zeros((2, len(self.returns)))
        own[-1] = others[-1] = 1.0
        for edges in self.depths:
            parent, child = self.parent[edges], self.child[edges]
            np.add.at(own, child, own[parent] * own_odds[edges])
            np.add.at(others, child, others[parent] * other_odds[edges])
        values = self.returns * (1 if seat == 0 else -1)
        for edges in reversed(self.depths):
            np.add.at(values, self.parent[edges], odds[edges] * values[self.child[edges]])
        return own, others, values


def _nodes(game: Game) -> tuple[Node, ...]:
    if len(game.roles) != 2 or not game.zero_sum:
        raise UserError(f"cfr plays two-seat zero-sum games, and `{game.name}` is none")
    return unfold(game)
