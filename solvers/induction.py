"""Induction: the solver sees five pairs and a message, and writes the program."""

from __future__ import annotations

from selfplay.records import Task

_EXAMPLE = """# twice the number, and one more
# f(3) == 7
# f(0) == 1
# f(10) == 21
def f(n):
    return n * 2 + 1

"""
_FENCE = "```"


class InductionSolver:
    name = "induction"

    def prompt(self, task: Task, style: str) -> str | list[dict[str, str]]:
        pairs = [line.replace(" -> ", ") == ", 1) for line in task.body["shown"].split("\n")]
        if style == "chat":
            shown = "\n".join(f"f({pair}" for pair in pairs)
            ask = "Write the Python function f that fits these examples and others like them, in one ```python block."
            return [{"role": "user", "content": f"{shown}\nHint: {task.body['message'] or 'none'}\n{ask}"}]
        shown = "".join(f"# f({pair}\n" for pair in pairs)
        return f"{_EXAMPLE}# {task.body['message']}\n{shown}def f("

    def stop(self, style: str) -> tuple[str, ...]:
        return () if style == "chat" else ("\n\n", "\ndef ", "\n#")

    def read(self, text: str, style: str) -> str | None:
        if style != "chat":
            return f"def f({text}".rstrip()
        at = text.rfind(_FENCE + "python")
        if at < 0:
            return None
        block = text[at + len(_FENCE + "python") :]
        end = block.find(_FENCE)
        return block[:end].strip("\n") if end >= 0 else None
