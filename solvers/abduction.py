"""Abduction: the solver sees the program and what came out, and gives arguments that lead there."""

from __future__ import annotations

from selfplay.records import Draft, Task
from solvers.deduction import boxed

WORKED = (("def f(n):\n    return n * n", "3", "9"), ("def f(a, b):\n    return a + b", "'hi', '!'", "'hi!'"))


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
        shown = "".join(f"{code}\n# f(?) == {result}\n# arguments: {given}\n\n" for code, given, result in WORKED)
        return f"{shown}{code}\n# f(?) == {output}\n# arguments:"

    def worked(self) -> list[Draft]:
        """What the prompt works out, as drafts."""
        return [Draft(self.name, {"code": code, "input": given}) for code, given, _ in WORKED]

    def stop(self, style: str) -> tuple[str, ...]:
        return () if style == "chat" else ("\n",)

    def read(self, text: str, style: str) -> str | None:
        if style == "chat":
            return boxed(text)
        return text.strip() or None
