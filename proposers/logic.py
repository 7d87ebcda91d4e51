"""Logic: the proposer writes a puzzle in the short form of its kind; the search finds out whether it has one answer.

The kind is the theme that the directive names, else that of the last reference, so that a small model need not choose
one and a task to be varied keeps its own.
"""

from __future__ import annotations

import functools
import random

from proposers.programs import block
from selfplay.records import Brief, Draft, Refusal
from verifiers.puzzles import KINDS, generate

CHAT = """Write one new logic puzzle of the kind `{kind}` with exactly one answer, such that finding it takes careful
thought.{aim} {rules}
Part the clauses by semicolons and differ from the examples. Answer with one block in exactly this form:
```puzzle
{kind}: {form}
```"""

_FENCE = "```puzzle"
_SHOWN = 4
_SEED_LEVELS = (1, 1, 2)


class LogicProposer:
    name = "logic"

    def seeds(self) -> list[Draft]:
        """Three easy puzzles a kind from the reference generators, the same ones always."""
        return [Draft(self.name, {"kind": kind, "puzzle": puzzle}) for kind in KINDS for puzzle in _seeds(kind)]

    def heldout(self, count: int) -> list[Draft]:
        """`count` puzzles for the fixed evaluation, the kinds in turn, from easy to middling."""
        rng, kinds = random.Random(1), list(KINDS)
        picks = [(kinds[place % len(kinds)], 1 + place // len(kinds) % 3) for place in range(count)]
        return [Draft(self.name, {"kind": kind, "puzzle": generate(kind, rng, level)}) for kind, level in picks]

    def prompt(self, brief: Brief, style: str) -> str | list[dict[str, str]]:
        """The references of one kind, after as many of its seeds as make a list; in a chat, all references."""
        kind = _kind(brief)
        shown = [f"{task.body['kind']}: {task.body['puzzle']}" for task in brief.references]
        alike = [line for line in shown if line.startswith(f"{kind}:")]
        if style != "chat" or not alike:
            shown = list(dict.fromkeys([*(f"{kind}: {puzzle}" for puzzle in _seeds(kind)), *alike]))[-_SHOWN:]
        if style == "chat":
            aim = f" It should be one {brief.directive.text}." if brief.directive else ""
            asked = CHAT.format(kind=kind, aim=aim, rules=KINDS[kind].rules, form=KINDS[kind].form)
            listed = "\n\n".join(f"{_FENCE}\n{puzzle}\n```" for puzzle in shown)
            return [{"role": "user", "content": f"{asked}\n\nExamples:\n{listed}"}]
        aim = f" {brief.directive.text}" if brief.directive else ""
        listed = "".join(f"{puzzle}\n" for puzzle in shown)
        return f"# Different logic puzzles{aim}, each with exactly one answer.\n\n{listed}{kind}:"

    def stop(self, style: str) -> tuple[str, ...]:
        return () if style == "chat" else ("\n",)

    def read(self, text: str, brief: Brief, style: str) -> Draft | Refusal:
        """The rest of the line; in a chat, the first puzzle block, whose kind goes without saying."""
        kind = _kind(brief)
        if style != "chat":
            puzzle = text.split("\n")[0].strip()
            return (
                Draft(self.name, {"kind": kind, "puzzle": puzzle}) if puzzle else Refusal("parse", "no puzzle follows")
            )
        inside = block(text, _FENCE)
        if inside is None:
            return Refusal("parse", "the answer does not hold a puzzle block")
        head, mark, rest = inside.strip().partition(":")
        named = mark and head.strip() in KINDS
        body = {"kind": head.strip(), "puzzle": rest.strip()} if named else {"kind": kind, "puzzle": inside.strip()}
        return Draft(self.name, body)


def _kind(brief: Brief) -> str:
    theme = brief.directive.theme if brief.directive else None
    if theme in KINDS:
        return str(theme)
    return brief.references[-1].body["kind"] if brief.references else next(iter(KINDS))


@functools.cache
def _seeds(kind: str) -> tuple[str, ...]:
    rng = random.Random(0)
    return tuple(generate(kind, rng, level) for level in _SEED_LEVELS)
