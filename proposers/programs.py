"""What the families that are made of a function and an input have in common: examples in, a draft out."""

from __future__ import annotations

from collections.abc import Sequence

from selfplay.records import Brief, Directive, Draft, Refusal

_PYTHON, _INPUT, _FENCE = "```python", "```input", "```"


def request(chat: str, shown: Sequence[tuple[str, str]], brief: Brief, style: str) -> str | list[dict[str, str]]:
    """The prompt of a family that is asked for a function and an input; `chat` has a place for its `aim`."""
    if style != "chat":
        return completion(shown, brief.directive)
    aim = f" It should be one {brief.directive.text}." if brief.directive else ""
    return [{"role": "user", "content": f"{chat.format(aim=aim)}\n\nExamples:\n{examples(shown)}"}]


def stops(style: str) -> tuple[str, ...]:
    return () if style == "chat" else ("\n\n", "\ndef ")


def completion(shown: Sequence[tuple[str, str]], directive: Directive | None) -> str:
    """A list of (function, input) examples that the model continues."""
    aim = f" {directive.text}" if directive else ""
    listed = "".join(f"{code}\n# input: {given}\n\n" for code, given in shown)
    return f"# Different Python functions{aim}, each with an input.\n\n{listed}def f("


def examples(shown: Sequence[tuple[str, str]]) -> str:
    """The same for a chat."""
    return "\n\n".join(f"```python\n{code}\n```\n```input\n{given}\n```" for code, given in shown)


def read_completion(family: str, text: str) -> Draft | Refusal:
    """What follows `def f(`: the function up to its line `# input:`."""
    code, mark, given = ("def f(" + text).partition("\n# input:")
    if not mark:
        return Refusal("parse", "no line '# input:' follows the function")
    return Draft(family, {"code": code.strip("\n"), "input": given.split("\n")[0].strip()})


def read_chat(family: str, text: str) -> Draft | Refusal:
    """The first python block that is followed by an input block."""
    code = block(text, _PYTHON)
    given = block(text[text.find(_PYTHON) :], _INPUT) if code is not None else None
    if code is None or given is None:
        return Refusal("parse", "the answer does not hold a python block and an input block")
    return Draft(family, {"code": code.strip("\n"), "input": given.strip()})


def block(text: str, opening: str) -> str | None:
    """What stands between the first `opening` fence and the fence after it."""
    _, mark, rest = text.partition(opening)
    inside, end, _ = rest.partition(_FENCE)
    return inside if mark and end else None
