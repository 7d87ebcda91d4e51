"""How fast are games through our protocol, beside the same game in TextArena and OpenSpiel?

Random tic-tac-toe, one process, one thread. Each figure is the best of three rounds, the libraries taken in turns, so
that ratios hold on a busy machine too. The rival's loop is the leanest that plays by its own interface: TextArena's raw
environment, with what it tells the seat to move read before every move (it writes it whether it is read or not), and
the free cells known to us, since it lists none; OpenSpiel's `legal_actions` and `apply_action`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any

import games

GAMES = 2000
ROUNDS = 3


def measure() -> dict[str, Any]:
    """Measures for a few seconds.

    plies_per_s: decisions a second through initial, legal, step, to_move and returns. observed_plies_per_s: with
    `observe` before each, as a policy needs it. vs_textarena, observed_vs_textarena, vs_open_spiel: the ratios of those
    to the rival's rate in this run; None where it is not installed, and then `notes` says so.
    """
    rivals = {"textarena": _textarena(), "open_spiel": _open_spiel()}
    contestants = {"ours": _ours(observed=False), "observed": _ours(observed=True)}
    contestants |= {name: play for name, play in rivals.items() if play}
    rates = dict.fromkeys(contestants, 0.0)
    for _ in range(ROUNDS):
        for name, play in contestants.items():
            rates[name] = max(rates[name], _rate(play))
    found: dict[str, Any] = {
        "plies_per_s": round(rates["ours"]),
        "observed_plies_per_s": round(rates["observed"]),
        "vs_textarena": _ratio(rates, "ours", "textarena"),
        "observed_vs_textarena": _ratio(rates, "observed", "textarena"),
        "vs_open_spiel": _ratio(rates, "ours", "open_spiel"),
    }
    missing = [f"{name} is not installed, so there is no ratio to it" for name, play in rivals.items() if not play]
    return found | ({"notes": missing} if missing else {})


def _rate(play: Callable[[Random], int]) -> float:
    """Decisions a second. `play` plays one game and says how many it took."""
    rng = Random(0)
    began = time.perf_counter()
    plies = sum(play(rng) for _ in range(GAMES))
    return plies / (time.perf_counter() - began)


def _ratio(rates: dict[str, float], ours: str, theirs: str) -> float | None:
    return round(rates[ours] / rates[theirs], 2) if theirs in rates else None


def _ours(observed: bool) -> Callable[[Random], int]:
    game = games.find("tic_tac_toe")

    def play(rng: Random) -> int:
        state, plies = game.initial(rng), 0
        while (seat := game.to_move(state)) is not None:
            if observed:
                game.observe(state, seat)
            state = game.step(state, rng.choice(game.legal(state) or [""]), rng)
            plies += 1
        game.returns(state)
        return plies

    return play


def _textarena() -> Callable[[Random], int] | None:
    try:
        import textarena
    except ImportError:
        return None
    env = textarena.make("TicTacToe-v0-raw")

    def play(rng: Random) -> int:
        env.reset(num_players=2)
        free, plies, done = list(range(9)), 0, False
        while not done:
            env.get_observation()
            cell = rng.choice(free)
            free.remove(cell)
            done, _ = env.step(f"[{cell}]")
            plies += 1
        env.close()
        return plies

    return play


def _open_spiel() -> Callable[[Random], int] | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("tic_tac_toe")

    def play(rng: Random) -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
        state.returns()
        return plies

    return play
