"""One proposal: the policy writes a draft, the family's gates look at it. Every word is kept."""

from __future__ import annotations

from dataclasses import replace

from selfplay.clock import Clock
from selfplay.families import Family
from selfplay.policy.engine import Engine
from selfplay.records import Brief, Proposal, Refusal, Sampling
from selfplay.rollouts.ask import ask


async def propose(
    engine: Engine,
    family: Family,
    brief: Brief,
    group: str,
    index: int,
    sampling: Sampling,
    style: str,
    clock: Clock | None = None,
) -> Proposal:
    """The proposal with either a task or the first gate's refusal. Whether a valid task is new is not asked here."""
    sampling = replace(sampling, stop=family.proposer.stop(style))
    turn = await ask(engine, family.proposer.prompt(brief, style), "proposer", group, sampling)
    parents = tuple(dict.fromkeys(task.id for task in (*brief.references, brief.source) if task is not None))
    proposal = Proposal(index, family.name, turn, parents, directive=brief.directive)
    read = family.proposer.read(turn.completion.text, brief, style)
    if isinstance(read, Refusal):
        return replace(proposal, refusal=read)
    with clock or Clock():
        found = await family.verifier.examine(read)
    if isinstance(found, Refusal):
        return replace(proposal, draft=read, refusal=found)
    return replace(proposal, draft=read, task=replace(found, parents=parents))
