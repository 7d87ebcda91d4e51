"""Derives the truth of a problem with sympy and checks it a second way. Loaded by a worker before its walls go up.

What a problem costs in time or memory is the sandbox's to bound. sympy is wrong at times: an answer that the second way
does not confirm is refused, so a kind without one must not exist.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

import sympy
from sympy.core.random import seed

from verifiers.codec import BadValue
from verifiers.identity import digest
from verifiers.symbolic import formula, statement
from verifiers.symbolic.expression import NoFormula, tree_of
from verifiers.symbolic.forms import FORMS
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds import Refused
from verifiers.symbolic.kinds.count import hits
from verifiers.symbolic.kinds.sum import terms
from verifiers.symbolic.normal import normal
from verifiers.symbolic.numeric import Undefined, at_places, function, mp, real
from verifiers.symbolic.statement import Problem, nodes
from verifiers.symbolic.writing import write

MAX_GOLD = 100  # characters
_SHORT = 12  # characters that are not worth shortening
_DIGITS = 30
_SAME = 12  # digits that tell two formulas apart
_PLACES = ("0.371", "1.618", "2.843", "-1.277", "7.193")
_KINDS: dict[str, Any] = {name: importlib.import_module(f"verifiers.symbolic.kinds.{name}") for name in FORMS}


def derive(text: str) -> tuple[str, ...]:
    """("gold", gold, form, behaviour) for a problem, or ("refused", gate, detail).

    gold: canonical text. form: stands for the normal form of `verifiers.symbolic.normal`. behaviour: stands for the
    values that the problem's formulas have, however they are spelled; empty where there are none to tell.
    """
    try:
        problem = statement.read(text)
        with mp.workdps(_DIGITS):
            gold = _derive(problem)
            with _excused("value", "The problem has no normal form"):
                form, does = normal(problem), _behaviour(problem)
        return ("gold", gold, digest(form), digest(does) if does else "")
    except Refused as refused:
        return ("refused", refused.gate, refused.detail)
    except BadValue as error:
        return ("refused", "parse", f"The problem cannot be read: {error}.")


def _derive(problem: Problem) -> str:
    kind = _KINDS[problem.kind]
    seed(0)  # sympy tries formulas at random places
    with _excused("value", "No exact answer was found"):
        trivial = kind.trivial(problem)
        if trivial:
            raise Refused("trivial", trivial)
        gold = _gold(kind.answer(problem), problem)
    if len(gold) > MAX_GOLD:
        raise Refused("value", f"The answer is over {MAX_GOLD} characters long.")
    with _excused("consistent", "The answer could not be confirmed a second way"):
        if not kind.confirm(problem, formula.read(gold)):
            raise Refused("consistent", "A second way to the answer gives another one.")
    return gold


@contextlib.contextmanager
def _excused(gate: str, what: str) -> Iterator[None]:
    """Whatever a library raises over a hard problem is a refusal."""
    try:
        yield
    except (Refused, MemoryError):
        raise
    except NoFormula as error:
        raise Refused(gate, f"The answer is not finite, not real or has no formula: it holds {error}.") from error
    except BadValue as error:
        raise Refused(gate, f"The answer is too large: {error}.") from error
    except Exception as error:
        raise Refused(gate, f"{what}: {type(error).__name__}.") from error


def _gold(found: Any, problem: Problem) -> str:
    form = FORMS[problem.kind]
    if form.answer == "tuple":
        return f"({', '.join(map(_closed, found))})"
    if form.answer == "set":
        texts = sorted(map(_closed, found), key=lambda text: real(formula.read(text)))
        return texts[0] if len(texts) == 1 else f"{{{', '.join(texts)}}}"
    if form.answer == "written" and not found.is_Rational:
        raise Refused("value", "The answer is not a rational number.")
    if problem.kind == "derive" and not problem.places:
        return _spellings(found)[0]
    return _closed(found)


def _closed(expression: Any) -> str:
    """A real number's shortest text."""
    for text in _spellings(expression):
        tree = formula.read(text)
        if any(part[0] == "name" for part in nodes(tree)):
            raise Refused("value", "The answer holds a letter.")
        with contextlib.suppress(Undefined):
            real(tree)
            return text
    raise Refused("value", "The answer is not a real number.")


