"""Problems as text, and the truth that is derived from them; the sandbox is met in `test_math_family`."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("sympy")

from verifiers.codec import BadValue
from verifiers.symbolic import formula, statement
from verifiers.symbolic.exact import TooLarge, evaluate
from verifiers.symbolic.forms import FORMS
from verifiers.symbolic.formula import Tree
from verifiers.symbolic.numeric import mp
from verifiers.symbolic.problems import _KINDS, derive
from verifiers.symbolic.roots import count_roots
from verifiers.symbolic.writing import write

GOLD = {
    "compute": "247/3",
    "gcd": "12",
    "lcm": "36",
    "mod": "4",
    "count": "16",
    "sum": "385",
    "product": "420",
    "solve": "{2, 3}",
    "system": "(3, 2)",
    "derive": "25",
    "integrate": "8/3",
    "limit": "1",
    "maximum": "9",
    "minimum": "-2",
}


def gold(text: str) -> str:
    found = derive(text)
    assert found[0] == "gold", found
    return found[1]


def form(text: str) -> str:
    return derive(text)[2]


def gate(text: str) -> str:
    found = derive(text)
    assert found[0] == "refused" and len(found) == 3, found
    assert found[2][0].isupper() and found[2].endswith(".")
    return found[1]


def test_every_kind_has_an_example_with_a_known_answer() -> None:
    assert {kind: gold(form.example) for kind, form in FORMS.items()} == GOLD
    assert all(form.example.split()[0].rstrip(":") == kind for kind, form in FORMS.items())


@pytest.mark.parametrize("kind", FORMS)
def test_the_second_way_of_every_kind_tells_a_wrong_answer_from_the_right_one(kind: str) -> None:
    problem = statement.read(FORMS[kind].example)
    with mp.workdps(30):
        assert _KINDS[kind].confirm(problem, formula.read(GOLD[kind])) is True
        for wrong in _near_misses(GOLD[kind]):
            assert _KINDS[kind].confirm(problem, formula.read(wrong)) is False, wrong


def _near_misses(text: str) -> list[str]:
    """Other answers of the same form: one number changed by one or by a little, a solution too many or too few."""
    if text[0] == "{":
        return ["{1, 2, 3}", "3", "{2, 4}", "{2, 3 + 1/10^9}", "{2, 2}"]
    if text[0] == "(":
        return ["(2, 3)", "(3, 3)", "(3, 2 + 1/10^9)"]
    return [f"{text} + 1", f"-({text})", f"{text} + 1/10^9", "0"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("compute: (3/4 + 5/6)*12", "19"),
        ("compute: 0.1 + 0.2", "3/10"),
        ("compute: floor(17/5) + ceil(7/2) - gcd(12, 18)", "1"),
        ("gcd: 2^10 - 1, 2^15 - 1", "31"),
        ("lcm: 4, 6, 10", "60"),
        ("mod 1000000: 7^7^7", "132343"),
        ("mod 10: -3", "7"),
        ("mod 12: 3^3^3^3 + 5!*2", "3"),
        ("count n from -50 to 50: n mod 7 = 3 or n mod 5 = 1", "31"),
        ("count n from 1 to 100: gcd(n, 12) = 1 and n^2 > 50", "30"),
        ("sum i from 0 to 10: (-1)^i/i!", "16481/44800"),
        ("sum k from 1 to 200: gcd(k, 6)", "498"),
        ("product k from 2 to 100: 1 - 1/k^2", "101/200"),
        ("solve x: 2x = 6", "3"),
        ("solve x: x^2 = 2", "{-sqrt(2), sqrt(2)}"),
        ("solve x: x^3 = 2", "2^(1/3)"),
        ("solve x: sqrt(2x + 3) = x", "3"),
        ("solve x: |x - 1| + |x + 2| = 5", "{-3, 2}"),
        ("solve x: e^(2x) - 3e^x + 2 = 0", "{0, ln(2)}"),
        ("solve y: 1/y + 1/(y - 1) = 2", "{1 - sqrt(2)/2, sqrt(2)/2 + 1}"),
        ("system x, y, z: x + y + z = 6; x - y = 0; z = 3", "(3/2, 3/2, 3)"),
        ("derive x: x^3 - 2x", "3x^2 - 2"),
        ("derive x at pi/4: tan(x)", "2"),
        ("derive x at 2: x^x", "4ln(2) + 4"),
        ("integrate x from 0 to oo: e^(-x^2)", "sqrt(pi)/2"),
        ("integrate x from 0 to 1: ln(x)", "-1"),
        ("integrate x from 0 to pi: |cos(x)|", "2"),
        ("limit x to oo: (1 + 1/x)^x", "e"),
        ("limit x to 0: (sin(tan(x)) - tan(sin(x)))/x^7", "-1/30"),
        ("limit x to 0: x*ln(x)", "0"),
        ("maximum t from 0 to pi: sin(t) + cos(t)", "sqrt(2)"),
        ("minimum x from 0 to 1: |x - 1/3|", "0"),
    ],
)
def test_the_gold_is_exact_and_canonical(text: str, answer: str) -> None:
    assert gold(text) == answer
    assert write(formula.read(answer)) == answer


@pytest.mark.parametrize(
    "text",
    [
        "solve x: x^2 + 1 = 0",
        "solve x: x = x",
        "solve x: sin(x) = 1/2",
        "solve x: x^5 - x - 1 = 0",
        "solve x: x^3 - 3x + 1 = 0",
        "solve x: x^(2/3) = 4",
        "solve x: 3 = 4",
        "system x, y: x + y = 2; 2x + 2y = 4",
        "system x, y: x*y = 2; x + y = 3",
        "compute: 1/0",
        "compute: 2^(1/2)",
        "compute: 2^600",
        "gcd: 0, 5",
        "mod 0: 5",
        "mod 7: 2^(0 - 1)",
        "count n from 1 to 9: n/2 mod 3 = 0",
        "sum k from 1 to 10: 1/(k - 3)",
        "sum k from 1 to 1000: k!",
        "derive x at 0: 1/x",
        "derive x: |x|",
        "integrate x from -1 to 1: 1/x",
        "integrate x from -1 to 1: 1/x^2",
        "integrate x from 1 to oo: 1/x",
        "integrate x from 2 to 0: x",
        "integrate x from -8 to 8: x^(1/3)",
        "integrate x from 0 to 1: sin(x^2)",
        "limit x to 0: 1/x",
        "limit x to 0: |x|/x",
        "limit x to 0: sin(1/x)",
        "maximum x from -1 to 1: 1/x",
        "minimum x from 3 to 1: x^2",
    ],
)
def test_what_has_no_closed_finite_real_answer_is_refused_at_the_gate_value(text: str) -> None:
    assert gate(text) == "value"


@pytest.mark.parametrize(
    "text",
    [
        "solve x: ln(x) + ln(x - 3) = ln(10)",  # sympy has -2 beside 5
        "derive x at 0: |x|",  # sympy has 0
        "derive x at -2: ln(x)",  # sympy has -1/2
        "limit x to oo: 1/ln(x)",  # true, and too slow to be seen
        "integrate x from 0 to 1000: sin(x)",  # true, and too many waves to add up
    ],
)
def test_what_the_second_way_does_not_confirm_is_refused_at_the_gate_consistent(text: str) -> None:
    assert gate(text) == "consistent"


@pytest.mark.parametrize(
    "text",
    [
        "solve x: x = 4",
        "solve x: 2 + 2 = x*1 + 0",
        "system x, y: x = 1; 2 = y",
        "compute: 7",
        "compute: -3/4",
        "compute: 7*1 + 0",
        "gcd: 12, 36",
        "lcm: 12, 36",
        "mod 7: 3",
        "mod 7: 2 + 3",
        "mod 1: 3^100",
        "count n from 1 to 9: 3 > 2",
        "count n from 1 to 9: n > 0",
        "count n from 1 to 9: n > 9",
        "sum k from 1 to 9: 3",
        "sum k from 5 to 5: k^2",
        "product k from 5 to 4: k",
        "derive x: 5",
        "derive x at 3: 2(x + 1)",
        "derive x: e^x",
        "integrate x from 0 to 2: 0",
        "integrate x from 1 to 1: x^2",
        "limit x to 2: x",
        "limit x to 2: 7",
        "maximum x from 0 to 3: x",
        "minimum x from 0 to 3: -x",
    ],
)
def test_what_can_be_read_off_the_question_is_refused_at_the_gate_trivial(text: str) -> None:
    assert gate(text) == "trivial"


@pytest.mark.parametrize(
    "same",
    [
        ["solve x: 2x = 6", "solve y: 3y = 9", "solve z: 9 - 3z = 0", "solve x: x/3 - 1 = 0"],
        ["solve x: x^2 - 5x + 6 = 0", "solve t: (t - 2)(t - 3) = 0", "solve x: 2x(x - 5) = -12"],
        ["sum k from 1 to 10: k^2", "sum j from 2/2 to 5*2: j*j + 0"],
        ["system x, y: x + y = 5; x - y = 1", "system a, b: a - b = 1; 2a + 2b = 10"],
        ["system x, y: x + y = 5; x - y = 1", "system x, y: y - x = 1; x + y = 5"],
        ["compute: 12*7 + 5", "compute: 5 + 7*12 + 0"],
        ["gcd: 84, 36", "gcd: 36, 84"],
        ["count n from 1 to 9: n > 3 and n < 8", "count k from 1 to 9: 8 > k and 3 < k"],
        ["integrate x from 0 to pi: 2sin(x)*x", "integrate t from 0 to 2pi/2: t*2sin(t)"],
        ["limit x to oo: (1 + 1/x)^x", "limit y to oo: (1/y + 1)^y"],
    ],
)  # fmt: skip
def test_spellings_of_one_problem_have_one_form(same: list[str]) -> None:
    assert len({form(text) for text in same}) == 1


def test_other_numbers_make_another_form() -> None:
    texts = ["solve x: 2x = 6", "solve x: 2x = 8", "sum k from 1 to 10: k^2", "sum k from 1 to 11: k^2"]
    texts += ["sum k from 1 to 10: 2k^2", "compute: 12*7 + 5", "compute: 89 + 0*4 - 1", "mod 7: 3^100", "mod 7: 3^101"]
    texts += ["integrate x from 0 to 2: x^2", "derive x at 2: x^2", "derive x at 3: x^2", "derive x: x^2"]
    assert len({form(text) for text in texts}) == len(texts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("integrate x from 0 to 1: 1 - cos(x)^2", "integrate x from 0 to 1: sin(x)^2"),
        ("count n from 1 to 99: n mod 6 = 0", "count n from 1 to 99: n mod 2 = 0 and n mod 3 = 0"),
        ("sum k from 1 to 9: (-1)^(2k)*k", "sum k from 1 to 9: k"),
        ("solve x: sqrt(x^2 + 2x + 1) = 3", "solve x: 2*|x + 1| = 6"),
    ],
)
def test_formulas_with_the_same_values_behave_alike_and_others_do_not(one: str, other: str) -> None:
    assert derive(one)[3] == derive(other)[3] != "" and form(one) != form(other)
    assert derive(one)[3] != derive(one.replace("1", "2", 1))[3]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "solve",
        "solve x x = 1",
        "solve: x = 1",
        "solve x: x",
        "solve x: 1 = x = 1",
        "solve e: e = 1",
        "solve x, y: x = y",
        "solve x: zeta(x) = 0",
        "solve x: i*x = 1",
        "solve x: x = oo",
        "solve x: ln(x, 2) = 3",
        "solve x: (1, 2) = x",
        "solve x: __import__ = 1",
        "system x, y: x + y = 3",
        "system x, x: x = 3; x = 3",
        "integrate x from 0: x",
        "integrate x to 2: x",
        "sum k from a to b: k",
        "sum k from 1 to 5/2: k",
        "sum k from 1 to oo: k",
        "sum k from 1 to 10: sqrt(k)",
        "count n from 1 to 10: n",
        "count n from 1 to 10: 1 < n < 5",
        "count n from 1 to 10: n = 1 and n = 2 or n = 3",
        "mod: 3",
        "mod 7: 1/2",
        "gcd: 12",
        "compute: 3 + 4 = 7",
    ],
)
def test_what_is_no_problem_is_a_bad_value(text: str) -> None:
    with pytest.raises(BadValue) as raised:
        statement.read(text)
    assert not isinstance(raised.value, TooLarge)


@pytest.mark.parametrize(
    "text",
    [
        "compute: 9^9^9^9",
        "compute: 10^10^10",
        "compute: (10^7)!",
        "compute: 123456789012345678901",
        "mod 7: 3^10^10^10",
        "mod 1000000: (10^6)!",
        "mod 10^12: 3^5",
        "sum k from 1 to 10^12: k",
        "sum k from 1 to 1001: k",
        "solve x: x^10^10^10 = 1",
        "integrate x from 0 to 10^7: x",
        "compute: " + "+1" * 99 + " ",
        "compute: 1" + "-1" * 60,
    ],
)
def test_what_is_over_a_cap_is_too_large_before_any_work_is_done(text: str) -> None:
    with pytest.raises(TooLarge):
        statement.read(text)


def test_brackets_without_end_are_a_bad_value() -> None:
    for text in ("(" * 80 + "x" + ")" * 80, "|" * 90, "-" * 90 + "x", "x^" * 90 + "x", "sqrt " * 30 + "x"):
        with pytest.raises(BadValue):
            statement.read(f"derive x: {text}")


@given(st.text(alphabet="0123456789xkn.+-*/^()|!=<>,;: eipsqrtmodfancg\n", max_size=60) | st.text(max_size=30))
def test_reading_a_body_raises_only_its_own_error(text: str) -> None:
    for head in ("solve x", "system x, y", "count n from 1 to 9", "gcd", "mod 7", "integrate x from 0 to 1", text):
        try:
            problem = statement.read(f"{head}: {text}")
        except BadValue:
            continue
        assert statement.read(statement.show(problem)) == problem


def formulas(letters: list[str]) -> st.SearchStrategy[str]:
    leaves = st.sampled_from([*letters, "2", "7", "0.5", "pi", "e"])
    pairs = ["{} + {}", "{} - {}", "({})*({})", "({})/({})", "({})^({})"]
    singles = ["-({})", "sin({})", "sqrt({})", "|{}|", "3({})", "\\frac{{{}}}{{2}}"]

    def grow(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        two = st.tuples(st.sampled_from(pairs), parts, parts).map(lambda t: t[0].format(t[1], t[2]))
        return two | st.tuples(st.sampled_from(singles), parts).map(lambda t: t[0].format(t[1]))

    return st.recursive(leaves, grow, max_leaves=8)


@given(formulas(["x", "y"]))
def test_a_formula_is_read_back_from_its_own_text(text: str) -> None:
    tree = formula.read(text)
    assert formula.read(write(tree)) == tree
    assert write(formula.read(write(tree))) == write(tree)


@settings(max_examples=40)
@given(formulas(["k"]).filter(lambda text: "pi" not in text and "e" not in text), st.randoms(use_true_random=False))
def test_whatever_is_asked_about_ends_in_a_gold_or_a_refusal(text: str, rng: random.Random) -> None:
    heads = ["sum k from 1 to 6", "product k from 1 to 6", "derive k at 2", "limit k to 1", "minimum k from 1 to 2"]
    found = derive(f"{rng.choice(heads)}: {text.replace('^', '*')}")
    assert (found[0], len(found)) in (("gold", 4), ("refused", 3)) and all(isinstance(part, str) for part in found)


@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(1, 9))
def test_exact_values_are_those_of_fractions(a: int, b: int, c: int) -> None:
    assert evaluate(formula.read(f"({a})*({b})/{c} - ({a})^2 + |{b}|")) == Fraction(a * b, c) - a * a + abs(b)
    assert evaluate(("mod", _whole(a), _whole(c))) == a % c


def _whole(number: int) -> Tree:
    return formula.read(str(number))


@given(st.lists(st.integers(-9, 9), max_size=6), st.integers(0, 2))
def test_real_roots_are_counted_each_once(roots: list[int], complex_pairs: int) -> None:
    polynomial = [Fraction(1)]
    for factor in [[-root, 1] for root in roots] + [[1, 1, 1]] * complex_pairs:
        product = [Fraction(0)] * (len(polynomial) + len(factor) - 1)
        for i, a in enumerate(polynomial):
            for j, b in enumerate(factor):
                product[i + j] += a * b
        polynomial = product
    assert count_roots(polynomial) == len(set(roots))
