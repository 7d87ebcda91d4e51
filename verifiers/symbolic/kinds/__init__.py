"""The truth of each kind of problem: one file a kind, named for it, with three functions that run in the sandbox.

    trivial(problem) -> str | None      why the answer can be read off the question, in one sentence
    answer(problem) -> expression(s)    sympy's answer: one expression, or a list where the form says `set` or `tuple`
    confirm(problem, gold) -> bool      whether the gold's tree is right, found a second way

`confirm` starts from the problem's own trees and from the gold as it will be read again, and does not pass through
sympy's algebra. All three may raise `Refused`; `confirm` may raise `Undefined`, which counts as a no.
"""

from __future__ import annotations


class Refused(Exception):
    """A gate said no, with one sentence for a reader."""

    def __init__(self, gate: str, detail: str) -> None:
        super().__init__(gate, detail)
        self.gate = gate
        self.detail = detail
