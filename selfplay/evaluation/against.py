"""The policy against scripted opponents: every deal once from each seat, so that luck of the deal and of the seat
cancels.

Scores are returns scaled to [0, 1] by the game's range; a move that is illegal forfeits, which is a loss. Every
estimate comes with a 95 % interval: Wilson's for shares of games, a normal one over deals for mean scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from games import Game
from games.opponents import Opponent, find
from selfplay.config import Config
from selfplay.errors import UserError
from selfplay.evaluation.estimate import Estimate, mean, wilson
from selfplay.policy.engine import Engine
from selfplay.records import End, Episode, Sampling
from selfplay.rollouts.crew import Crew
from selfplay.rollouts.play import play
from selfplay.seeds import derive
from solvers.player import Player


@dataclass(frozen=True, slots=True)
class Match:
    """One game against one opponent. `episodes`: deal by deal, the policy in each seat in order."""

    game: Game
    opponent: str
    episodes: tuple[Episode, ...]


async def measure(
    crew: Crew, engine: Engine, config: Config, games: Mapping[str, Game], player: Player
) -> dict[str, float]:
    """The measures of the recipe's opponents, from seeds that do not depend on the run's.

    Against `random`: `legal_rate` (share of the policy's moves that are legal), `score_vs_random`, `not_lost_vs_random`
    (the share of games) and `forfeit_rate`, of each game (`GAME/…`) and of all games (`player/…`). Against any other:
    `GAME/vs_OPPONENT/…` with the keys of `estimates`, the interval beside each value as `…/low` and `…/high`. Raises
    UserError as `pairings` does.
    """
    matches: list[Match] = await crew.gather(
        _match(crew, engine, config, game, player, opponent)
        for game, opponent in pairings(config.evaluation.opponents, games)
    )
    found = against_random([match for match in matches if match.opponent == "random"])
    for match in matches:
        if match.opponent != "random":
            for key, estimate in estimates(match).items():
                found |= estimate.measures(f"{match.game.name}/vs_{match.opponent}/{key}")
    return found


def pairings(names: Iterable[str], games: Mapping[str, Game]) -> list[tuple[Game, Opponent]]:
    """Who plays what: each opponent the games that it can play, no one twice. Raises UserError where one can play none
    of them."""
    found: dict[tuple[str, str], tuple[Game, Opponent]] = {}
    for name in names:
        errors: list[UserError] = []
        for game in games.values():
            try:
                opponent = find(name, game)
            except UserError as error:
                errors.append(error)
            else:
                found.setdefault((game.name, opponent.name), (game, opponent))
        if errors and len(errors) == len(games):
            raise errors[0]
    return list(found.values())


def against_random(matches: Sequence[Match]) -> dict[str, float]:
    measures: dict[str, float] = {}
    if matches:
        for prefix, some in [("player", matches), *((match.game.name, [match]) for match in matches)]:
            played = [one for match in some for one in _outcomes(match)]
            asked = sum(one.asked for one in played)
            measures |= {f"{prefix}/legal_rate": sum(one.legal for one in played) / asked} if asked else {}
            measures[f"{prefix}/score_vs_random"] = sum(one.score for one in played) / len(played)
            measures[f"{prefix}/not_lost_vs_random"] = sum(one.place >= 0 for one in played) / len(played)
            measures[f"{prefix}/forfeit_rate"] = sum(one.forfeit for one in played) / len(played)
    return measures


def estimates(match: Match) -> dict[str, Estimate]:
    """`score`; `points`, 1 for a win and a half for a draw; `won`, `drawn`, `lost` and `not_lost`, the shares of games
    by whose return was greatest; `score`, `won` and `not_lost` `_without_forfeits`, over the games that the policy did
    not forfeit (absent where it forfeited all); `seat_N/score`; `forfeit_rate`; `legal_rate`."""
    played, seats = _outcomes(match), range(len(match.game.roles))
    kept = [one for one in played if not one.forfeit]
    found = {
        "score": mean(_deals(played)),
        "points": mean(_deals([replace(one, score=(1 + one.place) / 2) for one in played])),
        "won": _share(one.place > 0 for one in played),
        "drawn": _share(one.place == 0 for one in played),
        "lost": _share(one.place < 0 for one in played),
        "not_lost": _share(one.place >= 0 for one in played),
    }
    if kept:
        found |= {
            "score_without_forfeits": mean(_deals(kept)),
            "won_without_forfeits": _share(one.place > 0 for one in kept),
            "not_lost_without_forfeits": _share(one.place >= 0 for one in kept),
        }
    found |= {f"seat_{seat}/score": mean(_deals(one for one in played if one.seat == seat)) for seat in seats}
    found["forfeit_rate"] = _share(one.forfeit for one in played)
    if asked := sum(one.asked for one in played):
        found["legal_rate"] = wilson(sum(one.legal for one in played), asked)
    return found


@dataclass(frozen=True, slots=True)
class _Outcome:
    """One game as the policy saw it. place: 1 its return was the greatest, 0 shared, -1 less than another's, or a
    forfeit. asked, legal: how often it was asked for a move, and named a legal one."""

    deal: int
    seat: int
    score: float
    place: int
    forfeit: bool
    asked: int
    legal: int


def _outcomes(match: Match) -> list[_Outcome]:
    seats = len(match.game.roles)
    return [_outcome(match.game, episode, *divmod(index, seats)) for index, episode in enumerate(match.episodes)]


def _outcome(game: Game, episode: Episode, deal: int, seat: int) -> _Outcome:
    low, high = game.utility_range
    own = episode.returns[seat]
    best = max((other for at, other in enumerate(episode.returns) if at != seat), default=own)
    forfeit = episode.end is End.INVALID and episode.offender == seat
    asked = [ply for ply in episode.plies if ply.turn is not None]
    return _Outcome(
        deal,
        seat,
        score=(own - low) / (high - low),
        place=-1 if forfeit else (own > best) - (own < best),
        forfeit=forfeit,
        asked=len(asked),
        legal=sum(ply.action is not None for ply in asked),
    )


def _deals(outcomes: Iterable[_Outcome]) -> list[list[float]]:
    found: dict[int, list[float]] = {}
    for one in outcomes:
        found.setdefault(one.deal, []).append(one.score)
    return list(found.values())


def _share(these: Iterable[bool]) -> Estimate:
    listed = list(these)
    return wilson(sum(listed), len(listed))


async def _match(crew: Crew, engine: Engine, config: Config, game: Game, player: Player, opponent: Opponent) -> Match:
    seats = len(game.roles)
    episodes = await crew.gather(
        _one(engine, config, game, player, opponent, deal, seat)
        for deal in range(max(1, config.evaluation.games // seats))
        for seat in range(seats)
    )
    return Match(game, opponent.name, tuple(episodes))


async def _one(
    engine: Engine, config: Config, game: Game, player: Player, opponent: Opponent, deal: int, seat: int
) -> Episode:
    seats, sampling = len(game.roles), Sampling(config.games.max_tokens, config.sampler.temperature)
    others = {other: opponent for other in range(seats) if other != seat}
    seed = derive("evaluation", game.name, deal)
    return await play(engine, game, player, sampling, seed, seats * deal + seat, others, config.games.retries)
