# ruff: noqa: E501
from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from selfplay.records import Draft, Refusal, Task, Verdict
from verifiers import Verifier
from verifiers.deduction import Deduction
from verifiers.sandbox import Job, Limits, Sandbox
from verifiers.values import encode


@pytest.fixture
def examine(sandbox: Sandbox) -> Callable[[str, str], Task | Refusal]:
    family: Verifier = Deduction(sandbox)
    return lambda code, text: asyncio.run(family.examine(Draft("deduction", {"code": code, "input": text})))


def test_a_good_draft_becomes_a_task_in_normal_form(examine: Callable[[str, str], Task | Refusal]) -> None:
    task = examine("def f(a, b):\n    '''doc'''\n    return sorted(a)+b # end", "[3,1], [2,]")
    assert isinstance(task, Task)
    assert task.body == {"code": "def f(a, b):\n    return sorted(a) + b", "input": "[3, 1], [2]"}
    assert task.gold == "[1, 3, 2]" and task.family == "deduction" and len(task.id) == 16
    again = examine("def f(a, b):\n  return sorted(a) + b", "[3, 1], [2]")
    assert isinstance(again, Task) and again.id == task.id
    other = examine("def f(a, b):\n  return sorted(a) + b", "[3, 1], [5]")
    assert isinstance(other, Task) and other.id != task.id


def test_the_shown_input_keeps_the_order_of_a_dict(examine: Callable[[str, str], Task | Refusal]) -> None:
    task = examine("def f(d): return [k + v for k, v in d.items()]", "{'b': 'x', 'a': 'y'}")
    assert isinstance(task, Task) and task.body["input"] == "{'b': 'x', 'a': 'y'}" and task.gold == "['bx', 'ay']"


@pytest.mark.parametrize(
    ("gate", "code", "text"),
    [
        ("parse", "def f(x", "1"),
        ("parse", "def f(x): return x * 2", "1) or (2"),
        ("parse", "def f(x): return x * 2", "open('/etc/passwd')"),
        ("parse", "def f(x): return x * 2", "x=1"),
        ("parse", "def f(x): return x * 2", "[" * 60 + "]" * 60),
        ("size", "def f(x): return len(x)", "'" + "a" * 2000 + "'"),
        ("safety", "import os\ndef f(x): return x", "1"),
        ("run", "def f(x): return 1 / 0", "1"),
        ("run", "def f(x): return x", "1, 2"),
        ("run", "def f(x): raise SystemExit", "1"),
        ("run", "def f(x): raise StopIteration", "1"),
        ("run", "def f(x): raise KeyboardInterrupt", "1"),
        ("run", "def f(x):\n    while True: pass", "1"),
        (
            "run",
            "def f(x):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass",
            "1",
        ),
        ("run", "def f(x): return 'a' * 10**10", "1"),
        ("run", "def f(x): return f(x)", "1"),
        ("value", "def f(x): return lambda: x", "1"),
        ("value", "def f(x): return (i for i in range(x))", "1"),
        ("value", "def f(x): return [x] * 400", "123"),
        ("value", "def f(x): return 'ab' * 5000", "1"),
        ("value", "def f(x): return str(object())", "1"),
        ("value", "def f(x):\n    a = []\n    a.append(a)\n    return a", "1"),
        ("value", "class A:\n    def __init__(self): self.x = 1\ndef f(x): return A()", "1"),
        ("value", "from collections import Counter\ndef f(x): return Counter(x)", "'aab'"),
        ("trivial", "def f(x): return x", "7"),
        ("trivial", "def f(x, y): return y", "7, [1, 2]"),
        ("trivial", "def f(x): return 42", "7"),
        ("trivial", "def f(x): return [1, 2, len('abc')]", "'hello'"),
        ("trivial", "def f(): return 42", ""),
        ("trivial", "def f(x): return 'abc'", "None"),
    ],
)
def test_each_gate_refuses_what_it_is_for(
    examine: Callable[[str, str], Task | Refusal], gate: str, code: str, text: str
) -> None:
    refusal = examine(code, text)
    assert isinstance(refusal, Refusal) and refusal.gate == gate, refusal
    assert refusal.detail


