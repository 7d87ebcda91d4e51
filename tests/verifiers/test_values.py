# ruff: noqa: E501
from __future__ import annotations

import contextlib
import math
import time
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifiers.codec import MAX_INT_BITS
from verifiers.values import BadValue, decode, encode, equal, parse, parse_arguments, show, show_arguments

_NUMBERS = st.integers(-(2**200), 2**200) | st.floats() | st.complex_numbers()
_ATOMS = st.none() | st.booleans() | _NUMBERS | st.text(max_size=8) | st.binary(max_size=8)
_HASHABLE = st.recursive(
    _ATOMS, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=5
).filter(lambda value: "nan" not in repr(value))
VALUES = st.recursive(
    _ATOMS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.sets(_HASHABLE, max_size=4)
        | st.frozensets(_HASHABLE, max_size=3)
        | st.dictionaries(_HASHABLE, inner, max_size=4)
    ),
    max_leaves=12,
)


def same(a: Any, b: Any) -> bool:
    """Equality by structure, written independently of the codec."""
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (set, frozenset)):
        return len(a) == len(b) and all(any(same(x, y) for y in b) for x in a)
    if isinstance(a, dict):
        return len(a) == len(b) and all(any(same(k, q) and same(v, b[q]) for q in b) for k, v in a.items())
    if isinstance(a, complex):
        return same(a.real, b.real) and same(a.imag, b.imag)
    if isinstance(a, float):
        return a == b and math.copysign(1, a) == math.copysign(1, b) or (a != a and b != b)
    return bool(a == b)


@given(VALUES)
def test_a_value_comes_back_from_its_bytes(value: Any) -> None:
    assert same(decode(encode(value)), value)
    assert encode(decode(encode(value))) == encode(value)


@given(VALUES)
def test_a_shown_value_is_read_back(value: Any) -> None:
    assert encode(parse(show(value))) == encode(value)
    assert parse_arguments(show_arguments((value, value))) is not None


@given(VALUES, VALUES)
def test_bytes_are_equal_exactly_when_structures_are(a: Any, b: Any) -> None:
    assert (encode(a) == encode(b)) == same(a, b)
    assert equal(encode(a), encode(b)) == same(a, b)


@given(VALUES)
def test_ordered_bytes_keep_the_order_of_a_dict(value: Any) -> None:
    again = decode(encode(value, ordered=True), ordered=True)
    assert same(again, value)
    if type(value) is dict:
        assert encode(list(again)) == encode(list(value))


@given(st.binary(max_size=200))
@settings(max_examples=400)
def test_the_decoder_raises_only_its_own_error(data: bytes) -> None:
    try:
        value = decode(data)
    except BadValue:
        return
    assert encode(value) == data


@given(VALUES, st.data())
@settings(max_examples=400)
def test_a_damaged_encoding_is_refused_or_means_itself(value: Any, draw: Any) -> None:
    data = bytearray(encode(value))
    at = draw.draw(st.integers(0, len(data) - 1))
    data[at] = draw.draw(st.integers(0, 255))
    try:
        again = decode(bytes(data))
    except BadValue:
        return
    assert bytes(data) == encode(again)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"i;", b"i01;", b"i-0;", b"i+1;", b"i_1;", b"i 1;", b"iFF;", b"f1;", b"f0x1p0;", b"fNAN;", b"s3:ab", b"s03:abc",
        b"s99999999:a", b"s1:\xff", b"[i1;", b"{i2;i1;}", b"{i1;i1;}", b"{Ti1;}", b"di2;Ni1;N;", b"di1;Ni1;N;", b"dTNi1;N;",
        b"{[]}", b"d[]N;", b"i1;i2;", b"x", b"(" * 5000, b"[" * 41 + b"]" * 41, b"b-1:", b"cfoo;", b"<", b"i" + b"f" * 9000 + b";",
    ],
)  # fmt: skip
def test_what_encode_never_writes_is_refused(data: bytes) -> None:
    with pytest.raises(BadValue):
        decode(data)


