"""Induction: the proposer is shown a function from the bank and writes ten inputs for it and a message, from which a
solver that sees half of the pairs must find the function.

Source: Absolute Zero (arXiv 2505.03335), section 3.1.
"""

from __future__ import annotations

from proposers.programs import block, stops
from selfplay.records import Brief, Draft, Refusal, Task

CHAT = """```python
{code}
```
Write ten different inputs for this function that show what it does, one a line, and a short message that helps to find
the function from some of its inputs and outputs without giving it away.{aim} Answer in exactly this form:
```inputs
comma-separated arguments of the first call
comma-separated arguments of the second call
...
```
```message
one line
```"""


class InductionProposer:
    name = "induction"
    sources = ("deduction", "abduction", "induction")

    def seeds(self) -> list[Draft]:
        """Two functions of one line each, with ten inputs."""
        return [
            self._draft(
                "def f(n):\n    return n * 2 + 1", "3; 0; 10; -4; 7; 1; 25; 100; -9; 12", "a line through numbers"
            ),
            self._draft(
                "def f(text):\n    return text[::-1]",
                "'stone'; 'ab'; 'river'; 'x1'; 'hello'; 'sun'; 'key'; 'paper'; 'no'; 'mat'",
                "look at the text from the other side",
            ),
        ]

    def prompt(self, brief: Brief, style: str) -> str | list[dict[str, str]]:
        code = program(brief.source) if brief.source else self.seeds()[0].body["code"]
        if style == "chat":
            aim = f" Aim for one {brief.directive.text}." if brief.directive else ""
            return [{"role": "user", "content": CHAT.format(code=code, aim=aim)}]
        aim = f" {brief.directive.text}" if brief.directive else ""
        shown = "".join(
            f"{task.gold}\n# inputs: {'; '.join(_inputs(task))}\n# message: {task.body['message']}\n\n"
            for task in brief.references
        )
        return f"# Python functions{aim}, each with ten inputs and a message.\n\n{shown}{code}\n# inputs:"

    def stop(self, style: str) -> tuple[str, ...]:
        return stops(style)

    def read(self, text: str, brief: Brief, style: str) -> Draft | Refusal:
        code = program(brief.source) if brief.source else self.seeds()[0].body["code"]
        if style == "chat":
            inputs, message = block(text, "```inputs"), block(text, "```message")
            if inputs is None or message is None:
                return Refusal("parse", "the answer does not hold an inputs block and a message block")
            return Draft(self.name, {"code": code, "inputs": inputs.strip("\n"), "message": message.strip()})
        inputs, mark, message = text.partition("\n# message:")
        if not mark:
            return Refusal("parse", "no line '# message:' follows the inputs")
        return self._draft(code, inputs, message.split("\n")[0].strip())

    def _draft(self, code: str, inputs: str, message: str) -> Draft:
        lines = "\n".join(part.strip() for part in inputs.split(";"))
        return Draft(self.name, {"code": code, "inputs": lines, "message": message})


def program(task: Task) -> str:
    """The program that a task of any family of programs is about."""
    return task.body.get("code") or task.gold


def _inputs(task: Task) -> list[str]:
    lines = f"{task.body['shown']}\n{task.body['hidden']}".split("\n")
    return [line.rpartition(" -> ")[0] for line in lines]