NONDETERMINISTIC = [
    "def f(x): return list({'a', 'b', 'c', 'd', 'e', 'f'}) + [x]",
    "def f(x): return str({'alpha', 'beta', 'gamma', 'delta', x})",
    "def f(x): return ''.join(set('determinism' + x))",
    "def f(x): return next(iter({'p', 'q', 'r', 's', 't', 'u', 'v', x}))",
    "def f(x): return {'p', 'q', 'r', 's', 't', 'u', x}.pop()",
    "def f(x): return [k for k in frozenset(['one', 'two', 'three', 'four', 'five', x])]",
    "def f(x): return list({'a': 1, 'b': 2, 'c': 3, 'd': 4, 'e': 5}.keys() | {x})",
    "def f(x): return max({'aa', 'bb', 'cc', 'dd', 'ee', 'ff'}, key=len) + x",
    "def f(x): return sorted({'aa', 'bb', 'cc', 'dd', 'ee'}, key=len)[0] + x",
    "def f(x): return [len(repr(object())) % 7, repr(object()).split()[-1][4:], x]",
    "def f(x):\n    s = set()\n    for c in 'hash order ' + x: s.add(c)\n    out = ''\n    for c in s: out += c\n    return out",
    "from functools import reduce\ndef f(x): return reduce(lambda a, b: a + b, {'w', 'x', 'y', 'z', 'uv', 'st'}) + x",
]


@pytest.mark.parametrize("code", NONDETERMINISTIC)
def test_programs_that_hang_on_hash_order_or_addresses_are_refused(
    examine: Callable[[str, str], Task | Refusal], code: str
) -> None:
    refusal = examine(code, "'xyz'")
    assert isinstance(refusal, Refusal) and refusal.gate in ("determinism", "value"), refusal


DETERMINISTIC = [
    ("def f(x): return sorted(set(x))", "'banana'", "['a', 'b', 'n']"),
    ("def f(x): return set(x)", "[3, 1, 3]", "{1, 3}"),
    ("def f(x): return len({c for c in x})", "'banana'", "3"),
    ("def f(x): return sum({1, 2, x})", "7", "10"),
    ("def f(x): return {c: x.count(c) for c in set(x)}", "'aab'", "{'a': 2, 'b': 1}"),
    ("def f(x): return max(set(x), key=lambda c: (x.count(c), c))", "'aabb'", "'b'"),
    ("def f(x, seen=[]):\n    seen.append(x)\n    return len(seen) + x", "3", "4"),
    (
        "import functools\n@functools.lru_cache(None)\ndef f(n): return n if n < 2 else f(n - 1) + f(n - 2)",
        "20",
        "6765",
    ),
    ("def f(x): return x / 3", "1", "0.3333333333333333"),
    ("def f(x): return [x, float('inf')]", "1", "[1, float('inf')]"),
    ("def f(x): return {x, frozenset({x})}", "1", "{frozenset({1}), 1}"),
    ("def f(x): return x.encode()", "'é'", "b'\\xc3\\xa9'"),
]


@pytest.mark.parametrize(("code", "text", "gold"), DETERMINISTIC)
def test_deterministic_programs_are_admitted(
    examine: Callable[[str, str], Task | Refusal], code: str, text: str, gold: str
) -> None:
    task = examine(code, text)
    assert isinstance(task, Task) and task.gold == gold, task


def test_judging_reads_literals_and_executes_nothing(sandbox: Sandbox) -> None:
    family = Deduction(sandbox)
    task = Task("0", "deduction", {"code": "def f(x): return x", "input": "1"}, "[1, {'a': 2.5}]")
    answers = [
        "[1, {'a': 2.5}]", " [1,{'a':2.50,},]\n", "[1.0, {'\\x61': 25e-1}]", "[1, {'a': 2}]", "[True, {'a': 2.5}]", "(1, {'a': 2.5})", None, "", "the answer",
        "__import__('unittest.mock').mock.ANY", "1) or (True", "type('A', (), {'__eq__': lambda s, o: True})()", "10**10**9", "[" * 5000,
    ]  # fmt: skip
    right, wrong, unparsed = Verdict.CORRECT, Verdict.WRONG, Verdict.UNPARSED
    assert asyncio.run(family.judge(task, answers)) == [right] * 3 + [wrong] * 3 + [unparsed] * 8


