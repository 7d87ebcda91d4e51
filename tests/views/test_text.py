from __future__ import annotations

import io
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from selfplay.views.text import bars, console, duration, number, safe, short, sparkline, table
from tests.store.made import HOSTILE


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters()))
def test_safe_text_holds_no_character_that_could_steer_a_terminal(text: str) -> None:
    for character in safe(text):
        assert unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    for character in safe(text, lines=True):
        assert character == "\n" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def test_what_was_hidden_is_written_out_and_what_was_plain_stays() -> None:
    assert safe("\x1b[31mred") == "\\x1b[31mred"
    assert safe("a\nb\tc") == "a\\nb\\tc"
    assert safe("a\nb\tc", lines=True) == "a\nb   c"
    assert safe("\u202eabc\u200b\ud800") == "\\u202eabc\\u200b\\ud800"
    assert safe("[bold]x[/] é 漢 → ▁ <b>") == "[bold]x[/] é 漢 → ▁ <b>"


def test_markup_emoji_codes_and_links_in_a_table_stay_text() -> None:
    out = io.StringIO()
    words = "[bold red]loud[/] :smile: [link=http://x]y[/link]"
    console(out).print(table(("what",), [(words,)]))
    assert words in out.getvalue() and "\x1b" not in out.getvalue()


def test_a_short_line_says_that_it_was_cut() -> None:
    assert short("abc", 3) == "abc"
    assert short("abcd", 3) == "ab…"
    assert all(len(short(HOSTILE * k, 20)) <= 20 for k in range(4))


def test_sparklines_rise_and_fall_with_their_values() -> None:
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█"
    assert sparkline([5.0, 5.0]) == "▁▁"
    assert sparkline([1.0, None, float("nan"), 2.0]) == "▁  █"
    assert sparkline([]) == "" and sparkline([None]) == " "
    assert sparkline([float(i) for i in range(800)], width=8) == "▁▂▃▄▅▆▇█"
    assert bars([0, 1, 8]) == "·▂█"


def test_numbers_and_durations_are_short() -> None:
    shown = [
        number(v) for v in (None, float("nan"), 0.0, 3.0, 0.08349, 12.345, 1234567.0, 0.00001, float("inf"), -0.25)
    ]
    assert shown == ["–", "–", "0", "3", "0.083", "12.3", "1,234,567", "1.0e-05", "∞", "-0.250"]
    assert [duration(s) for s in (0.44, 12.3, 200, 7500)] == ["0.4 s", "12 s", "3 min 20 s", "2 h 05 min"]
