# ruff: noqa: E501
from __future__ import annotations

import asyncio

import pytest

from selfplay.records import Verdict
from verifiers import grade
from verifiers.sandbox import Limits, Sandbox
from verifiers.values import BadValue, encode

RIGHT, WRONG, UNPARSED = Verdict.CORRECT, Verdict.WRONG, Verdict.UNPARSED
LIMITS = Limits(cpu_s=0.2)


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("[1,2,]", "[1, 2]"), ("{'b':1,'a':2}", "{'a': 2, 'b': 1}"), ("-0", "0"), ("1e3", "1000"), ("1000", "1000.0"), ("'\\x41\\u0042'", "'AB'"),
        ('"it\'s"', '"it\\\'s"'), ("'''a'''", "'a'"), ("'a' 'b'", "'ab'"), ("{2,1,1}", "{1, 2}"), ("( 1 , )", "(1,)"), ("0x10", "16"), ("1_0", "10"),
        ("float('nan')", "nan"), ("nan", "float('nan')"), ("[0.0]", "[-0.0]"), ("{1: 'a', 2.0: 'b'}", "{2: 'b', 1: 'a'}"), ("None", "None"), ("  'a'\n", "'a'"),
        ("set()", "set()"), ("1.0000000000000002", "1.0000000000000002"), ("b'\\x61'", "b'a'"), ("[[[]]]", "[[[]]]"),
    ],
)  # fmt: skip
def test_a_right_answer_in_any_legal_spelling_is_right(answer: str, gold: str) -> None:
    assert grade.output(answer, gold) is RIGHT


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("True", "1"), ("1", "True"), ("1.0", "True"), ("[1, 2]", "(1, 2)"), ("'1'", "1"), ("None", "0"), ("{}", "set()"), ("[2, 1]", "[1, 2]"),
        ("1.1", "1"), ("'a '", "'a'"), ("frozenset({1})", "{1}"), ("b'a'", "'a'"), ("1.0000000000000002", "1"),
    ],
)  # fmt: skip
def test_a_near_miss_is_wrong(answer: str, gold: str) -> None:
    assert grade.output(answer, gold) is WRONG


EXPLOITS = [
    "__import__('unittest.mock').mock.ANY", "__import__('os').system('touch /tmp/owned')", "1) or (True", "True or 1", "type('A', (), {'__eq__': lambda s, o: True})()",
    "(lambda: 999)()", "[999 for _ in [1]]", "10**10**9", "f'{999}'", "999 if True else 0", "x := 999", "print(999)", "eval('999')", "*[999]", "999; 1", "999\n1",
    "globals()", "object()", "...", "__builtins__", "answer", "max(999, 1)", "int('999')", "[999][0]", "999 + 0", "~-1000", "not 0", "9" * 16_000, "(" * 9_000,
    "[" * 60 + "]" * 60, "()" * 100_000, "-" * 15_000 + "1", "\0", "999\0", "\ud800", "", " ",
]  # fmt: skip


@pytest.mark.parametrize("answer", EXPLOITS)
def test_every_exploit_known_from_neighbouring_systems_scores_nothing(answer: str) -> None:
    assert grade.output(answer, "999") is UNPARSED


def test_a_tolerance_can_be_asked_for_floats() -> None:
    assert grade.output("0.30000000000000004", "0.3") is WRONG
    assert grade.output("[0.30000000000000004, 1]", "[0.3, 1]", rel_tol=1e-9) is RIGHT
    assert grade.output("3.0", "3", policy="strict") is WRONG
    with pytest.raises(BadValue):
        grade.output("1", "no literal")


def test_any_preimage_is_right_and_each_answer_is_judged_alone(sandbox: Sandbox) -> None:
    code = "def f(x):\n    while x == 7: pass\n    if x == 8: return [0] * 10**9\n    return abs(x) % 10 if x != 5 else {}[x]"
    answers = [
        "3",
        "-3",
        "13",
        "4",
        "7",
        "8",
        "5",
        None,
        "",
        "1, 2",
        "'a'",
        "3) or (3",
        "x=3",
        "__import__('os')",
        "3.0",
        "-3",
    ]
    verdicts = asyncio.run(grade.inputs(sandbox, code, "3", answers, LIMITS))
    assert verdicts == [
        RIGHT, RIGHT, RIGHT, WRONG, Verdict.TIMEOUT, Verdict.CRASHED, WRONG, UNPARSED, WRONG, WRONG, WRONG, UNPARSED, UNPARSED, UNPARSED, RIGHT, RIGHT,
    ]  # fmt: skip
    assert asyncio.run(grade.inputs(sandbox, code, "3", [None, "("])) == [UNPARSED, UNPARSED]
    assert asyncio.run(grade.inputs(sandbox, "def f(): return 3", "3", [""])) == [RIGHT]


