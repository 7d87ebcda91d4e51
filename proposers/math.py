"""Mathematics: the proposer writes one line, a problem in a short form, and sympy derives the answer.

    solve x: x^2 - 5x + 6 = 0
    mod 7: 3^100

The completion style is a list of such lines that a base model continues. Where the directive's theme is a kind of
problem, the line to continue begins with that kind's name, which counts as part of the proposal.
"""

from __future__ import annotations

from proposers.programs import block
from selfplay.records import Brief, Draft, Refusal
from verifiers.symbolic.forms import FORMS

CHAT = """Write one new mathematics problem, on one line, in one of these forms:
{forms}
It has one exact answer, takes several steps to solve, and differs from the examples.{aim} Formulas may use + - * / ^,
brackets, sqrt, abs, pi, e, ln, sin, cos, tan and arctan; in count, sum, compute and gcd whole numbers and !, mod, gcd,
floor and ceil. Put the problem alone in a block of this form:
```problem
solve x: ...
```"""

_FENCE = "```problem"
_LINE = "problem:"


class MathProposer:
    name = "math"

    def seeds(self) -> list[Draft]:
        """One problem a kind: the example of its form."""
        return [self._draft(form.example) for form in FORMS.values()]

    def prompt(self, brief: Brief, style: str) -> str | list[dict[str, str]]:
        shown = [task.body["problem"] for task in brief.references]
        aim = brief.directive.text if brief.directive else ""
        if style == "chat":
            forms = "\n".join(form.example for form in FORMS.values())
            examples = "\n".join(f"{_FENCE}\n{problem}\n```" for problem in shown)
            aimed = f" It should be one {aim}." if aim else ""
            return [{"role": "user", "content": f"{CHAT.format(forms=forms, aim=aimed)}\n\nExamples:\n{examples}"}]
        header = f"Different mathematics problems {aim}".strip()
        listed = "".join(f"{_LINE} {problem}\n" for problem in shown)
        return f"{header}, one a line.\n\n{listed}{_LINE}{_opening(brief)}"

    def stop(self, style: str) -> tuple[str, ...]:
        return () if style == "chat" else ("\n",)

    def read(self, text: str, brief: Brief, style: str) -> Draft | Refusal:
        if style != "chat":
            line = (_opening(brief) + text).split("\n")[0].strip()
            return self._draft(line) if line else Refusal("parse", "The line is empty.")
        inside = block(text, _FENCE)
        if not inside or not inside.strip():
            return Refusal("parse", "The answer does not hold a problem block.")
        return self._draft(" ".join(inside.split()))

    def _draft(self, problem: str) -> Draft:
        return Draft(self.name, {"problem": problem})


def _opening(brief: Brief) -> str:
    """What the line to continue begins with: the kind that the directive asks for, if it does."""
    theme = brief.directive.theme if brief.directive else None
    return f" {theme}" if theme in FORMS else ""