def test_decoding_takes_memory_in_proportion_to_the_bytes() -> None:
    for data in (
        b"s131000:x",
        b"[" + b"N" * 100_000 + b"]",
        b"[" * 131_000,
        b"b131060:" + b"x" * 131_060,
        b"{" + b"i1;" * 40_000 + b"}",
    ):
        tracemalloc.start()
        with contextlib.suppress(BadValue):
            decode(data)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 60 * len(data) + 100_000
    with pytest.raises(BadValue):
        decode(b"b9999999:" + b"x" * 9_999_999)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1,2,]", [1, 2]),
        ("{'b':1,'a':2}", {"a": 2, "b": 1}),
        ("-0", 0),
        ("1e3", 1000.0),
        ("+5", 5),
        ("1_000", 1000),
        ("0x1F", 31),
        (" ( 1 , ) ", (1,)),
        ("(((1)))", 1),
        ("'it\\'s'", "it's"),
        ('"say \\"hi\\""', 'say "hi"'),
        ("'\\u0041\\x42\\N{LATIN SMALL LETTER C}'", "ABc"),
        ("'a' 'b'", "ab"),
        ("r'\\d'", "\\d"),
        ("'''x\ny'''", "x\ny"),
        ("b'\\x00a'", b"\0a"),
        ("set()", set()),
        ("{1, 2, 1}", {1, 2}),
        ("frozenset([1])", frozenset([1])),
        ("frozenset()", frozenset()),
        ("float('-inf')", -math.inf),
        ("inf", math.inf),
        ("1e999", math.inf),
        ("1+2j", 1 + 2j),
        ("-1.5-2j", -1.5 - 2j),
        ("[\n  1,\n  2\n]", [1, 2]),
        ("5  # five", 5),
    ],
)
def test_odd_but_legal_spellings_are_read(text: str, value: Any) -> None:
    assert same(parse(text), value)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')", "__import__('unittest.mock').mock.ANY", "1) or (True", "type('A', (), {'__eq__': 1})()",
        "lambda: 1", "f'{1}'", "[x for x in [1]]", "*[1]", "(yield)", "await x", "10**9", "10**10**9", "1 if 1 else 2", "x := 1",
        "...", "not 1", "~1", "--1", "-True", "-'a'", "-None", "1 + 2", "1j + 2j", "'a' % 1", "a", "a.b", "print", "[1][0]", "{**{}}", "{[]: 1}",
        "{[1]}", "f(1)", "set(1)", "set([[]])", "frozenset(x=1)", "float('1')", "float(1)", "complex('1')", "dict(a=1)", "1\n2", "1;2", "import os",
        "", " ", "\0", "'\ud800", "9" * 5000, "9" * 20_000, "(" * 3000, "-" * 16_000, "[" * 200 + "]" * 200, "()" * 20_000, "{" * 100 + "}" * 100,
    ],
)  # fmt: skip
def test_whatever_is_no_literal_is_refused_quickly(text: str) -> None:
    with pytest.raises(BadValue):
        parse(text)


def test_a_hostile_text_costs_little() -> None:
    texts = [
        "[" * 40 + "]" * 40,
        "9" * 16_000,
        "((" * 8000,
        "[" + "0," * 8000 + "]",
        "'" + "\\x41" * 4000 + "'",
        "-" * 16_000,
    ]
    began = time.process_time()
    for text in texts * 3:
        with contextlib.suppress(BadValue):
            encode(parse(text))
    assert time.process_time() - began < 2.0


@pytest.mark.parametrize(
    "text", ["1) or (True", "1)(2", "1), (2", "x=1", "*[1]", "**{}", "1)\nf(2", "1 for x in y", "print(1)"]
)
def test_arguments_cannot_leave_their_brackets(text: str) -> None:
    with pytest.raises(BadValue):
        parse_arguments(text)


def test_arguments_are_read_as_between_the_brackets_of_a_call() -> None:
    assert parse_arguments("3, [1, 2]") == (3, [1, 2])
    assert parse_arguments("(3, 4)") == ((3, 4),)
    assert parse_arguments("(1), (2), # two") == (1, 2)
    assert parse_arguments("") == ()
    assert show_arguments((3, "a", [1])) == "3, 'a', [1]"


