from __future__ import annotations

from collections.abc import Iterator

import pytest

from verifiers.sandbox import Sandbox, open_sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """One sandbox for all tests that do not break it on purpose: that many programs leave it whole is part of the claim."""
    with open_sandbox(servers=2) as box:
        yield box
