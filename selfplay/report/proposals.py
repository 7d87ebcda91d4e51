"""What became of the proposals: how many got how far, which gate refused the rest, and an example of each refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from selfplay.report.texts import clip
from selfplay.store.digest import STAGES, in_gate_order, total
from selfplay.store.reader import Reader

MEANS = {
    "parse": "its words hold nothing that can be read as a task of the family",
    "size": "too long, or too many or too few parts",
    "safety": "the program uses what the sandbox does not allow",
    "run": "the program failed when it was run",
    "budget": "it needs more time or memory than it may",
    "value": "its result cannot be an answer",
    "determinism": "its result differs from one run to the next",
    "consistent": "no answer satisfies it",
    "unique": "several answers satisfy it",
    "trivial": "the answer does not depend on the question, or is given with it",
    "sandbox": "the sandbox could give no verdict",
    "novelty": "a valid task that was proposed before, by what it is or by what it does",
    "curriculum": "new, and not wanted by the curriculum",
    "quota": "new, and beyond the step's quota",
}


def funnel(reader: Reader, groups: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """`total` by stage; `stages`: stage → a count a group; `refusals` by gate; `by_gate`: gate → a count a group;
    `examples` by gate. None when nothing was proposed."""
    whole = total({"funnel": group["funnel"], "refusals": group["refusals"]} for group in groups)
    if not whole["funnel"]["proposed"]:
        return None
    gates = in_gate_order(whole["refusals"])
    return {
        "total": whole["funnel"],
        "stages": {stage: [group["funnel"][stage] for group in groups] for stage in STAGES},
        "refusals": gates,
        "by_gate": {gate: [group["refusals"].get(gate, 0) for group in groups] for gate in gates},
        "means": {gate: MEANS.get(gate, "a gate of the family's own") for gate in gates},
        "examples": {gate: _example(found) for gate in gates if (found := reader.last_refusal(gate))},
    }


def _example(proposal: Mapping[str, Any]) -> dict[str, Any]:
    turn, draft = proposal["turn"], proposal["draft"]
    return {
        "step": proposal["step"],
        "family": proposal["family"],
        "why": clip(proposal["detail"] or "", 400),
        "asked": clip((proposal["directive"] or {}).get("text") or "", 200),
        "read_as": {name: clip(text) for name, text in draft["body"].items()} if draft else {},
        "words": clip(turn["text"]) if turn else "",
    }
