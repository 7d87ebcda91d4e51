"""A Llama with random weights and a character tokenizer, made on the spot: a policy that knows nothing at all.

Weights, tokenizer and configuration are written directly, without torch, in a fraction of a second. numpy's generator
draws the weights (normal, standard deviation 0.02 unless the name says another; norms are 1; the output head is 0, so
the first policy is uniform), so a seed means the same bits on every machine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from selfplay.errors import WrongCall
from selfplay.models import cache, characters

HEAD = 32  # the smallest head size of vLLM's attention on CPUs
CONTEXT = 2048
STD = 0.02


@dataclass(frozen=True, slots=True)
class Shape:
    """Layers and width (a multiple of 32), and the standard deviation of the first weights. The default has 1.8M
    parameters. What a transformer's usual deviation is to wide models, width ** -0.5 is to narrow ones: with 0.02 their
    attention begins all but blind to position, and is slow to find it."""

    layers: int = 4
    width: int = 192
    deviation: float = STD

    @classmethod
    def read(cls, text: str) -> Shape:
        """`6x256` means 6 layers of width 256; `6x256@0.06`, that the first weights deviate by 0.06. Raises
        `WrongCall`."""
        found = re.fullmatch(r"(\d{1,3})x(\d{1,5})(?:@(0\.\d{1,4}))?", text)
        shape = cls(int(found[1]), int(found[2]), float(found[3] or STD)) if found else cls(0, 0)
        if shape.layers < 1 or shape.width < HEAD or shape.width % HEAD or not shape.deviation:
            raise WrongCall(
                f"`scratch:{text}` is no shape: write layers x width, the width a multiple of {HEAD}, "
                "as in `scratch:4x192`, and the first weights' deviation if you like, as in `scratch:4x192@0.07`."
            )
        return shape

    @property
    def hidden(self) -> int:
        """Width inside the feed-forward layers: 8/3 of the width, rounded up to a multiple of 64."""
        return -(-self.width * 8 // (3 * 64)) * 64

    def tensors(self) -> dict[str, tuple[int, ...]]:
        """The name and shape of every weight, as transformers' Llama names them; the output head is not tied."""
        width, hidden = self.width, self.hidden
        shapes: dict[str, tuple[int, ...]] = {"model.embed_tokens.weight": (characters.SIZE, width)}
        for layer in range(self.layers):
            at = f"model.layers.{layer}"
            shapes[f"{at}.input_layernorm.weight"] = (width,)
            shapes |= {f"{at}.self_attn.{name}_proj.weight": (width, width) for name in "qkvo"}
            shapes[f"{at}.post_attention_layernorm.weight"] = (width,)
            shapes |= {f"{at}.mlp.{name}_proj.weight": (hidden, width) for name in ("gate", "up")}
            shapes[f"{at}.mlp.down_proj.weight"] = (width, hidden)
        return shapes | {"model.norm.weight": (width,), "lm_head.weight": (characters.SIZE, width)}


def make(shape: Shape, seed: int) -> Path:
    """The cached folder of the model with this shape and seed, made when it is not there yet."""
    if seed < 0:
        raise WrongCall(f"The seed is {seed}: give a number that is not negative.")
    first = "" if shape.deviation == STD else f"-{shape.deviation:g}"
    name = f"scratch-uniform-{shape.layers}x{shape.width}{first}-seed{seed}"
    return cache.once(name, lambda folder: write(folder, shape, seed, uniform=True))


def write(folder: Path, shape: Shape, seed: int, uniform: bool = False) -> None:
    """Write config, weights (fp32) and tokenizer to `folder`; `uniform`: with an output head of zeros."""
    import numpy as np
    from safetensors.numpy import save_file

    rng = np.random.default_rng(seed)
    deviation = np.float32(shape.deviation)
    weights = {
        name: np.ones(size, np.float32) if len(size) == 1 else rng.standard_normal(size, np.float32) * deviation
        for name, size in shape.tensors().items()
    }
    if uniform:
        weights["lm_head.weight"][:] = 0
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    _json(folder / "config.json", config(shape))
    ends = {"bos_token_id": None, "eos_token_id": characters.EOS, "pad_token_id": characters.PAD}
    _json(folder / "generation_config.json", ends)
    characters.write(folder, CONTEXT)


def config(shape: Shape) -> dict[str, object]:
    """The configuration as transformers writes it."""
    heads = shape.width // HEAD
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "attention_bias": False,
        "attention_dropout": 0.0,
        "bos_token_id": None,
        "dtype": "float32",
        "eos_token_id": characters.EOS,
        "head_dim": HEAD,
        "hidden_act": "silu",
        "hidden_size": shape.width,
        "initializer_range": shape.deviation,
        "intermediate_size": shape.hidden,
        "max_position_embeddings": CONTEXT,
        "mlp_bias": False,
        "num_attention_heads": heads,
        "num_hidden_layers": shape.layers,
        "num_key_value_heads": heads,
        "pad_token_id": characters.PAD,
        "rms_norm_eps": 1e-5,
        "rope_parameters": {"rope_theta": 10000.0, "rope_type": "default"},
        "tie_word_embeddings": False,
        "use_cache": True,
        "vocab_size": characters.SIZE,
    }


def _json(path: Path, data: Mapping[str, object]) -> None:
    path.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
