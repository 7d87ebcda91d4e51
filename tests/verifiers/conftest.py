from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from verifiers.sandbox import Sandbox, open_sandbox

settings.register_profile("verifiers", deadline=None)
settings.load_profile("verifiers")


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """One sandbox for all tests that do not break it on purpose: that so many programs leave it whole is a claim."""
    with open_sandbox(servers=2) as box:
        yield box
