"""One proposal: the policy writes a draft, the family's gates look at it. Every word is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from selfplay.families import Family
from selfplay.policy.engine import Engine
from selfplay.records import Proposal, Refusal, Sampling, Task
from selfplay.rollouts.ask import ask


async def propose(
    engine: Engine, family: Family, references: Sequence[Task], group: str, index: int, sampling: Sampling, style: str
) -> Proposal:
    """The proposal with either a task or the first gate's refusal. Whether a valid task is new is not asked here."""
    sampling = replace(sampling, stop=family.proposer.stop(style))
    turn = await ask(engine, family.proposer.prompt(references, style), "proposer", group, sampling)
    parents = tuple(task.id for task in references)
    read = family.proposer.read(turn.completion.text, style)
    if isinstance(read, Refusal):
        return Proposal(index, family.name, turn, parents, refusal=read)
    found = await family.verifier.examine(read)
    if isinstance(found, Refusal):
        return Proposal(index, family.name, turn, parents, draft=read, refusal=found)
    return Proposal(index, family.name, turn, parents, draft=read, task=replace(found, parents=parents))
