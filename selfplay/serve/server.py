"""The server: loopback only, GET and HEAD only, a fixed list of paths, and nothing that it could write to.

A page of another site cannot read it: its own requests carry a foreign Host after DNS rebinding, and are refused; no
CORS header is ever sent. The page may load nothing but its own files, and, where the browser knows trusted types, may
not turn text into markup at all.
"""

from __future__ import annotations

import errno
import hashlib
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from selfplay.errors import UserError
from selfplay.serve import api, page
from selfplay.store.folder import RunFolder
from selfplay.views.twin import as_json

HOST = "127.0.0.1"
PORT = 8642
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


class Server(ThreadingHTTPServer):
    """Serves the run in `folder` at `url` once `serve_forever` is called. `port` 0 takes a free one.

    UserError: `folder` is no run, or the port cannot be had.
    """

    daemon_threads = True

    def __init__(self, folder: Path, port: int = PORT) -> None:
        with RunFolder.open(folder).reader():
            self.folder = folder
        self.files = page.files()
        try:
            super().__init__((HOST, port), Handler)
        except OSError as error:
            why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be had ({error.strerror})"
            raise UserError(f"Port {port} {why}; choose another with --port, or --port 0 for any free one.") from error
        self.hosts = {f"{name}:{self.server_port}" for name in (HOST, "localhost")}
        if self.server_port == 80:
            self.hosts |= {HOST, "localhost"}

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of an answer is no error."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    server: Server
    server_version, sys_version = "selfplay", ""
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        problem = self._refusal()
        if problem:
            self.send_error(*problem)
            return
        try:
            split = urlsplit(self.path)
        except ValueError:
            self.send_error(400, "This is no address.")
            return
        if split.path in self.server.files:
            media, content = self.server.files[split.path]
            self._send(200, content, media)
        elif split.path in api.API:
            self._ask(split.path, split.query)
        else:
            self.send_error(404, "There is nothing at this address; the page is at / and its data under /api/.")

    do_HEAD = do_GET

    def do_POST(self) -> None:
        self.send_error(405, "This server is read, never written to: it knows GET and HEAD alone.")

    do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_CONNECT = do_TRACE = do_POST

    def _refusal(self) -> tuple[int, str] | None:
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or hosts[0].strip().lower() not in self.server.hosts:
            return 403, f"This server answers to {' and '.join(sorted(self.server.hosts))} only."
        if self.headers.get("Transfer-Encoding") or self.headers.get("Content-Length", "0").strip() != "0":
            return 400, "A question to this server has no body."
        return None

    def _ask(self, path: str, query: str) -> None:
        try:
            arguments = api.read(path, query)
            tag = f'"{hashlib.blake2b(api.stamp(self.server.folder).encode(), digest_size=12).hexdigest()}"'
            if self.headers.get("If-None-Match") == tag:
                self._send(304, b"", tag=tag)
                return
            answer = api.API[path].answer(self.server.folder, **arguments)
        except api.BadCall as error:
            self._tell(400, str(error))
        except UserError as error:
            self._tell(404, str(error))
        except Exception:
            self._tell(500, "The server failed at this question; its terminal tells why.")
            raise
        else:
            self._send(200, as_json(answer).encode(), "application/json", tag)

    def _tell(self, status: int, sentence: str) -> None:
        self._send(status, as_json({"error": sentence}).encode(), "application/json")

    def _send(self, status: int, body: bytes, media: str = "", tag: str = "") -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        if tag:
            self.send_header("ETag", tag)
        if status != 304:
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
        if status in (405, 501):
            self.send_header("Allow", "GET, HEAD")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """One sentence as plain text; what may follow on the connection is not read."""
        self.close_connection = True
        self._send(code, f"{message or self.responses[code][1]}\n".encode(), "text/plain; charset=utf-8")

    def log_message(self, format: str, *args: Any) -> None:
        """A reader's requests are nobody's business."""
