"""Mathematics: the proposer writes one line, a problem in a short form, and sympy derives the answer.

    solve x: x^2 - 5x + 6 = 0
    mod 7: 3^100

The completion style is a list of lines of one kind that a base model continues: the kind is the theme that the
directive names, else that of the last reference. The line to continue begins with the kind's name, which counts as part
of the proposal.
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
_SHOWN = 4
_MORE = (
    "compute: 3 + 4*5", "compute: (8 - 2)/4 + 7", "gcd: 30, 45", "gcd: 91, 35", "lcm: 4, 10", "lcm: 9, 15",
    "mod 5: 2^10", "mod 9: 7*8 + 3", "count n from 1 to 50: n mod 7 = 2", "count n from 1 to 30: n^2 > 200",
    "sum k from 1 to 20: 2k + 1", "sum k from 3 to 8: k^2 - k", "product k from 1 to 4: k + 2",
    "product k from 2 to 5: 3k - 1", "solve x: 3x - 7 = 11", "solve x: x^2 + x = 12",
    "system x, y: 2x + y = 8; x - 2y = -1", "system a, b: a + 3b = 11; 2a - b = 1", "derive x at 2: x^4 - x",
    "derive x at 1: 5x^2 + 3x", "integrate x from 1 to 3: 2x + 1", "integrate x from 0 to 1: x^3 - x",
    "limit x to 2: (x^2 - 4)/(x - 2)", "limit x to oo: (3x + 1)/(x - 5)", "maximum x from 0 to 5: 4x - x^2",
    "maximum x from -1 to 2: x^3 - x", "minimum x from -3 to 3: x^2 + 2x", "minimum x from 1 to 4: x + 4/x",
)  # fmt: skip


class MathProposer:
    name = "math"

    def seeds(self) -> list[Draft]:
        """Three problems a kind, the example of its form among them. A prompt is filled up with them, and what it shows
        must be known to the bank."""
        return [self._draft(problem) for kind in FORMS for problem in _seeds(kind)]

    def heldout(self, count: int) -> list[Draft]:
        """`count` small problems for the fixed evaluation, one a kind in turn."""
        return [self._draft(problem) for problem in _HELDOUT[:count]]

    def prompt(self, brief: Brief, style: str) -> str | list[dict[str, str]]:
        shown = [task.body["problem"] for task in brief.references]
        aim = brief.directive.text if brief.directive else ""
        if style == "chat":
            forms = "\n".join(form.example for form in FORMS.values())
            examples = "\n".join(f"{_FENCE}\n{problem}\n```" for problem in shown)
            aimed = f" It should be one {aim}." if aim else ""
            return [{"role": "user", "content": f"{CHAT.format(forms=forms, aim=aimed)}\n\nExamples:\n{examples}"}]
        kind = _kind(brief)
        header = f"# Different mathematics problems {aim}".strip()
        alike = list(dict.fromkeys([*_seeds(kind), *(p for p in shown if kind_of(p) == kind)]))[-_SHOWN:]
        listed = "".join(f"{problem}\n" for problem in alike)
        return f"{header}, one a line.\n\n{listed}{kind}"

    def stop(self, style: str) -> tuple[str, ...]:
        return () if style == "chat" else ("\n",)

    def read(self, text: str, brief: Brief, style: str) -> Draft | Refusal:
        if style != "chat":
            line = text.split("\n")[0].rstrip()
            return self._draft(_kind(brief) + line) if line else Refusal("parse", "The line is empty.")
        inside = block(text, _FENCE)
        if not inside or not inside.strip():
            return Refusal("parse", "The answer does not hold a problem block.")
        return self._draft(" ".join(inside.split()))

    def _draft(self, problem: str) -> Draft:
        return Draft(self.name, {"problem": problem})


def kind_of(problem: str) -> str:
    """The first word, which names the kind."""
    return problem.replace(":", " ").split()[0]


def _kind(brief: Brief) -> str:
    theme = brief.directive.theme if brief.directive else None
    if theme in FORMS:
        return str(theme)
    return kind_of(brief.references[-1].body["problem"]) if brief.references else next(iter(FORMS))


def _seeds(kind: str) -> list[str]:
    return [FORMS[kind].example, *(problem for problem in _MORE if kind_of(problem) == kind)]


_HELDOUT = (
    "compute: 6*7 + 8", "solve x: 2x + 3 = 17", "sum k from 1 to 6: k", "gcd: 24, 18", "mod 6: 5*5",
    "derive x at 3: x^2", "count n from 1 to 20: n mod 5 = 0", "lcm: 6, 8", "integrate x from 0 to 3: 2x",
    "product k from 1 to 4: k", "maximum x from 0 to 6: x - 2", "system x, y: x + y = 9; x - y = 3",
    "limit x to 0: (x^2 + 3x)/x", "minimum x from 0 to 3: x^2 - 2x", "compute: 100 - 7*9", "solve x: x^2 = 49",
    "sum k from 2 to 5: 3k", "gcd: 35, 50", "mod 10: 3^4", "derive x at 1: 4x^3", "count n from 1 to 15: n > 9",
    "lcm: 5, 7", "integrate x from 0 to 2: 3x^2", "compute: (9 + 6)/5",
)  # fmt: skip
