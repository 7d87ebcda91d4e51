"""A small synthetic run through the real writer, from hand-made records: what the tests of store, views and verbs
open."""

from __future__ import annotations

import json
import random
from pathlib import Path

from selfplay.records import (
    Attempt,
    Completion,
    Draft,
    End,
    Episode,
    Event,
    Ply,
    Proposal,
    Refusal,
    Sample,
    StepRecord,
    Stop,
    Task,
    Turn,
    Verdict,
)
from selfplay.store.folder import RunFolder

HOSTILE = (
    "\x1b[31mred\x1b[0m [bold red]loud[/] \x07bell \x1b]0;title\x07 \u202ereversed \x9b2J "
    "<script>alert(1)</script> \x00 \r over"
)
GATES = (None, "parse", "safety", "run", "novelty", "curriculum", None, "determinism")
BEFORE = {
    "proposer/valid_rate": 0.1, "solver/solve_rate": 0.2, "player/legal_rate": 0.4,
    "player/score_vs_random": 0.45, "kuhn_poker/exploitability": 0.46,
}  # fmt: skip
AFTER = {
    "proposer/valid_rate": 0.5, "solver/solve_rate": 0.3, "player/legal_rate": 0.9,
    "player/score_vs_random": 0.55, "kuhn_poker/exploitability": 0.2,
}  # fmt: skip


def turn(role: str, group: str, prompt: str, text: str, version: int = 0) -> Turn:
    ids = tuple(text.encode("utf-8", "backslashreplace"))
    said = Completion(ids, tuple(-0.25 * (i % 5) for i in range(len(ids))), text, Stop.STOP, version)
    return Turn(role, group, prompt, tuple(prompt.encode()), said)


def task(step: int, index: int, parents: tuple[str, ...] = ()) -> Task:
    body = {"program": f"def f(n):\n    return n * {step} + {index}", "input": str(index)}
    return Task(f"{step:03d}{index:03d}c0ffee", "deduction", body, str(index * step + index), step, parents)


def proposal(step: int, index: int, gate: str | None, text: str, parents: tuple[str, ...] = ()) -> Proposal:
    said = turn("proposer", "deduction", f"Write a program, step {step}.", text, step - 1)
    draft = None if gate == "parse" else Draft("deduction", {"program": text})
    if gate is None:
        return Proposal(index, "deduction", said, parents, draft, task=task(step, index, parents))
    return Proposal(index, "deduction", said, parents, draft, refusal=Refusal(gate, f"refused by {gate}"))


def attempts(step: int, tasks: list[Task], solved: list[int], tries: int = 4) -> list[Attempt]:
    """`solved[i]` of the tries at task i are right."""
    made = []
    for one, right in zip(tasks, solved, strict=True):
        for k in range(tries):
            answer, verdict = (one.gold, Verdict.CORRECT) if k < right else ("-1", Verdict.WRONG)
            said = turn("solver", one.id, f"What is f({one.body['input']})?", f" {answer}", step - 1)
            made.append(Attempt(one.id, one.family, len(made), said, answer, verdict))
    return made


def episode(step: int, index: int, legal_end: bool = True) -> Episode:
    first = Ply(
        0,
        "You hold the king.",
        ("check", "bet"),
        "bet",
        turn("player", "kuhn_poker/0", "You hold the king.", "[bet]", step - 1),
    )
    second = Ply(1, "You hold the queen. They bet.", ("fold", "call"), "fold", None)
    if legal_end:
        return Episode(
            index, "kuhn_poker", 2**63 + index, ("policy", "random"), (first, second), (1.0, -1.0), End.FINISHED
        )
    said = turn("player", "kuhn_poker/0", "You hold the king.", HOSTILE, step - 1)
    wild = Ply(0, "You hold the king.", ("check", "bet"), None, said)
    return Episode(index, "kuhn_poker", index, ("policy", "policy"), (wild,), (-2.0, 2.0), End.INVALID, offender=0)


def record(step: int, proposals: int = 8, rng: random.Random | None = None) -> StepRecord:
    """Eight proposals by default: two admitted, one refused by each other gate of GATES; the last text is hostile."""
    rng = rng or random.Random(step)
    parents = (task(step - 1, 0).id,) if step > 1 else ()
    made = [
        proposal(
            step, i, GATES[i % len(GATES)], HOSTILE if i == 7 else f"def f(n):\n    return {rng.random()}", parents
        )
        for i in range(proposals)
    ]
    tasks = [p.task for p in made if p.task is not None]
    replayed = [task(step - 1, 0)] if step > 1 else []
    solved = [i % 5 for i in range(len(tasks))] + [2 for _ in replayed]
    tries = attempts(step, tasks + replayed, solved)
    games = [episode(step, 0), episode(step, 1, legal_end=False)]
    samples = {("proposal", p.index, 0): Sample(p.turn, float(p.task is not None), 0.5) for p in made}
    samples |= {("attempt", a.index, 0): Sample(a.turn, float(a.verdict == Verdict.CORRECT), -0.25) for a in tries}
    return StepRecord(
        step=step,
        proposals=tuple(made),
        tasks=tuple(tasks),
        attempts=tuple(tries),
        episodes=tuple(games),
        samples=samples | {("episode", 0, 0): Sample(games[0].plies[0].turn, 1.0, 0.75)},
        learnability={t.id: 0.1 * step for t in tasks + replayed},
        metrics={
            "proposer/reward/mean": 0.1 * step, "solver/solve_rate/mean": 0.3, "player/legal/rate": 0.5,
            "loss/nan": float("nan"), "policy/parity/max": 0.1, "policy/parity/mean": 0.01,
        },
        seconds={"propose": 2.0, "solve": 1.0, "play": 0.5, "train": 3.0, "publish": 0.25},
        events=(Event("alarm", "entropy fell", {"value": 0.1}),) if step == 2 else (),
    )  # fmt: skip


def run(root: Path, steps: int = 3, name: str = "made", evaluated: bool = True) -> RunFolder:
    """A finished run under `root`, its lock released."""
    config = json.dumps({"name": name, "steps": steps, "seed": 7})
    folder = RunFolder.create(root, name, config, {"seed": 7, "argv": ["selfplay", "run", name], "started": 1.0})
    with folder.writer() as writer:
        if evaluated:
            writer.evaluation("before", 0, BEFORE, seconds=1.5)
        for step in range(1, steps + 1):
            writer.commit(record(step))
        if evaluated:
            writer.evaluation("after", steps, AFTER, seconds=1.5)
        writer.event(Event("finished", "the run reached its last step"), steps)
    folder.release()
    return folder
