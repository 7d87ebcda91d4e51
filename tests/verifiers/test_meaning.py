# ruff: noqa: E501
from __future__ import annotations

import asyncio
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfplay.records import Verdict
from verifiers.codec import BadValue
from verifiers.sandbox import Limits, open_sandbox
from verifiers.symbolic.formula import read, value
from verifiers.symbolic.judging import MODULE, Meaning

pytest.importorskip("sympy")
RIGHT, WRONG, UNPARSED, TIMEOUT = Verdict.CORRECT, Verdict.WRONG, Verdict.UNPARSED, Verdict.TIMEOUT


@pytest.fixture(scope="module")
def meaning() -> Iterator[Meaning]:
    with Meaning(limits=Limits(cpu_s=1.0, wall_s=30.0, memory_mb=512)) as judge:
        yield judge


@pytest.mark.parametrize(
    ("gold", "answers"),
    [
        (
            "1/2",
            [
                "0.5",
                ".5",
                "\\frac{1}{2}",
                "\\frac12",
                "\\dfrac 1 2",
                "2/4",
                "2^{-1}",
                "$\\frac{1}{2}$",
                "\\(1/2\\)",
                "\\sqrt{1/4}",
                "1/2.",
            ],
        ),
        ("-3", ["-3", "−3", "3 - 6", "-(3)", "-\\left(3\\right)", "3i^2"]),
        ("x^2+2x+1", ["(x+1)^2", "(x+1)(x+1)", "(1+x)**2", "x*x+2*x+1", "1 + x(x + 2)", "|x+1|^2"]),
        ("2x+2y", ["2(x+y)", "2y+2x", "x+x+y+y", "\\frac{4x+4y}{2}"]),
        (
            "sqrt(2)/2",
            ["1/sqrt(2)", "\\frac{\\sqrt{2}}{2}", "\\sin(\\pi/4)", "2^{-1/2}", "√2/2", "\\cos \\frac{\\pi}{4}"],
        ),
        (
            "2",
            [
                "\\sqrt[3]{8}",
                "|-2|",
                "\\ln(e^2)",
                "2!",
                "4^{1/2}",
                "gcd(4, 6)",
                "floor(2.9)",
                "ceil(1.1)",
                "\\log(e)*2",
            ],
        ),
        ("1", ["\\sin^2 x + \\cos^2 x", "e^0", "-e^{i\\pi}", "x/x", "0!"]),
        ("(1, 2)", ["(1,2)", "( 2/2 , \\sqrt{4} )"]),
        ("[0, 1]", ["[0,1]"]),
        ("{1, 2, 3}", ["{3,2,1}", "\\{1, 2, 3\\}"]),
        ("x = 3", ["3", "x=3", "x = 6/2"]),
        ("3", ["x = 3"]),
        ("1000000", ["1,000,000", "10^6", "1{,}000{,}000"]),
        ("\\infty", ["oo", "inf", "\\infty"]),
        ("0.1", ["1/10", "0.10"]),
        ("24", ["4!", "2*3*4"]),
    ],
)
def test_what_means_the_same_is_right(meaning: Meaning, gold: str, answers: list[str]) -> None:
    assert dict(zip(answers, asyncio.run(meaning.judge(gold, answers)), strict=True)) == dict.fromkeys(answers, RIGHT)


@pytest.mark.parametrize(
    ("gold", "answers"),
    [
        ("1/2", ["1/3", "2", "0.50001", "-1/2", "x", "(1, 2)", "1/0"]),
        ("x^2+2x+1", ["x^2+2x+2", "(y+1)^2", "x^2", "(x-1)^2", "x"]),
        ("x", ["|x|", "\\sqrt{x^2}", "-x"]),
        ("sqrt(2)", ["1.41421356237309", "sqrt(3)", "2"]),
        ("(1, 2)", ["(2, 1)", "[1, 2]", "{1, 2}", "(1, 2, 3)", "1"]),
        ("{1, 2}", ["{1, 1}", "{1, 2, 2}", "{1}"]),
        ("x = 3", ["x = 4", "y = 3", "4"]),
        ("\\infty", ["-\\infty", "10^{100}"]),
    ],
)
def test_what_means_something_else_is_wrong(meaning: Meaning, gold: str, answers: list[str]) -> None:
    assert dict(zip(answers, asyncio.run(meaning.judge(gold, answers)), strict=True)) == dict.fromkeys(answers, WRONG)


