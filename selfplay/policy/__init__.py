"""The policy engine: who turns prompts into completions, and where published weights arrive.

`open_engine` is the one door; it imports an engine's libraries only when that engine is asked for.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from selfplay.errors import WrongCall

if TYPE_CHECKING:
    from selfplay.config import SamplerConfig
    from selfplay.policy.engine import Engine


def open_engine(model: Path, config: SamplerConfig, seed: int, deterministic: bool = False) -> Engine:
    """The engine `config.engine` names, loaded with the weights in the folder `model`."""
    if config.engine == "vllm":
        from selfplay.policy.vllm import VLLMEngine

        return VLLMEngine(model, config, seed, deterministic)
    if config.engine == "transformers":
        from selfplay.policy.transformers import TransformersEngine

        return TransformersEngine(model, config, seed, deterministic)
    raise WrongCall(f"There is no policy engine '{config.engine}': sampler.engine is 'vllm' or 'transformers'.")
