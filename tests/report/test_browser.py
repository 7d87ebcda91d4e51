"""The report in a real browser: it fits, it can be read, and it asks for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from selfplay.report import write
from tests.report import browser
from tests.store import made

PROBE = (Path(__file__).parent / "probe.js").read_text()
pytestmark = pytest.mark.skipif(
    browser.find() is None, reason=f"no browser on PATH: one of {', '.join(browser.NAMES)} is needed"
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(made.run(tmp_path_factory.mktemp("runs"), steps=6).path)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Browser]:
    with browser.Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_all_text_can_be_read_and_nothing_is_wider_than_the_window(
    report: Path, chromium: browser.Browser, width: int, dark: bool
) -> None:
    chromium.open(report, width, dark)
    found = chromium.evaluate(PROBE)
    assert found["window"] == width and found["texts"] > 200
    assert found["small"] == [] and found["pale"] == [] and found["outside"] == []
    assert found["width"] <= width


def test_the_page_follows_the_scheme(report: Path, chromium: browser.Browser) -> None:
    shades = []
    for dark in (False, True):
        chromium.open(report, 1280, dark)
        shades.append(chromium.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert shades[0] == "rgb(255, 255, 255)" and shades[0] != shades[1]


def test_it_asks_for_nothing_and_raises_nothing(report: Path, chromium: browser.Browser) -> None:
    chromium.open(report, 1280)
    chromium.evaluate("new Promise(done => setTimeout(done, 200))")
    asked = [event["params"]["request"]["url"] for event in _events(chromium, "Network.requestWillBeSent")]
    assert asked == [report.resolve().as_uri()]
    for kind in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
        assert _events(chromium, kind) == []


def test_what_a_model_wrote_makes_no_element_and_runs_nothing(report: Path, chromium: browser.Browser) -> None:
    chromium.open(report, 1280)
    assert chromium.evaluate("document.querySelectorAll('script, iframe, object, img, link, [onload]').length") == 0
    assert "<script>alert(1)</script>" in chromium.evaluate("document.body.textContent")


def test_a_page_that_cannot_be_read_is_found_out(tmp_path: Path, chromium: browser.Browser) -> None:
    bad = tmp_path / "bad.html"
    style = "<meta name=viewport content='width=device-width'><body style='background: #fff'>"
    lines = "<p style='color: #aaa'>pale<p style='font-size: 9px'>small<p style='margin-left: 500px; width: 600px'>far"
    bad.write_text(style + lines)
    chromium.open(bad, 360)
    found = chromium.evaluate(PROBE)
    assert len(found["small"]) == len(found["pale"]) == 1 and found["outside"] == ["far"] and found["width"] > 360


def _events(chromium: browser.Browser, method: str) -> list[dict[str, Any]]:
    return [event for event in chromium.events if event.get("method") == method]
