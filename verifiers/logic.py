"""Logic: a puzzle with exactly one answer is shown, the answer is asked.

After LogicEvolve: each kind of puzzle is a generator, a solver and a validator, and a puzzle passes gates before it is
admitted. The proposer writes the puzzle itself, in a short form that each kind reads (`verifiers.puzzles`); the
generators make its first examples and are the reference that measurements compare with.

Two ways to the truth, with no code in common beyond the reading of the text: the search finds the answer, proves that
it is the only one, and counts the steps; an answer is judged by looking at every clause. Nothing is executed.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from selfplay.records import Draft, Refusal, Task, Verdict
from verifiers.identity import digest, task_id
from verifiers.puzzles import KINDS
from verifiers.puzzles.kind import NODES, BadPuzzle, Puzzle


class Logic:
    """`verifiers.Verifier` for the family `logic`.

    A draft's body holds `kind` and `puzzle`. A task's body holds the same two, the puzzle in normal form, and `cost`:
    the values struck out by propagation and the values tried until the answer was found and proved. Not the nodes of a
    search without lookahead: their number hangs on the order of the names more than twice as much. Its gold is the
    canonical text of the answer.

    nodes: the search budget; `recheck` has four times as many.
    """

    name = "logic"
    modules = None
    themes = tuple(KINDS)

    def __init__(self, sandbox: object = None, nodes: int = NODES) -> None:
        self.nodes = nodes

    async def examine(self, draft: Draft) -> Task | Refusal:
        """The gates in order: parse, size, budget, consistent, unique, trivial."""
        kind = draft.body.get("kind", "")
        if kind not in KINDS:
            return Refusal("parse", f"There is no kind of puzzle called `{kind[:40]}`; there are: {', '.join(KINDS)}.")
        try:
            puzzle = KINDS[kind].parse(draft.body.get("puzzle", "")).normal()
        except BadPuzzle as error:
            return Refusal(error.gate, str(error))
        solved = puzzle.solve(self.nodes)
        if not solved.complete:
            return Refusal("budget", f"The search needs over {self.nodes} nodes.")
        if not solved.answers:
            return Refusal("consistent", "No answer satisfies all clauses.")
        if len(solved.answers) > 1:
            first, second = map(puzzle.say, solved.answers)
            return Refusal("unique", f"Both `{first}` and `{second}` satisfy all clauses.")
        if not solved.inferred:
            return Refusal("trivial", "Nothing is to be inferred: the clauses say outright all that follows from them.")
        (answer,) = solved.answers
        if not puzzle.holds(answer):
            return Refusal("consistent", "The search and the check of its answer disagree, so neither is believed.")
        body = {"kind": kind, "puzzle": puzzle.text(), "cost": str(solved.cost)}
        gold = puzzle.say(answer)
        identities = _identities(puzzle)
        if not _shown(kind).isdisjoint(identities):
            return Refusal("trivial", "The solver is shown this very puzzle with its answer, as an example.")
        return Task(task_id(self.name, body, gold), self.name, body, gold, identities=identities, themes=(kind,))

    async def judge(self, task: Task, answers: Sequence[str | None]) -> list[Verdict]:
        """Each answer is read and held against every clause; see `verifiers.puzzles.answers` for what is legal."""
        puzzle = _puzzle(task)
        return [_verdict(puzzle, answer) for answer in answers]

    async def recheck(self, task: Task) -> Refusal | None:
        """Solves the puzzle once more."""
        puzzle = _puzzle(task)
        again = [puzzle.say(answer) for answer in puzzle.solve(4 * self.nodes).answers]
        if again == [task.gold]:
            return None
        return Refusal("determinism", f"The answer was once {task.gold}, and now: {' or '.join(again) or 'none'}.")

    def guess(self, task: Task) -> float:
        """Who copies what is given outright and draws the rest evenly: in a grid, each row's missing digits in some
        order; for letters, each true, false or unknown, but not all unknown."""
        return 1 / _puzzle(task).space()


def _identities(puzzle: Puzzle) -> tuple[str, str]:
    form, meaning = puzzle.identities()
    return f"logic form:{puzzle.kind} {digest(form)}", f"logic meaning:{puzzle.kind} {digest(meaning)}"


@functools.cache
def _shown(kind: str) -> frozenset[str]:
    """What makes a puzzle the same as one of the solver's examples."""
    return frozenset(one for text, _ in KINDS[kind].examples for one in _identities(KINDS[kind].parse(text)))


def _puzzle(task: Task) -> Puzzle:
    return KINDS[task.body["kind"]].parse(task.body["puzzle"])


def _verdict(puzzle: Puzzle, text: str | None) -> Verdict:
    answer = None if text is None else puzzle.read(text)
    if answer is None:
        return Verdict.UNPARSED
    return Verdict.CORRECT if puzzle.holds(answer) else Verdict.WRONG
