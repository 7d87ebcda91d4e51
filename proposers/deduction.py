"""Deduction: the proposer writes a function and an input; running it gives the output that a solver must predict.

Source: Absolute Zero (arXiv 2505.03335), section 3.1. Deviation: the completion style, a list of examples that the
model continues, because a base or a small model asked in chat form writes no valid program at all.
"""

from __future__ import annotations

from proposers.programs import read_chat, read_completion, request, stops
from selfplay.records import Brief, Draft, Refusal

CHAT = """Write one new Python function named f and one input for it, so that predicting f(input) takes careful thought.
f is deterministic, returns a value, prints nothing, imports only the standard library's pure modules, and differs from
the examples.{aim} Answer in exactly this form:
```python
def f(...):
    ...
```
```input
comma-separated arguments
```"""


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

    def prompt(self, brief: Brief, style: str) -> str | list[dict[str, str]]:
        return request(CHAT, [(task.body["code"], task.body["input"]) for task in brief.references], brief, style)

    def stop(self, style: str) -> tuple[str, ...]:
        return stops(style)

    def read(self, text: str, brief: Brief, style: str) -> Draft | Refusal:
        return read_chat(self.name, text) if style == "chat" else read_completion(self.name, text)
