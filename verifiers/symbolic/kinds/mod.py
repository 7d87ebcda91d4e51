"""`mod 7: 3^100`. First way: Euler's theorem for each prime power. Second way: Python's powers to a modulus."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import sympy
from sympy.ntheory.modular import crt

from verifiers.codec import BadValue
from verifiers.symbolic.exact import evaluate
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.kinds import Refused
from verifiers.symbolic.statement import Problem, whole


def trivial(problem: Problem) -> str | None:
    modulus = _modulus(problem)
    if modulus == 1:
        return "Every remainder on division by 1 is 0."
    try:
        value = evaluate(problem.parts[0])
    except BadValue:
        return None
    small = value is not None and value.denominator == 1 and 0 <= value < modulus
    return "The number is below the modulus." if small else None


def answer(problem: Problem) -> Any:
    factors = [(int(p), int(k)) for p, k in sympy.factorint(_modulus(problem)).items()]
    rests = [_residue(problem.parts[0], p**k, functools.partial(_euler, prime=p, times=k)) for p, k in factors]
    return sympy.Integer(int(crt([p**k for p, k in factors], rests)[0]))


def confirm(problem: Problem, gold: Tree) -> bool:
    modulus = _modulus(problem)
    return evaluate(gold) == _residue(problem.parts[0], modulus, lambda a, e: pow(a, e, modulus))


def _modulus(problem: Problem) -> int:
    modulus = whole(problem.places[0])
    if modulus < 1:
        raise Refused("value", "The modulus is not positive.")
    return modulus


def _residue(tree: Tree, modulus: int, power: Callable[[int, int], int]) -> int:
    kind, parts = tree[0], tree[1:]
    if kind == "pow":
        exponent = evaluate(parts[1])
        if exponent is None or exponent.denominator != 1 or exponent < 1:
            raise Refused("value", "An exponent is not a whole number from 1 on.")
        return power(_residue(parts[0], modulus, power), exponent.numerator) % modulus
    if kind in ("number", "factorial"):
        value = evaluate(tree)
        if value is None or value.denominator != 1:
            raise Refused("value", "A number is not whole.")
        return value.numerator % modulus
    rests = [_residue(part, modulus, power) for part in parts]
    if kind == "mul":
        found = 1
        for rest in rests:
            found = found * rest % modulus
        return found
    return (-rests[0] if kind == "neg" else sum(rests)) % modulus


def _euler(base: int, exponent: int, prime: int, times: int) -> int:
    if base % prime == 0:
        return 0 if exponent >= times else base**exponent
    return pow(base, exponent % (prime ** (times - 1) * (prime - 1)), prime**times)
