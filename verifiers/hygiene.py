# ruff: noqa: SIM905
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
from verifiers import renaming
from verifiers.zygote.surroundings import MODULES

MAX_CODE = 8_000  # characters
MAX_CODE_NODES = 2_000
MAX_CODE_DEPTH = 60

_FILE = "<proposal>"
warnings.filterwarnings("ignore", module=_FILE)

_METHODS = frozenset(
    f"__{name}__"
    for name in (
        "init new post_init repr str len iter next contains getitem setitem delitem call bool lt le gt ge add sub mul "
        "truediv floordiv mod pow neg pos abs radd rsub rmul iadd isub imul and or xor invert lshift rshift enter exit "
        "int float index round reversed missing"
    ).split()
)
_NAMES = frozenset(
    "eval exec open compile input breakpoint globals locals vars dir getattr setattr delattr id hash help exit quit "
    "memoryview copyright credits license".split()
)
_ATTRIBUTES = frozenset(
    "gi_frame gi_code gi_yieldfrom cr_frame cr_code ag_frame ag_code f_back f_globals f_locals f_builtins f_code "
    "tb_frame tb_next co_code co_consts func_globals func_code mro buffer_info".split()
)
_SET_METHODS = frozenset(("intersection", "union", "difference", "symmetric_difference"))
_OPEN_METHODS = frozenset(("__init__", "__post_init__", "__new__", "__name__"))
_HIDDEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\0]")
_DUNDER = re.compile(r"__\w+__")
_REFUSED_NODES: dict[type[ast.AST], str] = {
    ast.AsyncFunctionDef: "async code",
    ast.AsyncFor: "async code",
    ast.AsyncWith: "async code",
    ast.Await: "async code",
    ast.Global: "a global statement",
}


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
    imported = _imported_names(nodes)
    for node in nodes:
        reason = _objection(node, imported)
        if reason:
            return Refusal("safety", f"The program uses {reason}.")
    return None


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
    for node in ast.walk(parse(code)):
        if isinstance(node, (ast.Set, ast.SetComp)):
            return True
        if isinstance(node, ast.Name) and node.id in ("set", "frozenset"):
            return True
        if isinstance(node, ast.BinOp) and any(_is_view(side) for side in (node.left, node.right)):
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


def _is_view(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "items")


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


def _imported_names(nodes: list[ast.AST]) -> frozenset[str]:
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name.split(".")[0] for alias in node.names)
    return frozenset(names)


def _objection(node: ast.AST, imported: frozenset[str]) -> str | None:
    if type(node) in _REFUSED_NODES:
        return _REFUSED_NODES[type(node)]
    if isinstance(node, ast.Import):
        return next((f"the module {alias.name}" for alias in node.names if alias.name not in MODULES), None)
    if isinstance(node, ast.ImportFrom):
        if node.level or node.module not in MODULES:
            return f"the module {node.module}"
        return next((f"the private name {alias.name}" for alias in node.names if alias.name.startswith("_")), None)
    if isinstance(node, ast.Name):
        return _name_objection(node.id)
    if isinstance(node, ast.arg):
        return _name_objection(node.arg)
    if isinstance(node, ast.Attribute):
        return _attribute_objection(node, imported)
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return _definition_objection(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
        text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        return "a string that names an internal" if _DUNDER.search(text) and text != "__main__" else None
    return None


def _name_objection(name: str) -> str | None:
    if name in _NAMES:
        return f"the name {name}"
    if not name.isascii():
        return "a name with letters outside ASCII"
    return f"the name {name}" if _DUNDER.fullmatch(name) and name != "__name__" else None


def _attribute_objection(node: ast.Attribute, imported: frozenset[str]) -> str | None:
    name = node.attr
    if not name.isascii():
        return "a name with letters outside ASCII"
    if name in _ATTRIBUTES or (_DUNDER.fullmatch(name) and name not in _OPEN_METHODS):
        return f"the attribute {name}"
    root = node.value
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(root, ast.Name) and root.id in imported:
        if name.startswith("_"):
            return f"the private attribute {name} of a module"
        if name in ("sys", "os", "random", "copyreg"):
            return f"the module {name} through another"
        if not isinstance(node.ctx, ast.Load):
            return "an assignment to a module, or to a part of one"
    return None


def _definition_objection(node: ast.FunctionDef | ast.ClassDef) -> str | None:
    if isinstance(node, ast.ClassDef) and node.keywords:
        return "a metaclass or a class keyword"
    if not node.name.isascii():
        return "a name with letters outside ASCII"
    if _DUNDER.fullmatch(node.name) and node.name not in _METHODS:
        return f"the method {node.name}"
    return f"the name {node.name}" if node.name in _NAMES else None
