"""Deduction: the solver sees the program and the input and says what comes out, as a Python literal."""

from __future__ import annotations

from selfplay.records import Draft, Task

WORKED = (("def f(n):\n    return n * n", "3", "9"), ("def f(text):\n    return text + '!'", "'hi'", "'hi!'"))
EXAMPLES = "".join(f"{code}\nassert f({given}) == {result}\n\n" for code, given, result in WORKED)


class DeductionSolver:
    name = "deduction"

    def prompt(self, task: Task, style: str) -> str | list[dict[str, str]]:
        if style == "chat":
            ask = "What does the last line return? Think step by step, then put the value, a literal, in \\boxed{}."
            return [
                {"role": "user", "content": f"```python\n{task.body['code']}\n\nf({task.body['input']})\n```\n{ask}"}
            ]
        return f"{EXAMPLES}{task.body['code']}\nassert f({task.body['input']}) =="

    def worked(self) -> list[Draft]:
        """What the prompt works out, as drafts."""
        return [Draft(self.name, {"code": code, "input": given}) for code, given, _ in WORKED]

    def stop(self, style: str) -> tuple[str, ...]:
        return () if style == "chat" else ("\n",)

    def read(self, text: str, style: str) -> str | None:
        if style == "chat":
            return boxed(text)
        return text.strip() or None


def boxed(text: str) -> str | None:
    """What stands in the last `\\boxed{…}`, braces balanced; None where there is none."""
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    depth, begin = 0, start + len("\\boxed")
    for place in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[begin + 1 : place].strip() or None
    return None
