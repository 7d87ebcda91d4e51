"""Mathematics: the solver sees the problem's line and gives its answer, in a formula."""

from __future__ import annotations

from selfplay.records import Task
from solvers.deduction import boxed
from verifiers.symbolic.forms import FORMS

EXAMPLES = "solve x: x^2 = 9\nanswer: {-3, 3}\n\nsum k from 1 to 4: k\nanswer: 10\n\n"


class MathSolver:
    name = "math"

    def prompt(self, task: Task, style: str) -> str | list[dict[str, str]]:
        problem = task.body["problem"]
        if style == "chat":
            asks = FORMS[problem.split()[0].rstrip(":")].asks
            ask = f"Give {asks}. Think step by step, then put the exact answer in \\boxed{{}}."
            return [{"role": "user", "content": f"{problem}\n{ask}"}]
        return f"{EXAMPLES}{problem}\nanswer:"

    def stop(self, style: str) -> tuple[str, ...]:
        return () if style == "chat" else ("\n",)

    def read(self, text: str, style: str) -> str | None:
        if style == "chat":
            return boxed(text)
        return text.strip() or None
