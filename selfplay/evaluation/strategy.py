"""The policy's own probabilities over the legal actions of a whole small game, and what a best response wins against
them."""

from __future__ import annotations

import math

from games import Game
from games.exploitability import InfoState, exploitability, information_states
from selfplay.policy.engine import Engine
from selfplay.rollouts.ask import encode
from selfplay.rollouts.crew import Crew
from solvers.player import Player


async def measure(crew: Crew, engine: Engine, game: Game, player: Player) -> dict[str, float]:
    """`GAME/exploitability`, of the policy renormalised over legal actions, and `GAME/legal_mass`, the mean probability
    that it gives to them at all.

    At temperature 1, without sampling. Each action is scored by its plainest words (`Player.write`): one forward pass
    an information state where these are one token each (labels), one an action otherwise. A policy that says the same
    move in other words has a smaller mass than it plays with.
    """
    found = information_states(game)
    rows = await crew.gather(_row(crew, engine, game, player, info) for info in found)
    policy = {
        info.key: {action: p / sum(row) for action, p in zip(info.legal, row, strict=True)}
        for info, row in zip(found, rows, strict=True)
    }
    return {
        f"{game.name}/exploitability": exploitability(game, policy),
        f"{game.name}/legal_mass": sum(map(sum, rows)) / len(rows),
    }


async def _row(crew: Crew, engine: Engine, game: Game, player: Player, info: InfoState) -> list[float]:
    words = [
        engine.tokenizer.encode(player.write(action, info.legal), add_special_tokens=False) for action in info.legal
    ]
    shown = player.shown(game, info.state, info.seat, info.observation)
    asked = player.prompt(game, info.seat, shown, info.legal)
    _, prompt = encode(engine, asked, max(map(len, words)))
    if all(len(ids) == 1 for ids in words):
        scores = list(await engine.choose(prompt, [ids[0] for ids in words]))
    else:
        scores = [sum(logprobs) for logprobs in await crew.gather(engine.score(prompt, ids) for ids in words)]
    return [max(math.exp(score), 1e-30) for score in scores]
