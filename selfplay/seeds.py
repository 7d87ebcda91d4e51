"""Seeds by name: every random choice of a run has its own, whatever else was drawn before it."""

from __future__ import annotations

import hashlib
from random import Random


def derive(*parts: object) -> int:
    """A 62-bit seed from anything with a stable text: `derive(run_seed, step, "proposal", index)`."""
    digest = hashlib.blake2b("\x1f".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 2


def rng(*parts: object) -> Random:
    """A generator of its own, seeded by name."""
    return Random(derive(*parts))
