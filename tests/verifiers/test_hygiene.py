# ruff: noqa: E501
from __future__ import annotations

import pytest

from verifiers.hygiene import check, fingerprint, normalise, touches_sets

GOOD = [
    "def f(x):\n    return type(x) is int and x is not None",
    "import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int = 0\ndef f(x):\n    return P(x).x + 1",
    "import collections.abc\nfrom math import gcd, pi\ndef f(x):\n    return isinstance(x, collections.abc.Sized) or gcd(x, 4)",
    "import functools\ndef d(g):\n    @functools.wraps(g)\n    def h(x):\n        return g(x)\n    return h\n@d\ndef f(x):\n    return x + 1",
    "def f(x):\n    return x + 1",
    "import math\nfrom collections import Counter, deque\ndef f(x):\n    return math.sqrt(len(Counter(x)))",
    "import collections.abc\ndef f(x): return isinstance(x, collections.abc.Iterable)",
    "class P:\n    def __init__(self, a): self._a = a\n    def __lt__(self, o): return self._a < o._a\ndef f(x): return min(P(a) for a in x)._a",
    "class A:\n    def __init__(self): self.n = 1\nclass B(A):\n    def __init__(self):\n        super().__init__()\ndef f(x): return B().n + x",
    "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int = 0\ndef f(x): return P(x).x",
    "def f(x):\n    def g():\n        nonlocal x\n        x += 1\n        return x\n    return g()",
    "def f(x):\n    match x:\n        case [a, *b]: return b\n        case _: return x",
    "def f(x): return f'{x:>5} {x!r}'",
    "import copy, array\ndef f(x): return copy.copy(list(array.array('i', x)))",
    "def f(x): return type(x).__name__",
    "import decimal\ndef f(x):\n    decimal.getcontext().prec = 5\n    return str(decimal.Decimal(1) / x)",
    "from __future__ import annotations\ndef f(x: int) -> int: return x",
    "def f(x): return x\nif __name__ == '__main__':\n    print(f(1))",
]

BAD = [
    ("safety", "from dataclasses import sys\ndef f(x): return x"),
    ("safety", "from dataclasses import builtins\ndef f(x): return builtins.eval(x)"),
    ("safety", "import collections\nm = collections\ndef f(x): return m._sys"),
    ("safety", "import functools\ndef f(x): return functools.GenericAlias"),
    ("safety", "import operator as __builtins__\ndef f(x): return x"),
    ("safety", "from operator import attrgetter\ndef f(x): return attrgetter('_' * 2 + 'class' + '_' * 2)(x)"),
    ("safety", "import string\ndef f(x): return string.Formatter().get_field('0.a', (x,), {})"),
    ("safety", "import typing\ndef g(a: 'x'): pass\ndef f(x): return typing.get_type_hints(g)"),
    ("safety", "import functools\ndef f(x): return functools.update_wrapper(x, f, ('a',), ())"),
    ("safety", "def f(x): return type('A', (), {'_' * 2 + 'eq' + '_' * 2: lambda s, o: True})()"),
    ("safety", "def f(x):\n    try: return x\n    except Exception as __builtins__: return 1"),
    ("safety", "def f(x):\n    match x:\n        case {**exec}: return exec\n    return 1"),
    ("safety", "def f(x, y): return x is y"),
    ("safety", "def f(x):\n    try: return f(x + 1)\n    except RecursionError: return x"),
    ("safety", "def f(x): return 'a\u3164b'"),
    ("parse", "def f(x) return x"),
    ("parse", "def g(x): return x"),
    ("parse", "f = lambda x: x"),
    ("parse", "def f(x): return '\0'"),
    ("size", "def f(x): return '" + "a" * 9000 + "'"),
    ("size", "def f(x): return [" + "x," * 3000 + "]"),
    ("size", "def f(x): return x" + ".a" * 100),
    ("safety", "import os\ndef f(x): return x"),
    ("safety", "import sys as math\ndef f(x): return x"),
    ("safety", "import random\ndef f(x): return x"),
    ("safety", "import time\ndef f(x): return x"),
    ("safety", "from datetime import datetime\ndef f(x): return x"),
    ("safety", "import hashlib\ndef f(x): return x"),
    ("safety", "import os.path\ndef f(x): return x"),
    ("safety", "from . import x\ndef f(x): return x"),
    ("safety", "from collections import _sys\ndef f(x): return x"),
    ("safety", "import collections\ndef f(x): return collections._sys"),
    ("safety", "import statistics\ndef f(x): return statistics.random"),
    ("safety", "import math\ndef f(x):\n    math.pi = 3\n    return x"),
    ("safety", "import collections\ndef f(x):\n    collections.Counter.most_common = len\n    return x"),
    ("safety", "from collections import Counter\ndef f(x):\n    del Counter.most_common\n    return x"),
    ("safety", "import string\ndef f(x): return string.Template._invalid"),
    ("safety", "def f(x): return __import__('os')"),
    ("safety", "def f(x): return ().__class__"),
    ("safety", "def f(x): return '{0.__class__}'.format(x)"),
    ("safety", "import operator\ndef f(x): return operator.attrgetter('__class__')(x)"),
    ("safety", "def f(x): return getattr(x, 'a')"),
    ("safety", "def f(x): return eval(x)"),
    ("safety", "e = exec\ndef f(x): return e(x)"),
    ("safety", "def f(x): return open(x)"),
    ("safety", "def f(x): return id(x)"),
    ("safety", "def f(x): return hash(x)"),
    ("safety", "def f(x): return globals()"),
    ("safety", "def f(x, eval=1): return x"),
    ("safety", "n = 0\ndef f(x):\n    global n\n    n += 1\n    return n"),
    ("safety", "async def g(): pass\ndef f(x): return x"),
    ("safety", "class A:\n    def __eq__(self, o): return True\ndef f(x): return A()"),
    ("safety", "class A:\n    def __del__(self): pass\ndef f(x): return A()"),
    ("safety", "class A:\n    def __reduce__(self): return 1\ndef f(x): return A()"),
    ("safety", "class A(metaclass=type): pass\ndef f(x): return A()"),
    ("safety", "def f(x): return (i for i in x).gi_frame"),
    ("safety", "def f(x):\n    try: 1/0\n    except Exception as e: return e.__traceback__"),
    ("safety", "def f(x): return x + 'a\u202e'"),
    ("safety", "def f(x):\n    \u0430 = 1\n    return \u0430"),
    ("safety", "def f(x): return \uff45\uff56\uff41\uff4c(x)"),
    ("safety", "def f(x): return __builtins__"),
]


