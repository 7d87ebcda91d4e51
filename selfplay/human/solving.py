"""The person as the solver of the tasks that a run set itself, graded by the verifiers that graded the policy."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from selfplay import families
from selfplay.config import load
from selfplay.errors import UserError
from selfplay.families import Family
from selfplay.human.terminal import LEAVE, Left, Terminal
from selfplay.records import Task, Verdict
from selfplay.sandboxes import Sandboxes
from selfplay.store.folder import RunFolder
from selfplay.store.reader import Reader
from selfplay.views.text import percent

SPAN = 1000
"""How many places of a run's tasks one sitting may draw from."""
STYLE = "completion"


def solving(folder: Path, terminal: Terminal, family: str | None, seed: int) -> dict[str, Any]:
    """Shows tasks that the policy was measured on, in an order that `seed` decides, until the person leaves. `run`,
    `seed`, `solved`, and `tries`: task, family, answer, verdict, gold, and the policy's attempts and correct ones.

    Raises UserError where there is no such task.
    """
    with RunFolder.open(folder).reader():
        config = load(str(folder))
    tries: list[dict[str, Any]] = []
    with Reader(folder) as reader, Sandboxes(config.sandbox, config.seed) as sandboxes:
        drawn = _drawn(reader, family, Random(seed))
        first = next(drawn, None)
        if first is None:
            of = f" of the family '{family}'" if family else ""
            raise UserError(
                f"{folder} has no active task{of} that the model was measured on, so there is none to solve."
            )
        known = families.load(config.curriculum.families, sandboxes, config.curriculum.rename)
        terminal.say(f"Tasks of {folder.name}, as the model is asked. Type the answer as it would go on; q leaves.")
        try:
            tries.append(_one(terminal, _family(known, first), first))
            for task in drawn:
                tries.append(_one(terminal, _family(known, task), task))
        except Left:
            pass
    solved = sum(one["verdict"] == Verdict.CORRECT for one in tries)
    if tries:
        correct, attempts = (sum(one[key] for one in tries) for key in ("correct", "attempts"))
        share = percent(correct, attempts)
        terminal.say("", f"You solved {solved} of {len(tries)}; of the model's tries at them {share} were right.")
    only = ["--family", family] if family else []
    again = shlex.join(["selfplay", "play", "tasks", str(folder), "--seed", str(seed), *only])
    terminal.say(f"The same tasks again: {again}")
    return {"run": folder.name, "seed": seed, "solved": solved, "tries": tries}


def _drawn(reader: Reader, family: str | None, rng: Random) -> Iterator[dict[str, Any]]:
    """Measured tasks in some order, each once. Evicted ones are left out: the truth of some holds no more."""
    count = reader.count_tasks(order="hardest", family=family)
    for place in rng.sample(range(count), min(count, SPAN)):
        for task in reader.tasks(limit=1, offset=place, order="hardest", family=family):
            if task["evicted"] is None:
                yield task


def _family(known: dict[str, Family], task: dict[str, Any]) -> Family:
    if task["family"] not in known:
        raise UserError(f"The recipe of this run has no family '{task['family']}', so nobody can judge its tasks.")
    return known[task["family"]]


def _one(terminal: Terminal, family: Family, stored: dict[str, Any]) -> dict[str, Any]:
    task = Task(stored["id"], stored["family"], stored["body"], stored["gold"], stored["step"])
    prompt = family.solver.prompt(task, STYLE)
    assert isinstance(prompt, str)
    terminal.say("", f"task {task.id[:12]}, {task.family}, made in step {task.step}", "", *_block(prompt), "")
    lines = "\n" not in family.solver.stop(STYLE)
    answer = family.solver.read(_typed(terminal, prompt, lines), STYLE)
    (verdict,) = asyncio.run(family.verifier.judge(task, [answer]))
    terminal.say(*([f"{verdict}."] if verdict == Verdict.CORRECT else [f"{verdict}; right is:", *_block(task.gold)]))
    terminal.say(f"The model solved it in {stored['correct']} of {stored['attempts']} tries.")
    facts = {"task": task.id, "family": task.family, "answer": answer, "verdict": str(verdict), "gold": task.gold}
    return facts | {"attempts": stored["attempts"], "correct": stored["correct"]}


def _typed(terminal: Terminal, prompt: str, lines: bool) -> str:
    """What goes on after the prompt: a line, or `lines` up to an empty one. Its last words, typed once more, do not
    count."""
    first = terminal.ask("Your answer, ended by an empty line: " if lines else "Your answer: ")
    if first.strip().casefold() in LEAVE:
        raise Left
    typed = [first]
    while lines and typed[-1].strip():
        typed.append(terminal.ask(""))
    begun = prompt.rsplit("\n", 1)[-1]
    text = "\n".join(typed)
    return text.removeprefix(begun) if begun.strip() else text


def _block(text: str) -> list[str]:
    return ["  │ " + line for line in text.split("\n")]
