"""A family of tasks: its proposer, its solver and its verifier, found by name. Adding one touches no engine file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from selfplay import plugins
from selfplay.errors import UserError
from selfplay.records import Refusal, Task
from selfplay.sandboxes import Sandboxes

if TYPE_CHECKING:
    from proposers import Proposer
    from solvers import Solver
    from verifiers import Verifier


@dataclass(frozen=True)
class Family:
    name: str
    proposer: Proposer
    solver: Solver
    verifier: Verifier

    @property
    def themes(self) -> tuple[str, ...]:
        return tuple(getattr(self.verifier, "themes", ()))

    @property
    def sources(self) -> tuple[str, ...]:
        """The families from whose tasks a proposer of this one is given a program."""
        return tuple(getattr(self.proposer, "sources", ()))

    def guess(self, task: Task) -> float:
        """The rate at which a blind guess is right, as far as the verifier knows."""
        known = getattr(self.verifier, "guess", None)
        return known(task) if known else 0.0

    def normal(self, answer: str | None) -> str | None:
        """The answer in the one spelling that all of its meaning share, as far as the verifier knows one."""
        known = getattr(self.verifier, "normal", None)
        return known(answer) if known and answer is not None else answer

    def renamed(self, task: Task) -> Task | None:
        """The task with neutral names in its program; None in a family without any."""
        known = getattr(self.verifier, "renamed", None)
        return known(task) if known else None

    async def recheck(self, task: Task) -> Refusal | None:
        """Does the truth of an admitted task still hold? None where it does, or where nothing can be run again."""
        again = getattr(self.verifier, "recheck", None)
        return await again(task) if again else None

    async def worked(self) -> list[Task]:
        """What the solver's prompt works out: a task of the bank must be none of these, its answer would be there."""
        own = getattr(self.solver, "worked", None)
        found = [await self.verifier.examine(draft) for draft in own()] if own else []
        return [task for task in found if isinstance(task, Task)]

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


def load(names: Sequence[str], sandboxes: Sandboxes, rename: bool = False) -> dict[str, Family]:
    """The families called `names`, by their own names. A name is that of three files in `proposers`, `solvers` and
    `verifiers`, or one `file.py` with the classes `Proposer`, `Solver` and `Verifier`. `rename` goes to the verifiers
    that can give the names in a program neutral ones. Raises UserError where a part is missing."""
    found: dict[str, Family] = {}
    for name in names:
        parts: Sequence[Any] = [
            plugins.find(kind, f"{name}:{part}" if name.endswith(".py") else name, kind)
            for kind, part in (("proposers", "Proposer"), ("solvers", "Solver"), ("verifiers", "Verifier"))
        ]
        proposer, solver, verifier = parts
        box = sandboxes.open(getattr(verifier, "modules", ()))
        truth = verifier(box, rename=rename) if getattr(verifier, "renames", False) else verifier(box)
        family = Family(truth.name, proposer(), solver(), truth)
        if family.name in found:
            raise UserError(f"Two families of the recipe are both called '{family.name}': rename one.")
        found[family.name] = family
    return found