def _spellings(expression: Any) -> list[str]:
    """Texts that mean an expression, the shortest first. Raises `NoFormula` where there is none."""
    texts = [_text(expression)]
    if len(texts[0]) > _SHORT:
        for shorten in (sympy.radsimp, sympy.simplify):
            with contextlib.suppress(NoFormula, NotImplementedError):
                texts.append(_text(shorten(expression)))
    return sorted(set(texts), key=_length)


def _text(expression: Any) -> str:
    return write(formula.read(write(tree_of(expression))))


def _length(text: str) -> tuple[int, str]:
    return len(text), text


def _behaviour(problem: Problem) -> str:
    form = FORMS[problem.kind]
    if form.body == "condition":
        does = list(map(str, hits(problem)))
    elif form.whole and problem.letters:
        does = list(map(str, terms(problem)))
    elif len(problem.letters) == 1:
        does = _values(problem.parts[0], problem.letters[0])
    else:
        does = []
    ends = [write(place) if _is_infinite(place) else mp.nstr(real(place), _SAME) for place in problem.places]
    return " ".join([problem.kind, *ends, "|", *does]) if does else ""


def _values(part: Tree, letter: str) -> list[str]:
    """A formula's values at a few places; those of an equation's difference up to a factor."""
    tree: Tree = ("add", part[1], ("neg", part[2])) if part[0] == "equal" else part
    pairs = at_places(function(tree, letter), [mp.mpf(place) for place in _PLACES])
    if len(pairs) < 3 or not any(value for _, value in pairs):
        return []
    scale = next(value for _, value in pairs if value) if part[0] == "equal" else 1
    return [f"{mp.nstr(value / scale, _SAME)} at {mp.nstr(place, _SAME)}" for place, value in pairs]


def _is_infinite(place: Tree) -> bool:
    return ("constant", "oo") in nodes(place)


def _warm() -> None:
    """Imports and caches, before the walls, what sympy would import on first use."""
    for name in _LAZY:
        importlib.import_module(f"sympy.{name}")
    for text in (*(form.example for form in FORMS.values()), *_WARM):
        derive(text)


_LAZY = (
    "assumptions.handlers.calculus", "assumptions.handlers.ntheory", "assumptions.handlers.order",
    "assumptions.handlers.sets", "assumptions.lra_satask", "assumptions.satask", "discrete.recurrences",
    "logic.algorithms.dpll2", "polys.modulargcd", "polys.numberfields.resolvent_lookup", "series.aseries",
    "sets.handlers.add", "sets.handlers.mul", "sets.handlers.power",
)  # fmt: skip
_WARM = (
    "solve x: sqrt(x + 1) = x - 1",
    "solve x: abs(x - 2) = 3",
    "solve x: 2^x = 8",
    "solve x: ln(x) = 2",
    "solve x: 1/x + 1/(x - 1) = 2",
    "solve x: x^3 - 3x + 1 = 0",
    "solve x: x^4 - 5x^2 + 4 = 0",
    "solve x: sin(x) = 1/2",
    "derive x: sin(x)*e^x/(x^2 + 1)",
    "integrate x from 0 to pi: x*sin(x)",
    "integrate x from 1 to e: ln(x)/x",
    "integrate x from 0 to oo: e^(-x)",
    "integrate x from 0 to 1: 1/(x^2 + 1)",
    "limit x to oo: (1 + 1/x)^x",
    "integrate x from 1 to 2: 1/(x*sqrt(x^2 - 1))",
    "sum k from 1 to 200: 1/(k*(k + 1))",
)
_warm()