def test_a_gold_that_no_longer_holds_is_told(sandbox: Sandbox) -> None:
    family = Deduction(sandbox)
    good = Task("0", "deduction", {"code": "def f(x): return x + 1", "input": "1"}, "2")
    stale = Task("0", "deduction", {"code": "def f(x): return x + 1", "input": "1"}, "3")
    broken = Task("0", "deduction", {"code": "def f(x): return x[0]", "input": "1"}, "3")
    assert asyncio.run(family.recheck(good)) is None
    for task in (stale, broken):
        refusal = asyncio.run(family.recheck(task))
        assert refusal is not None and refusal.gate == "determinism"


def test_checking_again_finds_a_task_that_hangs_on_hash_order(sandbox: Sandbox) -> None:
    family = Deduction(sandbox)
    code = "def f(x): return ''.join({'a', 'b', 'c', 'd', 'e', 'f', 'g'})"
    lucky = Task("0", "deduction", {"code": code, "input": "1"}, "'abcdefg'")
    assert any(asyncio.run(family.recheck(lucky)) for _ in range(sandbox.servers))


def test_a_program_near_its_budget_is_refused(sandbox: Sandbox) -> None:
    code = "def f(n):\n    s = 0\n    for i in range(n): s += i\n    return s"
    (outcome,) = asyncio.run(sandbox.run(Job(code, (encode((2_000_000,)),), limits=Limits(cpu_s=10.0))))
    draft = Draft("deduction", {"code": code, "input": "2000000"})
    gates = {}
    for share in (0.4, 1.5, 20.0):
        result = asyncio.run(Deduction(sandbox, Limits(cpu_s=outcome.cpu_s * share)).examine(draft))
        gates[share] = result.gate if isinstance(result, Refusal) else "admitted"
    assert gates == {0.4: "run", 1.5: "budget", 20.0: "admitted"}


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("def f(x):\n    assert x == 5\n    return 42", "5"),
        ("def f(x): return {5: 42}[x]", "5"),
        ("def f(x): return len(str(x))", "None"),
    ],
)
def test_a_program_that_runs_on_one_input_only_shows_no_dependence_on_it(
    examine: Callable[[str, str], Task | Refusal], code: str, text: str
) -> None:
    refusal = examine(code, text)
    assert isinstance(refusal, Refusal) and refusal.gate == "trivial", refusal


def test_views_held_under_a_name_are_run_under_every_hash_seed(examine: Callable[[str, str], Task | Refusal]) -> None:
    refusal = examine(
        "def f(x):\n    k = {'a': 1, 'b': 2, 'c': 3, 'd': 4}.keys()\n    return list(k | {x, 'e'})", "'z'"
    )
    assert isinstance(refusal, Refusal) and refusal.gate == "determinism", refusal


def test_programs_that_compute_the_same_share_an_identity_whatever_they_are_spelt_like(
    examine: Callable[[str, str], Task | Refusal],
) -> None:
    bodies = [
        "n * 3 + 4",
        "4 + 3 * n",
        "(n + 1) * 3 + 1",
        "n * 3 + 4 + 0",
        "[n * 3 + 4, 1][0]",
        "n * 3 + 4 if True else 0",
    ]
    tasks = [examine(f"def f(n):\n    return {body}", str(3 + i)) for i, body in enumerate(bodies)]
    tasks.append(examine("import math\ndef g(): pass\ndef f(n: int):\n    pass\n    x = 5\n    return n * 3 + 4", "9"))
    shared = set.intersection(*(set(task.identities) for task in tasks if isinstance(task, Task)))
    assert len(tasks) == 7 and all(isinstance(task, Task) for task in tasks) and len(shared) == 1
    other = examine("def f(n):\n    return n * 3 + 5", "3")
    assert isinstance(other, Task) and not shared & set(other.identities)


def test_a_program_that_never_ends_on_other_inputs_costs_little(examine: Callable[[str, str], Task | Refusal]) -> None:
    code = "def f(n):\n    while n != 5:\n        pass\n    return n + 1"
    refusal = examine(code, "5")
    assert isinstance(refusal, Refusal) and refusal.gate == "trivial"
