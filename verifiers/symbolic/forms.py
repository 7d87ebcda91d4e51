"""The kinds of problem: how each is written, and what its answer is. Its truth is in `kinds/<name>.py`.

A problem is one line: a head and a body with a colon between.

    solve x: x^2 - 5x + 6 = 0               integrate x from 0 to 2: x^2
    system x, y: x + y = 5; x - y = 1       mod 7: 3^100

The head is the kind's name, then letters, then places: a word and a number for each.
"""

from __future__ import annotations

from dataclasses import dataclass

from verifiers.symbolic.formula import FUNCTIONS

_RATIONAL = frozenset(["add", "mul", "neg", "inverse"])
_WHOLE = _RATIONAL | {"pow", "factorial", "abs", "floor", "ceil", "gcd"}
_REAL = _RATIONAL | {"constant", "pow", "sqrt", "root"} | (FUNCTIONS - {"floor", "ceil", "gcd", "exp", "log"})


@dataclass(frozen=True)
class Form:
    """One kind's form.

    example: a problem of the kind. asks: what the answer is, for a reader. answer: `written` (one rational number,
    written out, so that the question is no answer), `value` (any formula of the same value), `set` (of values) or
    `tuple` (one value a letter). letters: least and most. places: the words in the head that a number follows, in
    order; those of `optional` may all be missing. whole: places are whole numbers. infinite: places may be `oo`.
    body: `formula`, `equation`, `equations`, `numbers` or `condition`. words: the operations allowed in the body.
    """

    example: str
    asks: str
    answer: str = "value"
    letters: tuple[int, int] = (1, 1)
    places: tuple[str, ...] = ()
    optional: bool = False
    whole: bool = False
    infinite: bool = False
    body: str = "formula"
    words: frozenset[str] = _REAL


_SPAN = ("from", "to")

FORMS: dict[str, Form] = {
    "compute": Form("compute: 12*7 - 5/3", "the value, as one number", "written", (0, 0), words=_WHOLE),
    "gcd": Form(
        "gcd: 84, 36", "the greatest common divisor", "written", (0, 0), body="numbers", words=_WHOLE - {"inverse"}
    ),
    "lcm": Form(
        "lcm: 12, 18", "the least common multiple", "written", (0, 0), body="numbers", words=_WHOLE - {"inverse"}
    ),
    "mod": Form(
        "mod 7: 3^100",
        "the remainder on division by the modulus",
        "written",
        (0, 0),
        ("",),
        whole=True,
        words=frozenset(["add", "mul", "neg", "pow", "factorial"]),
    ),
    "count": Form(
        "count n from 1 to 100: n mod 6 = 0",
        "how many whole numbers in the range, ends included, meet the condition",
        "written",
        places=_SPAN,
        whole=True,
        body="condition",
        words=_WHOLE,
    ),
    "sum": Form(
        "sum k from 1 to 10: k^2",
        "the sum of the terms, ends included",
        "written",
        places=_SPAN,
        whole=True,
        words=_WHOLE,
    ),
    "product": Form(
        "product k from 2 to 6: k - 1/k",
        "the product of the factors, ends included",
        "written",
        places=_SPAN,
        whole=True,
        words=_WHOLE,
    ),
    "solve": Form("solve x: x^2 - 5x + 6 = 0", "all real solutions, as a set", "set", body="equation"),
    "system": Form(
        "system x, y: x + y = 5; x - y = 1",
        "the one solution, its numbers in the order of the letters, in round brackets",
        "tuple",
        (2, 4),
        body="equations",
        words=_RATIONAL,
    ),
    "derive": Form(
        "derive x at 3: x^3 - 2x", "the derivative, at the place where one is given", places=("at",), optional=True
    ),
    "integrate": Form("integrate x from 0 to 2: x^2", "the integral", places=_SPAN, infinite=True),
    "limit": Form("limit x to 0: sin(x)/x", "the limit", places=("to",), infinite=True),
    "maximum": Form("maximum x from 0 to 3: 6x - x^2", "the greatest value of the formula in the range", places=_SPAN),
    "minimum": Form("minimum x from 0 to 4: x^3 - 3x", "the least value of the formula in the range", places=_SPAN),
}
