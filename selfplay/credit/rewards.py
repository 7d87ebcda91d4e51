"""What each turn earned, before any baseline."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from games import Game
from selfplay.config import RewardConfig
from selfplay.records import Attempt, End, Episode, Proposal, Turn, Verdict

Owner: TypeAlias = tuple[str, int, int]
"""(`proposal` | `attempt` | `episode`, index, ply)."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One turn with its reward. family: whose rewards are of one kind, a family of tasks or a game and seat. deal: the
    seed of its game."""

    owner: Owner
    turn: Turn
    reward: float
    family: str = ""
    legal: bool = True
    deal: int | None = None


def rewards(
    config: RewardConfig,
    games: Mapping[str, Game],
    proposals: Sequence[Proposal],
    attempts: Sequence[Attempt],
    episodes: Sequence[Episode],
    learnability: Mapping[str, float],
) -> list[Scored]:
    """All turns that are trained on. A game that ended by an invalid move trains the offender's turns alone (a seat
    learns nothing of the game from someone else's blunder), unless the recipe says what its legal moves are worth.
    Returns are divided by the game's largest utility, so that every role's rewards are of one size.
    """
    earned = task_rewards(config, attempts, learnability)
    typical = sum(earned.values()) / len(earned) if earned else config.valid
    scored = [
        Scored(("proposal", p.index, 0), p.turn, proposal_reward(config, p, earned, typical), p.family)
        for p in proposals
    ]
    scored += [Scored(("attempt", a.index, 0), a.turn, attempt_reward(config, a.verdict), a.family) for a in attempts]
    for episode in episodes:
        least, _ = games[episode.game].utility_range
        scale = max(map(abs, games[episode.game].utility_range))
        for place, ply in enumerate(episode.plies):
            legal, cut = ply.action is not None, episode.end is End.INVALID
            if ply.turn is None or (cut and ply.seat != episode.offender and config.cut_short is None):
                continue
            worth = episode.returns[ply.seat] / scale
            if not legal:  # worth the least, even where a retry went on to win
                worth = least / scale
            elif cut and config.cut_short is not None:
                worth = config.cut_short
            owner = ("episode", episode.index, place)
            scored.append(Scored(owner, ply.turn, worth, f"{episode.game}/{ply.seat}", legal, episode.seed))
    return scored


def task_rewards(
    config: RewardConfig, attempts: Sequence[Attempt], learnability: Mapping[str, float]
) -> dict[str, float]:
    """What each measured task is worth to whoever proposes it. Whether it is at one of the `ends` is a matter of this
    step's attempts, luck included."""
    verdicts: dict[str, set[bool]] = defaultdict(set)
    for attempt in attempts:
        verdicts[attempt.task_id].add(attempt.verdict is Verdict.CORRECT)
    return {
        task_id: config.ends
        if config.ends is not None and len(verdicts[task_id]) == 1
        else config.valid + config.learnability * worth
        for task_id, worth in learnability.items()
    }


def proposal_reward(config: RewardConfig, proposal: Proposal, earned: Mapping[str, float], typical: float) -> float:
    """Refused, repeated, or new and worth what its task earned. A new task that nobody had time to attempt is worth
    what is `typical`: which ones are attempted depends on who was ready first, and being short must not pay."""
    if proposal.task is None:
        return config.repeat if proposal.refusal and proposal.refusal.gate == "novelty" else config.refused
    return earned.get(proposal.task.id, typical)


def attempt_reward(config: RewardConfig, verdict: Verdict) -> float:
    return {Verdict.CORRECT: config.correct, Verdict.UNPARSED: config.unparsed}.get(verdict, config.wrong)
