"""The fixed measures of one model, with a sampler and no trainer."""

from __future__ import annotations

import asyncio

from selfplay.config import Config
from selfplay.evaluation.measures import evaluate
from selfplay.parts import Rules, model_folder
from selfplay.quiet import hushed


def evaluate_alone(config: Config) -> dict[str, float]:
    """What `evaluate` finds for the model that the recipe names. Raises UserError as assembling a run does."""
    rules = Rules.assemble(config)
    try:
        folder = model_folder(config)
        with hushed():
            from selfplay.policy import open_engine

            engine = open_engine(folder, config.sampler, config.seed, config.deterministic)
        try:
            return asyncio.run(evaluate(engine, config, rules.families, rules.games, rules.solved, rules.player))
        finally:
            engine.close()
    finally:
        rules.close()