def test_words_and_code_are_no_formulas(meaning: Meaning) -> None:
    answers = [
        None,
        "",
        "__import__('os')",
        "1) or (True",
        "'a'",
        "1;2",
        "x.y",
        "1 +",
        "((1)",
        "\\foo{1}",
        "\\frac{1}",
        "|1",
        "a[0",
        "1" * 600,
        "(" * 60 + "1" + ")" * 60,
        "9" * 300,
    ]
    assert asyncio.run(meaning.judge("1", answers)) == [UNPARSED] * len(answers)
    with pytest.raises(BadValue):
        asyncio.run(meaning.judge("no formula!?", ["1"]))


def test_an_answer_that_would_take_for_ever_costs_its_budget_and_its_neighbours_nothing(meaning: Meaning) -> None:
    answers = ["9^9^9^9", "3^2", "(10^7)!", "\\sqrt{81}", "10^10^10"]
    assert asyncio.run(meaning.judge("9", answers)) == [TIMEOUT, RIGHT, TIMEOUT, RIGHT, TIMEOUT]


def test_a_sandbox_that_is_lent_serves_and_is_left_open() -> None:
    with open_sandbox(servers=1, witnesses=0, preload=(MODULE,)) as lent:
        for gold, answer in (("1/2", "sin(pi/6)"), ("sqrt(8)", "2sqrt(2)")):
            with Meaning(lent) as judge:
                assert asyncio.run(judge.judge(gold, [answer, "3"])) == [RIGHT, WRONG]


def test_a_function_and_a_root_take_a_whole_number_and_a_fraction_its_first_digit() -> None:
    assert read("\\cos 60 + √12") == read("cos(60) + sqrt(12)")
    assert read("\\frac12") == read("\\frac{1}{2}") and read("\\frac1{72}") == read("1/72")


@given(st.text(alphabet="0123456789.xyie+-*/^()[]{}|=!,\\ fracsqrtpi", max_size=60) | st.text(max_size=40))
def test_reading_raises_only_its_own_error(text: str) -> None:
    try:
        tree = read(text)
    except BadValue:
        return
    assert isinstance(tree[0], str)
    value(tree)


@given(st.integers(-999, 999), st.integers(1, 999))
def test_fractions_are_read_exactly(numerator: int, denominator: int) -> None:
    for text in (f"{numerator}/{denominator}", f"\\frac{{{numerator}}}{{{denominator}}}"):
        assert value(read(text)) == Fraction(numerator, denominator)


@pytest.mark.parametrize("answer", ["-oo", "x + -oo", "5 + -oo", "oo - oo"])
@pytest.mark.parametrize("gold", ["0", "5", "x", "sqrt(2)", "pi", "sin(x)", "x = 5"])
def test_infinity_is_no_answer_to_what_is_finite(meaning: Meaning, answer: str, gold: str) -> None:
    assert asyncio.run(meaning.judge(gold, [answer])) != [Verdict.CORRECT]


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("x + (5x-7)(8x+13)(11x-29)(7x+3)(3x-17)", "x"),
        ("floor(x/100 + 1/2)", "0*x"),
        ("gcd(x, y)", "1"),
        ("e^{-200}", "0"),
        ("sqrt(2) + 10^{-40}", "sqrt(2)"),
        ("sqrt(2) + 10^{-300}", "sqrt(2)"),
    ],
)
def test_an_answer_made_to_agree_where_it_is_looked_at_is_wrong(meaning: Meaning, answer: str, gold: str) -> None:
    assert asyncio.run(meaning.judge(gold, [answer])) == [Verdict.WRONG]


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("sqrt(3 + 2 sqrt(2))", "1 + sqrt(2)"),
        ("sin(pi/6)", "0.5"),
        ("sin(x)^2 + cos(x)^2", "1"),
        ("(x^2 - 1)/(x - 1)", "x + 1"),
        ("sqrt(2)/2", "1/sqrt(2)"),
        ("ln(8)/ln(2)", "3"),
        ("e^{ln(5)}", "5"),
        ("floor(x) + 1", "1 + floor(x)"),
    ],
)
def test_another_road_to_the_same_value_is_right(meaning: Meaning, answer: str, gold: str) -> None:
    assert asyncio.run(meaning.judge(gold, [answer])) == [Verdict.CORRECT]
