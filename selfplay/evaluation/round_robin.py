"""The earlier selves and the last one against each other, everyone against everyone, and what that says of their
strength.

Self-play has no yardstick of its own: a policy wins half of its games against itself at every step. Whether the last
one beats those before it, and all of them, is a pay-off matrix; `elo` puts it on one scale, with a random player at 0.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from games import Game
from games.opponents import RandomOpponent
from selfplay.config import Config
from selfplay.evaluation.against import Match, estimates
from selfplay.evaluation.elo import rate
from selfplay.league import League
from selfplay.policy.engine import Engine
from selfplay.records import End, Episode, Sampling
from selfplay.rollouts.crew import Crew
from selfplay.rollouts.play import play
from selfplay.seeds import derive
from solvers.player import Player

LAST, RANDOM = "last", RandomOpponent().name


async def measure(
    engine: Engine,
    league: League,
    restore: Callable[[], None],
    config: Config,
    games: Mapping[str, Game],
    player: Player,
) -> dict[str, float]:
    """`GAME/payoff/A/B`, the share of points that A takes from B (a draw is half a point, a forfeit a loss), and
    `GAME/elo/A`, each with the bounds of its 95 % interval as `…/low` and `…/high`; `GAME/payoff/A/B/forfeits`, the
    share of games that one of them forfeited. A and B: `step-N`, `last`, `random`.

    `evaluation.round_robin` games a pair, every deal once from each seat. The policy's sampler holds one snapshot after
    another meanwhile, and `restore` gives it its own weights back. Nothing where the league kept nothing.
    """
    names = league.spread(config.evaluation.rated)
    if not names:
        return {}
    matches: dict[tuple[str, str], list[Match]] = {}

    async def meet(first: str, second: str) -> None:
        matches[first, second] = [await _match(engine, league, config, game, player, second) for game in games.values()]

    for name in [*names, RANDOM]:
        await meet(LAST, name)
    try:
        for place, name in enumerate(names):
            league.lend(name, engine)
            for other in [*names[:place], RANDOM]:
                await meet(name, other)
    finally:
        restore()
    found: dict[str, float] = {}
    for place, game in enumerate(games.values()):
        found |= _measures(game, {pair: played[place] for pair, played in matches.items()}, [RANDOM, *names, LAST])
    return found


async def _match(engine: Engine, league: League, config: Config, game: Game, player: Player, other: str) -> Match:
    """The policy in `engine` against the snapshot, or the random player, called `other`."""
    seats = len(game.roles)
    rival = None if other == RANDOM else league.seat(other)
    sampling = Sampling(config.games.max_tokens, config.sampler.temperature)

    def one(deal: int, seat: int) -> Coroutine[Any, Any, Episode]:
        elsewhere = [place for place in range(seats) if place != seat]
        opponents = dict.fromkeys(elsewhere, RandomOpponent()) if rival is None else {}
        rivals = dict.fromkeys(elsewhere, rival) if rival else {}
        seed, index = derive("round robin", game.name, deal), seats * deal + seat
        return play(engine, game, player, sampling, seed, index, opponents, config.games.retries, rivals)

    async with Crew(engine, *([rival.engine] if rival else [])) as crew:
        episodes: list[Episode] = await crew.gather(
            one(deal, seat) for deal in range(max(1, config.evaluation.round_robin // seats)) for seat in range(seats)
        )
    return Match(game, other, tuple(episodes))


def _measures(game: Game, matches: Mapping[tuple[str, str], Match], players: list[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    points = np.zeros((len(players), len(players)))
    for first, second in combinations(players, 2):
        pair = (first, second) if (first, second) in matches else (second, first)
        match = matches[pair]
        share = estimates(match)["points"]
        key = f"{game.name}/payoff/{pair[0]}/{pair[1]}"
        found |= share.measures(key)
        forfeits = sum(episode.end is End.INVALID for episode in match.episodes)
        found[f"{key}/forfeits"] = forfeits / len(match.episodes)
        a, b = players.index(pair[0]), players.index(pair[1])
        points[a, b] = share.value * len(match.episodes)
        points[b, a] = len(match.episodes) - points[a, b]
    for name, rating in zip(players, rate(points), strict=True):
        found |= rating.measures(f"{game.name}/elo/{name}")
    return found
