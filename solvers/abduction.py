"""Abduction: the solver sees the program and what came out, and gives arguments that lead there."""

from __future__ import annotations

from selfplay.records import Task
from solvers.deduction import boxed


class AbductionSolver:
    """The completion style asks for the result first (`# f(?) == 9`), and then for the arguments as a literal list."""

    name = "abduction"

    def prompt(self, task: Task, style: str) -> str | list[dict[str, str]]:
        code, output = task.body["code"], task.body["output"]
        if style == "chat":
            ask = (
                "Find arguments for f that give exactly this result. Think step by step, then put the arguments, "
                "comma-separated literals, in \\boxed{}."
            )
            return [{"role": "user", "content": f"```python\n{code}\n```\nResult: {output}\n{ask}"}]
        shown = (
            "def f(n):\n    return n * n\n# f(?) == 9\n# arguments: 3\n\n"
            "def f(text, end):\n    return text + end\n# f(?, ?) == 'hi!'\n# arguments: 'hi', '!'\n\n"
        )
        return f"{shown}{code}\n# f(?) == {output}\n# arguments:"

    def stop(self, style: str) -> tuple[str, ...]:
        return () if style == "chat" else ("\n",)

    def read(self, text: str, style: str) -> str | None:
        if style == "chat":
            return boxed(text)
        return text.strip() or None
