"""How strong players are, on one scale, from the games they played against each other.

Bradley–Terry's model in Elo's units: a player d points ahead is expected to take 1 / (1 + 10^(-d/400)) of the points; a
draw is half a point to each. Fitted by maximum likelihood under a weak prior (normal, 800 points wide), which keeps a
player who won every game, and players who never met, finite.

Intervals come from the curvature of the likelihood at its top. Where results do not fit any scale (A beats B beats C
beats A), the covariance is multiplied by the dispersion (deviance over degrees of freedom, where that is above 1), as
in quasi-likelihood: the cycle gets equal players and wide intervals, not sure ones. Draws, and the two games of one
deal with seats swapped, vary less than the model takes them to, so with them the intervals are cautious.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from selfplay.evaluation.estimate import Estimate, Z

UNIT = 400 / math.log(10)  # Elo points in one unit of log-odds
PRIOR = 800 / UNIT


def rate(points: ArrayLike) -> list[Estimate]:
    """One rating a player, in Elo points above the first (whose own is 0), with the interval of that difference.

    points: (players, players); points[i][j] is what i took from j, 1 for a win and 0.5 for a draw, so that points[i][j]
    + points[j][i] is the number of their games. The diagonal is ignored. Raises ValueError for what is no such matrix.
    """
    taken = np.array(points, dtype=float)
    if taken.ndim != 2 or len(taken) != len(taken.T) or not np.isfinite(taken).all() or (taken < 0).any():
        raise ValueError(f"points must be a square matrix of numbers from 0 on, and this one has shape {taken.shape}")
    np.fill_diagonal(taken, 0)
    games = taken + taken.T
    strength = _fit(taken, games)
    expected = _expected(strength)
    covariance = np.linalg.inv(_curvature(games, expected)) * _dispersion(taken, games, expected)
    spread = np.diag(covariance) + covariance[0, 0] - 2 * covariance[0]
    elo = (strength - strength[0]) * UNIT
    half = Z * UNIT * np.sqrt(np.maximum(spread, 0))
    return [Estimate(float(at), float(at - by), float(at + by)) for at, by in zip(elo, half, strict=True)]


def _fit(taken: np.ndarray, games: np.ndarray) -> np.ndarray:
    """(players,): the log-odds strengths at the top of the posterior, which is concave: Newton's steps, halved while
    they do not climb."""
    strength = np.zeros(len(taken))
    height = _height(strength, taken)
    for _ in range(100):
        expected = _expected(strength)
        slope = (taken - games * expected).sum(1) - strength / PRIOR**2
        step = np.linalg.solve(_curvature(games, expected), slope)
        while (climbed := _height(strength + step, taken)) < height and np.abs(step).max() > 1e-9:
            step = step / 2
        strength, height = strength + step, climbed
        if np.abs(step).max() < 1e-9:
            break
    return strength


def _height(strength: np.ndarray, taken: np.ndarray) -> float:
    """The log-posterior, up to a constant."""
    ahead = strength[:, None] - strength[None]
    return float(-(taken * np.logaddexp(0, -ahead)).sum() - (strength**2).sum() / (2 * PRIOR**2))


def _curvature(games: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """(players, players): minus the second derivative of the log-posterior."""
    weight = games * expected * (1 - expected)
    return np.diag(weight.sum(1) + 1 / PRIOR**2) - weight


def _expected(strength: np.ndarray) -> np.ndarray:
    """(players, players): the share of points that each is expected to take from each."""
    return 1 / (1 + np.exp(strength[None] - strength[:, None]))


def _dispersion(taken: np.ndarray, games: np.ndarray, expected: np.ndarray) -> float:
    """How much more the results stray from the fitted scale than chance explains: the deviance of all pairs over its
    degrees of freedom; at least 1."""
    pairs = int(np.triu(games > 0, 1).sum())
    freedom = pairs - (len(taken) - 1)
    if freedom < 1:
        return 1.0
    share = np.divide(taken, games, out=expected.copy(), where=games > 0)
    scored = share > 0
    return max(1.0, float(2 * (taken[scored] * np.log(share[scored] / expected[scored])).sum()) / freedom)
