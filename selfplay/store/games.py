"""The reader's questions about games: a page of them, one with all its plies, and what else was said in its place."""

from __future__ import annotations

import math
from typing import Any, Unpack

from selfplay.errors import WrongCall
from selfplay.store import filters
from selfplay.store.filters import GameFilter
from selfplay.store.packing import unpack_logprobs
from selfplay.store.queries import _Queries

_EPISODE = "id, step, idx, game, seed, opponents, returns, plies, end, offender"


class Episodes(_Queries):
    def episodes(self, limit: int = 20, offset: int = 0, **only: Unpack[GameFilter]) -> list[dict[str, Any]]:
        """One page, newest first, without plies."""
        where = filters.of_games(only)
        rest = f"FROM episodes {where.text} ORDER BY id DESC LIMIT ? OFFSET ?"
        return self._dicts(_EPISODE, rest, *where.values, limit, offset)

    def count_episodes(self, **only: Unpack[GameFilter]) -> int:
        """How many `episodes` would list in all."""
        where = filters.of_games(only)
        return self._rows(f"SELECT count(*) FROM episodes {where.text}", *where.values)[0][0]

    def kinds_of_games(self) -> dict[str, list[str]]:
        """`game` and `end`: every value that a game of the run has there."""
        return {
            column: [value for (value,) in self._rows(f"SELECT DISTINCT {column} FROM episodes ORDER BY 1")]
            for column in ("game", "end")
        }

    def episode(self, id: int) -> dict[str, Any]:
        """One game with its `plies`, each with its `turn` (None for a scripted opponent). UserError: no such
        episode."""
        found = self._dicts(_EPISODE, "FROM episodes WHERE id = ?", id)
        if not found:
            first, last = self._rows("SELECT min(id), max(id) FROM episodes")[0]
            known = f"it has episodes {first} to {last}" if last else "no game was played in it"
            raise WrongCall(f"Episode {id} is not in this run; {known}.")
        columns = "ply, seat, observation, legal, action"
        plies = self._dicts(columns, "FROM plies WHERE episode = ? ORDER BY ply", id)
        return found[0] | {"plies": [ply | {"turn": self.turn("episode", id, ply["ply"])} for ply in plies]}

    def said_here(self, episode: int, ply: int) -> list[dict[str, Any]]:
        """What the same policy answered to the very same prompt in the same step, by the move it named.

        `action` (None: no legal one), `times` it was sampled, and `probability`: that of all distinct completions that
        were seen to name it, from their stored log-probabilities, so at least this much. The most probable first.
        Empty where no policy was asked.
        """
        rows = self._rows(_SAID, episode, ply)
        known: dict[str | None, dict[bytes, float]] = {}
        times: dict[str | None, int] = {}
        for action, ids, logprobs in rows:
            known.setdefault(action, {})[ids] = math.exp(math.fsum(self._parsed(unpack_logprobs, logprobs)))
            times[action] = times.get(action, 0) + 1
        moves = [
            {"action": action, "times": times[action], "probability": min(math.fsum(said.values()), 1.0)}
            for action, said in known.items()
        ]
        return sorted(moves, key=lambda move: -move["probability"])


_SAID = """
SELECT plies.action, t.ids, t.logprobs
FROM turns mine
JOIN turns t ON t.step = mine.step AND t.kind = 'episode' AND t.prompt = mine.prompt AND t.version = mine.version
JOIN plies ON plies.episode = t.owner AND plies.ply = t.idx
WHERE mine.kind = 'episode' AND mine.owner = ? AND mine.idx = ?"""
