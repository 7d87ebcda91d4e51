"""Logic: the solver sees the rules of the kind and the puzzle, and gives a value to every name."""

from __future__ import annotations

import re

from selfplay.records import Task
from solvers.deduction import boxed
from verifiers.puzzles import KINDS

_TEXT = re.compile(r"\\text\{([^{}]*)\}")


class LogicSolver:
    name = "logic"

    def prompt(self, task: Task, style: str) -> str | list[dict[str, str]]:
        kind, puzzle = task.body["kind"], task.body["puzzle"]
        rules, examples = KINDS[kind].rules, KINDS[kind].examples
        if style == "chat":
            ask = f"Think step by step, then put the answer in \\boxed{{}}, in this form: {examples[0][1]}"
            return [{"role": "user", "content": f"{rules}\n\nPuzzle: {puzzle}\n\n{ask}"}]
        shown = "".join(f"Puzzle: {example}\nAnswer: {answer}\n\n" for example, answer in examples)
        return f"{rules}\n\n{shown}Puzzle: {puzzle}\nAnswer:"

    def stop(self, style: str) -> tuple[str, ...]:
        return () if style == "chat" else ("\n",)

    def read(self, text: str, style: str) -> str | None:
        """In a chat, what the last box holds, out of any `\\text{…}`."""
        if style == "chat":
            held = boxed(text)
            return held and (_TEXT.sub(r"\1", held).strip() or None)
        return text.strip() or None
