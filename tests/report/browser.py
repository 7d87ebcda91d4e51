"""A headless Chromium, told what to do over its DevTools pipe: one page, at a width, in light or dark."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """`with Browser(folder) as browser: browser.open(file, width=360, dark=True)`; `folder` is for its profile.

    events: what the browser reported of the page that is open: requests, exceptions, console and log entries.
    """

    def __init__(self, folder: Path) -> None:
        path = find()
        assert path is not None
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
        options += ["--remote-debugging-pipe", f"--user-data-dir={folder}", "--no-first-run", "about:blank"]
        # The browser reads its orders from descriptor 3 and answers on 4.
        command = ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "bash", path, *options]
        self._process = subprocess.Popen(command, pass_fds=(to_read, to_write), stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self._number, self._buffer, self._session = 0, b"", ""
        self.events: list[dict[str, Any]] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self._call(f"{domain}.enable")

    def open(self, file: Path, width: int, dark: bool = False, height: int = 900) -> None:
        """Loads the file in a window of `width` CSS pixels, and waits until it is drawn."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._call("Emulation.setEmulatedMedia", features=scheme)
        self.events.clear()
        self._call("Page.navigate", url=file.resolve().as_uri())
        self._wait("Page.loadEventFired")

    def evaluate(self, code: str) -> Any:
        """The value of a JavaScript expression in the page."""
        found = self._call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def picture(self, file: Path, height: int | None = None, top: int = 0) -> None:
        """A PNG of the page from `top` on, all of it unless `height` is told."""
        size = self._call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": top, "width": size["width"], "height": height or size["height"] - top, "scale": 1}
        shot = self._call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(shot["data"]))

    def paper(self, file: Path) -> None:
        """The page as printed, a PDF."""
        file.write_bytes(base64.b64decode(self._call("Page.printToPDF", printBackground=False)["data"]))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._write)
        os.close(self._read)
        self._process.terminate()
        self._process.wait(timeout=30)

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self.events.append(answer)

    def _wait(self, event: str) -> None:
        while not any(seen.get("method") == event for seen in self.events):
            self.events.append(self._next())

    def _next(self, patience: float = 60.0) -> dict[str, Any]:
        end = time.monotonic() + patience
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser says nothing"
            piece = os.read(self._read, 1 << 16)
            assert piece, "the browser has ended"
            self._buffer += piece
        line, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(line)
