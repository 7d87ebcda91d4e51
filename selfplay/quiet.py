"""What must be in the environment before torch, vLLM and their libraries are imported. Import this module first."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

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
    """Set what is not set. On a machine without an NVIDIA GPU, torch.compile is off too: vLLM would compile one
    function of its sampler, which needs a C++ compiler and 2 to 25 seconds, and runs no faster for it."""
    for key, value in DEFAULTS.items():
        os.environ.setdefault(key, value)
    if shutil.which("nvidia-smi") is None:
        os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")
    elif "LOCAL_RANK" not in os.environ:
        os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0")  # one process, one GPU; more need a launcher
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"vllm\..*|torch\..*|transformers\..*")


@contextmanager
def hushed() -> Iterator[None]:
    """Libraries that greet on stderr, from C++ too, are heard only if what they do fails."""
    sys.stderr.flush()
    kept = os.dup(2)
    with tempfile.TemporaryFile() as said:
        os.dup2(said.fileno(), 2)
        try:
            yield
        except BaseException:
            sys.stderr.flush()
            said.seek(0)
            os.write(kept, said.read())
            raise
        finally:
            sys.stderr.flush()
            os.dup2(kept, 2)
            os.close(kept)


prepare()
