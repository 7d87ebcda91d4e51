"""What must be in the environment before torch, vLLM and their libraries are imported. Import this module first."""

from __future__ import annotations

import os
import shutil
import warnings

DEFAULTS = {
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",  # the engine lives in this process
    "VLLM_LOGGING_LEVEL": "CRITICAL",
    "VLLM_NO_USAGE_STATS": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRL_EXPERIMENTAL_SILENCE": "1",
}


def prepare() -> None:
    """Set what is not set. On a machine without an NVIDIA GPU, torch.compile is off too: vLLM would compile one function of its sampler,
    which needs a C++ compiler and 2 to 25 seconds, and runs no faster for it."""
    for key, value in DEFAULTS.items():
        os.environ.setdefault(key, value)
    if shutil.which("nvidia-smi") is None:
        os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"vllm\..*|torch\..*|transformers\..*")


prepare()