class _Sly(int):
    def __eq__(self, other: object) -> bool:
        raise AssertionError("a foreign method was called")

    __hash__ = None  # type: ignore[assignment]
    __repr__ = __str__ = __index__ = __eq__  # type: ignore[assignment]


class _Text(str):
    encode = None  # type: ignore[assignment]


def test_only_exact_types_are_values_and_no_foreign_method_is_called() -> None:
    for value in (_Sly(1), _Text("a"), object(), len, int, range(3), bytearray(b"a"), iter([]), ..., NotImplemented):
        for wrapped in (value, [value], (value,), {"a": value}):
            with pytest.raises(BadValue):
                encode(wrapped)
            with pytest.raises(BadValue):
                show(wrapped)


def test_caps_hold_for_cyclic_deep_wide_and_long_values() -> None:
    cyclic: list[Any] = []
    cyclic.append(cyclic)
    shared: list[Any] = []
    for _ in range(39):
        shared = [shared, shared]
    deep: list[Any] = []
    for _ in range(41):
        deep = [deep]
    for value in (
        cyclic,
        shared,
        deep,
        list(range(60_000)),
        "x" * 200_000,
        b"x" * 200_000,
        1 << MAX_INT_BITS,
        {math.nan, -math.nan + 0},
    ):
        with pytest.raises(BadValue):
            encode(value)
    assert decode(encode((1 << MAX_INT_BITS) - 1)) == (1 << MAX_INT_BITS) - 1


@pytest.mark.parametrize(
    ("a", "b", "strict", "numeric"),
    [
        (1, 1.0, False, True),
        (1, True, False, False),
        (0.0, -0.0, False, True),
        (0, -0.0, False, True),
        (math.nan, math.nan, True, True),
        ([1, 2], [1.0, 2.0], False, True),
        ([1, 2], (1, 2), False, False),
        ({1: 2.0}, {1.0: 2}, False, True),
        ({1, 2}, {2.0, 1.0}, False, True),
        ({1, 2}, frozenset({1, 2}), False, False),
        ("1", 1, False, False),
        (2**53 + 1, float(2**53), False, False),
        (10**22, 1e22, False, True),
        (0.1 + 0.2, 0.3, False, False),
        (None, False, False, False),
        (b"a", "a", False, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True, True),
        (complex(0.0, 1), complex(-0.0, 1), False, True),
    ],
)
def test_the_policies_say_what_is_alike(a: Any, b: Any, strict: bool, numeric: bool) -> None:
    x, y = encode(a), encode(b)
    assert (equal(x, y), equal(y, x)) == (strict, strict)
    assert (equal(x, y, "numeric"), equal(y, x, "numeric")) == (numeric, numeric)


@pytest.mark.parametrize(
    ("a", "b", "alike"),
    [
        (0.1 + 0.2, 0.3, True),
        ([0.1 + 0.2, {"a": (0.3,)}], [0.3, {"a": (0.1 + 0.2,)}], True),
        (1.0, 1.1, False),
        (3, 3.0000000001, True),
        (3, 4, False),
        (True, 1.0, False),
        ({0.1 + 0.2}, {0.3}, False),
        ({0.3: 1}, {0.1 + 0.2: 1}, False),
        ([1.0], [1.0, 1.0], False),
        (math.inf, 1e308, False),
        (10**4000, 1e308, False),
    ],
)
def test_a_tolerance_is_for_floats_alone(a: Any, b: Any, alike: bool) -> None:
    assert equal(encode(a), encode(b), "numeric", rel_tol=1e-9) is alike


@pytest.mark.parametrize("text", ["float('--inf')", "float('+-nan')", "float('+ inf')", "[float('-+-infinity')]"])
def test_an_odd_sign_before_infinity_is_no_literal(text: str) -> None:
    with pytest.raises(BadValue):
        parse(text)


def test_values_that_grow_when_floats_are_folded_to_ints_can_still_be_compared() -> None:
    large, other = encode([1e308] * 520), encode([1e308] * 519 + [1e307])
    assert equal(large, large, "numeric") and not equal(large, other, "numeric")
