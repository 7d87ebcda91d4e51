"""What the guest's interpreter is started with: the harness, as one text, so that it needs no file of the host."""

from __future__ import annotations

from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = ("verifiers", "verifiers.zygote", "verifiers.wasi")
_MODULES = (  # each after those that it imports
    "verifiers.codec", "verifiers.zygote.wire", "verifiers.zygote.surroundings", "verifiers.zygote.program",
    "verifiers.wasi.guest",
)  # fmt: skip

_LOADER = """
import sys
for name, text in {texts!r}.items():
    module = sys.modules[name] = type(sys)(name)
    parent, _, leaf = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], leaf, module)
    exec(compile(text, name, "exec", dont_inherit=True), vars(module))
from verifiers.wasi.guest import begin
begin({modules!r}, {weak!r}, {seed!r})
"""


def command(modules: tuple[str, ...], weak: bool, seed: int) -> list[bytes]:
    """The arguments of the guest's interpreter."""
    texts = dict.fromkeys(_PACKAGES, "")
    texts |= {name: (_ROOT / name.replace(".", "/")).with_suffix(".py").read_text("utf-8") for name in _MODULES}
    script = _LOADER.format(texts=texts, modules=modules, weak=weak, seed=seed)
    return [b"python", b"-sSBP", b"-c", script.encode()]