def test_an_input_cannot_bring_an_object_that_says_yes_to_all(sandbox: Sandbox) -> None:
    code = "def f(x): return x"
    sly = [
        "type('A', (), {'__eq__': lambda s, o: True})()",
        "__import__('unittest.mock').mock.ANY",
        "1) or (True",
        "999 or x",
    ]
    assert asyncio.run(grade.inputs(sandbox, code, "999", sly)) == [UNPARSED] * 4


def test_the_order_of_a_dict_in_an_answer_reaches_the_program(sandbox: Sandbox) -> None:
    code = "def f(d): return list(d)"
    assert asyncio.run(grade.inputs(sandbox, code, "['b', 'a']", ["{'b': 1, 'a': 2}", "{'a': 1, 'b': 2}"])) == [
        RIGHT,
        WRONG,
    ]


CASES = [(encode((i,)), encode(i * i)) for i in range(5)]


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        ("def f(x): return x * x", RIGHT),
        ("def f(x): return float(x * x)", RIGHT),
        ("def f(x): return x * x if x < 4 else 15", WRONG),
        ("def f(x): return x * x if x else False", WRONG),
        ("def f(x) return", UNPARSED),
        ("def f(x): return '\0'", UNPARSED),
        ("def g(x): return x * x", WRONG),
        ("def f(x): return eval(x)", WRONG),
        ("def f(x): raise SyntaxError", WRONG),
        ("def f(x):\n    while x == 3: pass\n    return x * x", Verdict.TIMEOUT),
        ("def f(x): return [x] * 10**12", Verdict.CRASHED),
        ("class A:\n    def __eq__(self, o): return True\n    __hash__ = None\ndef f(x): return A()", WRONG),
        ("def f(x):\n    import os\n    os._exit(0)", WRONG),
        (
            "def f(x):\n    for k in ().__class__.__base__.__subclasses__():\n        if k.__name__ == '_wrap_close': k.__init__.__globals__['_exit'](0)",
            WRONG,
        ),
        (
            "def f(x):\n    for k in ().__class__.__base__.__subclasses__():\n        if k.__name__ == '_wrap_close': k.__init__.__globals__['kill'](1, 9)",
            Verdict.UNSAFE,
        ),
        ("#" * 500_000 + "\ndef f(x): return x * x", UNPARSED),
    ],
)
def test_a_program_must_match_every_case(sandbox: Sandbox, code: str, verdict: Verdict) -> None:
    assert asyncio.run(grade.program(sandbox, code, CASES, LIMITS)) is verdict


def test_a_program_without_cases_proves_nothing(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError):
        asyncio.run(grade.program(sandbox, "def f(x): return x", []))


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("ValueError", RIGHT), (" ValueError\n", RIGHT), ("KeyError", WRONG), ("valueerror", UNPARSED), ("ValueError()", UNPARSED), ("'ValueError'", UNPARSED),
        ("ValueError or KeyError", UNPARSED), ("", UNPARSED), ("int", UNPARSED), ("__import__", UNPARSED), ("Exception", WRONG),
    ],
)  # fmt: skip
def test_an_error_is_named_exactly(answer: str, verdict: Verdict) -> None:
    assert grade.error(answer, "ValueError") is verdict


def test_what_one_answer_leaves_in_a_library_is_not_there_for_the_next(sandbox: Sandbox) -> None:
    code = (
        "from collections import Counter\nC = Counter\ndef f(x):\n    if type(C.total) is not int:\n        C.total = 0\n"
        "    C.total += 1\n    return x * 2 if C.total == 1 else 0"
    )
    assert asyncio.run(grade.inputs(sandbox, code, "10", ["5", "5", "5"])) == [Verdict.CORRECT] * 3
