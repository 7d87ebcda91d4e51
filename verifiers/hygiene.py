"""The static gate for programs that a model proposes, and the one form in which programs are kept.

This keeps the curriculum clean: programs that depend on nothing but their input, that a reader can follow, with no
covert channel to the solver. It is no wall; the sandbox holds without it.
"""

from __future__ import annotations

import ast
import hashlib
import re
import warnings

from selfplay.records import Refusal
from verifiers import renaming, safety

MAX_CODE = 8_000  # characters
MAX_CODE_NODES = 2_000
MAX_CODE_DEPTH = 60

_FILE = "<proposal>"
warnings.filterwarnings("ignore", module=_FILE)

_HIDDEN = re.compile(  # what takes no room on a screen, or turns the text around
    "[\0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_SET_OPERATORS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)
_SET_METHODS = frozenset(("intersection", "union", "difference", "symmetric_difference"))


def check(code: str, entry: str = "f") -> Refusal | None:
    """The first reason to refuse `code`, by gate: `parse`, `size`, then `safety`; None when there is none."""
    if len(code) > MAX_CODE:
        return Refusal("size", f"The program is over {MAX_CODE} characters long.")
    try:
        tree = parse(code)
    except SyntaxError as error:
        return Refusal("parse", f"The program does not parse: {error.msg}.")
    nodes = list(ast.walk(tree))
    if len(nodes) > MAX_CODE_NODES or _deep(tree):
        return Refusal(
            "size", f"The program has over {MAX_CODE_NODES} syntax nodes, or nests over {MAX_CODE_DEPTH} deep."
        )
    if not any(isinstance(node, ast.FunctionDef) and node.name == entry for node in tree.body):
        return Refusal("parse", f"The program defines no function {entry}.")
    hidden = _HIDDEN.search(code)
    if hidden:
        return Refusal("safety", f"The program holds the invisible character U+{ord(hidden[0]):04X}.")
    reason = safety.objection(nodes)
    return Refusal("safety", f"The program uses {reason}.") if reason else None


def normalise(code: str, rename: bool = False) -> str:
    """`code` without comments, docstrings and accidents of layout; with `rename`, local names too become v0, v1, …

    The result is what is executed, kept and shown. Raises `SyntaxError` for what cannot be parsed or written again.
    """
    try:
        tree = _bare(parse(code))
        if rename:
            tree = renaming.rename(tree, keep={"f"})
        text = ast.unparse(ast.fix_missing_locations(tree))
        parse(text)
    except SyntaxError:
        raise
    except (ValueError, RecursionError) as error:
        raise SyntaxError("too complex, or too long a number") from error
    return text


def fingerprint(code: str) -> str:
    """Equal for programs that differ only in layout, comments, docstrings and the names they bind: 16 hex digits.

    Raises `SyntaxError`.
    """
    try:
        tree = renaming.rename(_bare(parse(code)), keep={"f"})
        text = ast.dump(tree)
    except (ValueError, RecursionError) as error:
        raise SyntaxError("too complex, or too long a number") from error
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def parse(code: str) -> ast.Module:
    """The syntax tree. Raises `SyntaxError` and nothing else."""
    try:
        return ast.parse(code, filename=_FILE)
    except SyntaxError:
        raise
    except (ValueError, MemoryError, RecursionError, OverflowError) as error:
        raise SyntaxError("too complex, or not text") from error


def touches_sets(code: str) -> bool:
    """Whether the result may hang on hash order: sets in any spelling. Raises `SyntaxError`."""
    nodes = list(ast.walk(parse(code)))
    views = any(isinstance(n, ast.Attribute) and n.attr in ("keys", "items") for n in nodes)
    for node in nodes:
        if views and isinstance(node, (ast.Import, ast.ImportFrom)):
            return True  # operator.or_ and the like
        if isinstance(node, (ast.Set, ast.SetComp)):
            return True
        if isinstance(node, ast.Name) and node.id in ("set", "frozenset"):
            return True
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, _SET_OPERATORS) and views:
            return True
        if isinstance(node, ast.Attribute) and node.attr in _SET_METHODS:
            return True
    return False


def reads_arguments(code: str, entry: str = "f") -> bool:
    """Does the last `entry` read any of its parameters? One that does not is a constant, whatever it is given."""
    found = [n for n in ast.walk(parse(code)) if isinstance(n, ast.FunctionDef) and n.name == entry]
    if not found:
        return False
    given = found[-1].args
    names = {a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg) if a}
    read = {n.id for n in ast.walk(found[-1]) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return bool(names & read)


def returned(code: str) -> set[str]:
    """What the program's `return` statements compute, each as text without blanks."""
    nodes = [node for node in ast.walk(parse(code)) if isinstance(node, ast.Return) and node.value]
    return {"".join(ast.unparse(node.value).split()) for node in nodes if node.value}


def _bare(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            lines = getattr(node, field, None)
            if isinstance(lines, list):
                kept = [line for line in lines if not _says_nothing(line)]
                must_stay = field == "body" and not isinstance(node, ast.Module)
                setattr(node, field, kept or ([ast.Pass()] if must_stay else []))
        if isinstance(node, ast.arg) and _holds_text(node.annotation):
            node.annotation = None
        if isinstance(node, ast.FunctionDef) and _holds_text(node.returns):
            node.returns = None
    return tree


def _says_nothing(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and line.value.value is not ...


def _holds_text(node: ast.expr | None) -> bool:
    return node is not None and any(isinstance(n, ast.Constant) and isinstance(n.value, str) for n in ast.walk(node))


def _deep(tree: ast.Module) -> bool:
    level: list[ast.AST] = [tree]
    for _ in range(MAX_CODE_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return False
    return True
