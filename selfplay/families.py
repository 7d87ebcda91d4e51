"""A family of tasks: its proposer, its solver and its verifier, found by name. Adding one touches no engine file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from selfplay import plugins
from selfplay.errors import UserError
from selfplay.records import Refusal, Task

if TYPE_CHECKING:
    from proposers import Proposer
    from solvers import Solver
    from verifiers import Verifier
    from verifiers.sandbox import Sandbox


@dataclass(frozen=True)
class Family:
    name: str
    proposer: Proposer
    solver: Solver
    verifier: Verifier

    async def seeds(self) -> list[Task]:
        """The tasks that the very first references are drawn from: the proposer's seed drafts, through the same gates
        as any other."""
        found = [await self.verifier.examine(draft) for draft in self.proposer.seeds()]
        for task in found:
            if isinstance(task, Refusal):
                raise UserError(
                    f"A seed of the family '{self.name}' is refused by its own gate '{task.gate}': {task.detail}"
                )
        return [task for task in found if isinstance(task, Task)]


def load(names: Sequence[str], sandbox: Sandbox) -> dict[str, Family]:
    """The families called `names`. Raises UserError where a part of one is missing."""
    return {
        name: Family(
            name,
            plugins.find("proposers", name, "proposers")(),
            plugins.find("solvers", name, "solvers")(),
            plugins.find("verifiers", name, "verifiers")(sandbox),
        )
        for name in names
    }
