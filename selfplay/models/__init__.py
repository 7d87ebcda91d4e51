"""Where a policy's weights come from: a name in, a folder that transformers and vLLM can load out.

Sources: `embedded` (a small pretrained model that comes in a package), `scratch` (random weights, made on the spot from
a seed; `scratch:6x256` sets layers and width), a local folder, or a name on the Hugging Face hub. Importing this module
loads nothing heavy, and a model that is already cached is found without loading anything either.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from selfplay.errors import UserError, WrongCall

NAMED = ("embedded", "scratch")
WAY_OUT = "use `--model.source embedded` for the model that comes with the engine"


def resolve(source: str, seed: int = 0) -> Path:
    """The folder that holds the model called `source`: config, safetensors and tokenizer.

    `seed` matters to `scratch` alone: the same seed gives the same weights, bit for bit. Raises `UserError` with one
    sentence and a way out when the model cannot be had.
    """
    name, _, shape = source.partition(":")
    if name == "scratch":
        from selfplay.models import scratch

        return scratch.make(scratch.Shape.read(shape) if shape else scratch.Shape(), seed)
    if source == "embedded":
        from selfplay.models import embedded

        return embedded.fetch()
    path = Path(source).expanduser()
    if path.exists():
        return _local(path)
    if re.fullmatch(r"[\w-][\w.-]*/[\w-][\w.-]*", source):
        from selfplay.models import hub

        return _local(hub.fetch(source))
    near = difflib.get_close_matches(source, NAMED, n=1)
    hint = f"did you mean `{near[0]}`?" if near else f"give a folder, a hub name such as `owner/model`, or {WAY_OUT}"
    raise WrongCall(f"There is no model `{source}`: {hint}")


def _local(path: Path) -> Path:
    """`path`, if it is a folder with a configuration and weights in it."""
    if not path.is_dir():
        raise UserError(
            f"{path} holds no model (it is a file): give the folder that has its config.json, or {WAY_OUT}."
        )
    if not (path / "config.json").is_file():
        raise UserError(f"{path} holds no model (no config.json): give the folder that has it, or {WAY_OUT}.")
    if not any(next(path.glob(pattern), None) for pattern in ("*.safetensors", "pytorch_model*.bin")):
        raise UserError(f"{path} holds no model (config.json, but no weights): give a complete folder, or {WAY_OUT}.")
    return path.resolve()
