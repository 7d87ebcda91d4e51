"""The value language: literals a model writes, read without evaluating anything.

`parse` reads text, `show` writes text that `parse` reads back, `encode` and `decode` are the canonical bytes (see
`verifiers.codec`), and `equal` compares two of those under a policy. The grammar is Python's own literals, with `nan`,
`inf`, `float('nan')`, `set()`, `frozenset(...)` and `complex(a, b)` beside them. Every cap is checked before work is
done, and whatever is not a literal raises `BadValue`, never anything else.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable
from enum import StrEnum

from verifiers.codec import MAX_DEPTH, MAX_INT_BITS, BadValue, Value, decode, encode

__all__ = ["BadValue", "Policy", "Value", "decode", "encode", "equal"]
__all__ += ["parse", "parse_arguments", "show", "show_arguments"]

MAX_TEXT = 16_384  # characters
MAX_TEXT_NODES = 5_000

_FILE = "<literal>"
_FOLDED_BYTES = 1 << 24  # a float of four bytes or more may fold to an int of 256 hex digits
warnings.filterwarnings("ignore", module=_FILE)  # what a model spells oddly is no news for the person at the terminal


class Policy(StrEnum):
    """How alike two values must be. `strict`: same types, same bits. `numeric`: an int and a float are equal when
    exactly equal, and so are 0.0 and -0.0; a bool is never a number."""

    STRICT = "strict"
    NUMERIC = "numeric"


def parse(text: str) -> Value:
    """The value that `text` spells. Raises `BadValue`."""
    return _Reader().value(_tree(text, "", ""), MAX_DEPTH)


def parse_arguments(text: str) -> tuple[Value, ...]:
    """The arguments that `text` spells, as between the brackets of a call: `3, [1, 2]`. Raises `BadValue`."""
    call = _tree(text, "f(", "\n)")
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "f" or call.keywords:
        raise BadValue("not a list of arguments")
    reader = _Reader()
    return tuple(reader.value(node, MAX_DEPTH - 1) for node in call.args)


def show(value: Value) -> str:
    """A readable literal of a value; members of sets stand in the order of their canonical bytes. Raises `BadValue`."""
    encode(value)
    return _show(value)


def show_arguments(values: tuple[Value, ...]) -> str:
    """The text between the brackets of a call with these arguments. Raises `BadValue`."""
    return ", ".join(show(value) for value in values)


def equal(a: bytes, b: bytes, policy: Policy | str = Policy.STRICT, rel_tol: float = 0.0) -> bool:
    """Whether two canonical encodings mean the same under `policy`.

    With `rel_tol` above 0, numbers of which at least one is a float may differ by that fraction of the larger, in
    sequences and as values of a dict; dict keys and members of sets are never approximate. Raises `BadValue` when
    either is no encoding.
    """
    policy = Policy(policy)
    x, y = decode(a), decode(b)
    fold = _fold if policy is Policy.NUMERIC else _same
    if encode(_map(x, fold), max_bytes=_FOLDED_BYTES) == encode(_map(y, fold), max_bytes=_FOLDED_BYTES):
        return True
    return rel_tol > 0.0 and _close(x, y, policy, rel_tol)


def _tree(text: str, before: str, after: str) -> ast.expr:
    if type(text) is not str:
        raise BadValue("not text")
    text = text.strip()
    if len(text) > MAX_TEXT or "\0" in text:
        raise BadValue(f"over {MAX_TEXT} characters, or a NUL")
    try:
        return ast.parse(before + text + after, filename=_FILE, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError) as error:
        raise BadValue("not a literal") from error


class _Reader:
    """Walks one syntax tree; counts nodes over the whole text."""

    def __init__(self) -> None:
        self.nodes = MAX_TEXT_NODES

    def value(self, node: ast.expr, depth: int) -> Value:
        self.nodes -= 1
        if self.nodes < 0:
            raise BadValue("too many nodes")
        if isinstance(node, ast.Constant):
            return _constant(node.value)
        if isinstance(node, ast.UnaryOp):
            return self._signed(node)
        if isinstance(node, ast.Name) and node.id in _NAMES:
            return _NAMES[node.id]
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        if depth <= 0:
            raise BadValue("nested too deeply")
        if isinstance(node, ast.List):
            return [self.value(item, depth - 1) for item in node.elts]
        if isinstance(node, ast.Tuple):
            return tuple(self.value(item, depth - 1) for item in node.elts)
        if isinstance(node, ast.Set):
            return _hashed(set, [self.value(item, depth - 1) for item in node.elts])
        if isinstance(node, ast.Dict):
            if None in node.keys:
                raise BadValue("not a literal")
            keys = [self.value(key, depth - 1) for key in node.keys if key is not None]
            return _hashed(dict, list(zip(keys, [self.value(item, depth - 1) for item in node.values], strict=True)))
        if isinstance(node, ast.BinOp):
            return self._complex(node, depth)
        raise BadValue("not a literal")

    def _signed(self, node: ast.UnaryOp) -> Value:
        inner = node.operand
        number: Value = self.value(inner, 0) if isinstance(inner, (ast.Constant, ast.Name)) else None
        if type(number) not in (int, float, complex):
            raise BadValue("a sign before something that is no number")
        if isinstance(node.op, ast.USub):
            return -number
        if isinstance(node.op, ast.UAdd):
            return number
        raise BadValue("not a literal")

    def _complex(self, node: ast.BinOp, depth: int) -> Value:
        left, right = self.value(node.left, depth - 1), self.value(node.right, depth - 1)
        if type(left) not in (int, float) or type(right) is not complex or isinstance(node.right, ast.UnaryOp):
            raise BadValue("not a literal")
        try:
            if isinstance(node.op, ast.Add):
                return left + right
            if isinstance(node.op, ast.Sub):
                return left - right
        except OverflowError as error:
            raise BadValue("too large a number") from error
        raise BadValue("not a literal")

    def _call(self, node: ast.Call, depth: int) -> Value:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in _CALLS or node.keywords:
            raise BadValue("not a literal")
        args = node.args[:3]
        inner = [depth if isinstance(item, (ast.List, ast.Tuple, ast.Set)) else depth - 1 for item in args]
        return _CALLS[name](*map(self.value, args, inner))


def _constant(value: Value) -> Value:
    if type(value) is int and value.bit_length() > MAX_INT_BITS:
        raise BadValue(f"an int of over {MAX_INT_BITS} bits")
    if value is ...:
        raise BadValue("not a literal")
    return value


def _hashed(kind: type, items: list[Value]) -> Value:
    try:
        return kind(items)
    except TypeError as error:
        raise BadValue("a member or key that cannot be hashed") from error


def _collection(kind: type) -> Callable[..., Value]:
    def build(*args: Value) -> Value:
        if len(args) > 1 or any(type(arg) not in (list, tuple, set, frozenset) for arg in args):
            raise BadValue("not a literal")
        return _hashed(kind, args[0] if args else [])

    return build


def _float_of(*args: Value) -> float:
    text = args[0].strip().lower().lstrip("+-") if len(args) == 1 and type(args[0]) is str else ""
    if text not in ("nan", "inf", "infinity"):
        raise BadValue("not a literal")
    try:
        return float(args[0])
    except ValueError as error:
        raise BadValue("not a literal") from error


def _complex_of(*args: Value) -> complex:
    if len(args) != 2 or any(type(arg) not in (int, float) for arg in args):
        raise BadValue("not a literal")
    try:
        return complex(*args)
    except OverflowError as error:
        raise BadValue("too large a number") from error


_NAMES = {"nan": math.nan, "inf": math.inf}
_CALLS: dict[str, Callable[..., Value]] = {
    "set": _collection(set),
    "frozenset": _collection(frozenset),
    "float": _float_of,
    "complex": _complex_of,
}


def _show(value: Value) -> str:
    kind = type(value)
    if kind is float:
        return repr(value) if math.isfinite(value) else f"float('{value}')"
    if kind is complex:
        return f"complex({_show(value.real)}, {_show(value.imag)})"
    if kind is list:
        return "[" + ", ".join(map(_show, value)) + "]"
    if kind is tuple:
        return "(" + ", ".join(map(_show, value)) + ("," if len(value) == 1 else "") + ")"
    if kind is set:
        return "{" + ", ".join(map(_show, sorted(value, key=encode))) + "}" if value else "set()"
    if kind is frozenset:
        return f"frozenset({_show(set(value))})" if value else "frozenset()"
    if kind is dict:
        return "{" + ", ".join(f"{_show(key)}: {_show(item)}" for key, item in value.items()) + "}"
    return repr(value)


def _same(number: Value) -> Value:
    return number


def _fold(number: Value) -> Value:
    return int(number) if type(number) is float and number.is_integer() else number


def _map(value: Value, fold: Callable[[Value], Value]) -> Value:
    kind = type(value)
    if kind in (list, tuple, set, frozenset):
        return kind(_map(item, fold) for item in value)
    if kind is dict:
        return {_map(key, fold): _map(item, fold) for key, item in value.items()}
    if kind is complex:
        return complex(value.real + 0.0, value.imag + 0.0) if fold is _fold else value
    return fold(value)


def _close(x: Value, y: Value, policy: Policy, rel_tol: float) -> bool:
    kinds = (type(x), type(y))
    if float in kinds and kinds[0] in (int, float) and kinds[1] in (int, float):
        if policy is Policy.STRICT and kinds[0] is not kinds[1]:
            return False
        try:
            return math.isclose(x, y, rel_tol=rel_tol)
        except OverflowError:
            return False
    if kinds[0] is not kinds[1]:
        return False
    if kinds[0] in (list, tuple):
        return len(x) == len(y) and all(_close(a, b, policy, rel_tol) for a, b in zip(x, y, strict=True))
    if kinds[0] is dict:
        left, right = _by_key(x, policy), _by_key(y, policy)
        return left.keys() == right.keys() and all(_close(left[k], right[k], policy, rel_tol) for k in left)
    return equal(encode(x), encode(y), policy)


def _by_key(value: dict[Value, Value], policy: Policy) -> dict[bytes, Value]:
    fold = _fold if policy is Policy.NUMERIC else _same
    return {encode(_map(key, fold), max_bytes=_FOLDED_BYTES): item for key, item in value.items()}