@pytest.mark.parametrize("code", GOOD)
def test_honest_programs_pass_and_stay_in_normal_form(code: str) -> None:
    assert check(code) is None
    assert normalise(normalise(code)) == normalise(code)
    assert check(normalise(code)) is None
    assert check(normalise(code, rename=True)) is None


@pytest.mark.parametrize(("gate", "code"), BAD)
def test_each_objection_names_its_gate(gate: str, code: str) -> None:
    refusal = check(code)
    assert refusal is not None and refusal.gate == gate, refusal
    assert refusal.detail.endswith(".")


@pytest.mark.parametrize(
    "code",
    [
        "(" * 5000,
        "-" * 7000 + "1",
        "x = " + "[" * 150,
        "\ud800",
        "def f(x): return " + "not " * 1500 + "x",
        "lambda " * 1000,
    ],
)
def test_no_text_breaks_the_gate(code: str) -> None:
    assert check(code) is not None


def test_a_number_too_long_to_write_is_a_syntax_error_and_nothing_else() -> None:
    code = "def f(x): return 0x" + "f" * 7000
    assert check(code) is None
    for reader in (normalise, fingerprint):
        with pytest.raises(SyntaxError):
            reader(code)


def test_comments_docstrings_and_idle_strings_do_not_reach_the_solver() -> None:
    code = (
        "'''module'''\n# note\ndef f(x: 'the answer is 3') -> 'four':\n    '''doc'''\n    if x:\n        'hint'\n"
        "    else:\n        'other'\n    5\n    return x  # tail"
    )
    assert normalise(code) == "def f(x):\n    if x:\n        pass\n    return x"


def test_renaming_changes_names_and_no_results() -> None:
    programs = [
        "def helper(the_answer_is_7, k=2):\n    total = 0\n    for item in the_answer_is_7:\n        total += item * k\n    return total\n"
        "def f(xs):\n    return helper(xs, k=3) + sum(y for y in xs)",
        "class Box:\n    size = 2\n    def __init__(self, value):\n        self.value = value\n    def grow(self, by):\n        self.value += by\n"
        "        return self\ndef f(xs):\n    box = Box(xs[0])\n    grow = box.grow(5)\n    return grow.value * Box.size",
        "import math as m\ndef f(xs):\n    def inner():\n        nonlocal count\n        count += 1\n    count = m.floor(1.5)\n"
        "    inner()\n    try:\n        xs[99]\n    except IndexError as problem:\n        return [count, type(problem).__name__]",
        "def f(xs, *rest, **options):\n    match xs:\n        case [first, *others]:\n            return sorted(xs, key=lambda v: -v) + others\n"
        "        case {'a': a, **more}:\n            return more",
        "def f(xs):\n    list_ = [v0 for v0 in xs]\n    v1 = (n := 10) + n\n    return [v1, list_, {k: w for k, w in enumerate(xs)}]",
    ]
    for code in programs:
        renamed = normalise(code, rename=True)
        assert renamed != normalise(code)
        spaces: list[dict[str, object]] = [{}, {}]
        for text, space in zip((code, renamed), spaces, strict=True):
            exec(text, space)  # our own programs, above
        assert spaces[0]["f"]([3, 1, 2]) == spaces[1]["f"]([3, 1, 2])  # type: ignore[operator]
    assert "the_answer_is_7" not in normalise(programs[0], rename=True)


def test_a_fingerprint_sees_the_program_and_not_its_names() -> None:
    a = "def f(x):\n    # sum\n    total = 0\n    for i in x:\n        total += i\n    return total"
    b = "def f(values):\n    '''add'''\n    s = 0\n    for v in values: s += v\n    return s"
    assert fingerprint(a) == fingerprint(b)
    assert fingerprint(a) != fingerprint(a.replace("+=", "-="))
    assert fingerprint(a) != fingerprint(a.replace("0", "1"))


def test_programs_that_touch_sets_are_told() -> None:
    assert all(
        map(
            touches_sets,
            ("def f(x): return {1, x}", "def f(x): return list(set(x))", "def f(x): return x.keys() - {}.keys()"),
        )
    )
    assert not any(map(touches_sets, ("def f(x): return {1: x}", "def f(x): return [k for k, v in x.items()]")))
