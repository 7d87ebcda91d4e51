"""Abduction: the proposer writes a function and an input, as for deduction; running it gives the output from which a
solver must find an input again.

Source: Absolute Zero (arXiv 2505.03335), section 3.1.
"""

from __future__ import annotations

from proposers.programs import read_chat, read_completion, request, stops
from selfplay.records import Brief, Draft, Refusal

CHAT = """Write one new Python function named f and one input for it, so that finding an input again takes careful
thought when only the function and its result are shown. f is deterministic, returns a value, prints nothing, imports
only the standard library's pure modules, and differs from the examples.{aim} Answer in exactly this form:
```python
def f(...):
    ...
```
```input
comma-separated arguments
```"""


class AbductionProposer:
    name = "abduction"

    def seeds(self) -> list[Draft]:
        """Three programs of one line each, whose inputs can be found again."""
        pairs = [
            ("def f(n):\n    return n * 3 - 1", "4"),
            ("def f(text):\n    return text.upper() + '!'", "'sun'"),
            ("def f(items):\n    return [x + 1 for x in items]", "[2, 7]"),
        ]
        return [Draft(self.name, {"code": code, "input": given}) for code, given in pairs]

    def prompt(self, brief: Brief, style: str) -> str | list[dict[str, str]]:
        return request(CHAT, [(task.body["code"], task.gold) for task in brief.references], brief, style)

    def stop(self, style: str) -> tuple[str, ...]:
        return stops(style)

    def read(self, text: str, brief: Brief, style: str) -> Draft | Refusal:
        return read_chat(self.name, text) if style == "chat" else read_completion(self.name, text)
