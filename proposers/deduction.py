"""Deduction: the proposer writes a function and an input; running it gives the output that a solver must predict.

Source: Absolute Zero (arXiv 2505.03335), section 3.1. Deviation: the completion style, a list of examples that the
model continues, because a base or a small model asked in chat form writes no valid program at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from selfplay.records import Draft, Refusal, Task

CHAT = """Write one new Python function named f and one input for it, so that predicting f(input) takes careful thought.
f is deterministic, returns a value, prints nothing, imports only the standard library's pure modules, and differs from
the examples. Answer in exactly this form:
```python
def f(...):
    ...
```
```input
comma-separated arguments
```"""

FENCES = re.compile(r"```python\s*\n(.*?)```.*?```input\s*\n(.*?)```", re.DOTALL)


class DeductionProposer:
    name = "deduction"

    def seeds(self) -> list[Draft]:
        """Three programs of one line each, so that a small model sees that functions, types and inputs differ."""
        pairs = [
            ("def f(n):\n    return n * 2 + 1", "7"),
            ("def f(text):\n    return text[::-1]", "'stone'"),
            ("def f(items):\n    return [x for x in items if x > 3]", "[5, 1, 4]"),
        ]
        return [Draft(self.name, {"code": code, "input": given}) for code, given in pairs]

    def prompt(self, references: Sequence[Task], style: str) -> str | list[dict[str, str]]:
        if style == "chat":
            shown = "\n\n".join(
                f"```python\n{t.body['code']}\n```\n```input\n{t.body['input']}\n```" for t in references
            )
            return [{"role": "user", "content": f"{CHAT}\n\nExamples:\n{shown}"}]
        shown = "".join(f"{task.body['code']}\n# input: {task.body['input']}\n\n" for task in references)
        return f"# Different Python functions, each with an input.\n\n{shown}def f("

    def stop(self, style: str) -> tuple[str, ...]:
        return () if style == "chat" else ("\n\n", "\ndef ")

    def read(self, text: str, style: str) -> Draft | Refusal:
        if style == "chat":
            found = FENCES.search(text)
            if not found:
                return Refusal("parse", "the answer does not hold a python block and an input block")
            code, given = found.group(1), found.group(2)
        else:
            code, mark, given = ("def f(" + text).partition("\n# input:")
            if not mark:
                return Refusal("parse", "no line '# input:' follows the function")
            given = given.split("\n")[0]
        return Draft(self.name, {"code": code.strip("\n"), "input": given.strip()})
