from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from selfplay.errors import UserError
from selfplay.serve.server import Server
from selfplay.store.folder import RunFolder
from selfplay.store.reader import Reader
from selfplay.views import episodes, replay, task, tasks
from selfplay.views.show import summary
from tests.store import made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made.run(tmp_path_factory.mktemp("runs"), steps=4).path


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    yield from serving(folder)


def serving(folder: Path) -> Iterator[Server]:
    with Server(folder, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server: Server, path: str, method: str = "GET", **headers: str) -> tuple[int, http.client.HTTPMessage, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    finally:
        connection.close()


def raw(server: Server, words: bytes) -> bytes:
    """All that the server answers to exactly these bytes, until it closes the connection."""
    with socket.create_connection(("127.0.0.1", server.server_port)) as wire:
        wire.sendall(words)
        wire.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: wire.recv(65536), b""))


def data(server: Server, path: str, status: int = 200) -> dict[str, Any]:
    found, headers, body = ask(server, path)
    assert found == status and headers["Content-Type"] == "application/json" and body.isascii()
    return json.loads(body, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def test_every_answer_is_the_twin_that_the_verb_prints(server: Server, folder: Path) -> None:
    with Reader(folder) as reader:
        for path, twin in (
            ("/api/show", summary(folder)),
            ("/api/tasks?limit=3&offset=1&order=oldest", tasks.page(reader, limit=3, offset=1, order="oldest")),
            ("/api/tasks?family=deduction", tasks.page(reader, family="deduction")),
            ("/api/refused?gate=parse", tasks.refused(reader, "parse")),
            ("/api/refused", tasks.refused(reader, "any")),
            ("/api/task?id=002000", task.one(reader, "002000")),
            ("/api/episodes?limit=2&game=kuhn_poker&step=3", episodes.page(reader, limit=2, game="kuhn_poker", step=3)),
            ("/api/replay?episode=3", replay.episode(reader, 3)),
            ("/api/replay", replay.episode(reader)),
        ):
            assert data(server, path) == plain(twin), path


def test_the_evaluation_tells_fixed_measures_from_self_play(server: Server) -> None:
    found = data(server, "/api/evaluation")
    assert found["labels"] == ["before", "after"]
    rows = {row["key"]: row for row in found["rows"]}
    assert rows["kuhn_poker/exploitability"]["better"] == "lower"
    assert rows["solver/solve_rate"]["difference"] == pytest.approx(0.1)
    assert [key for key, row in rows.items() if row["self_play"]] == ["proposer/valid_rate"]
    assert rows["kuhn_poker/exploitability"]["outcome"] == "better"
    assert rows["solver/solve_rate"]["outcome"] == "unclear", "this recipe does not tell on how many tries it stands"


def test_curves_can_be_thinned_and_keep_their_ends(server: Server) -> None:
    whole, thinned = data(server, "/api/show")["curves"], data(server, "/api/show?points=2")["curves"]
    assert {key: [pairs[0], pairs[-1]] for key, pairs in whole.items()} == thinned
    assert next(iter(thinned)) == "solver/solve_rate/mean", "what is worth the most room comes first"
    assert data(server, "/api/show?points=100")["curves"] == whole


def test_hostile_words_come_back_whole_and_as_json_alone(server: Server) -> None:
    status, headers, body = ask(server, "/api/refused?gate=determinism")
    assert status == 200 and headers["X-Content-Type-Options"] == "nosniff"
    assert json.loads(body)["proposals"][0]["turn"]["text"] == made.HOSTILE
    assert made.HOSTILE in json.loads(ask(server, "/api/replay?episode=2")[2])["plies"][0]["turn"]["text"]


def test_the_page_may_load_nothing_but_its_own_files(server: Server) -> None:
    status, headers, body = ask(server, "/")
    policy = headers["Content-Security-Policy"]
    assert status == 200 and headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    assert b"<script type=" in body and b"onload" not in body and b"http" not in body
    for path in ("/main.js", "/page.css"):
        status, headers, body = ask(server, path)
        assert status == 200 and body and headers["X-Content-Type-Options"] == "nosniff"
        assert b"innerHTML" not in body and b"http://" not in body.replace(b"http://www.w3.org/2000/svg", b"")


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example:{port}", "", "[::1]"]
)
def test_a_question_for_another_host_is_refused(server: Server, host: str) -> None:
    for path in ("/", "/api/show", "/main.js"):
        status, _, body = ask(server, path, Host=host.format(port=server.server_port))
        assert status == 403 and b"answers to" in body and b"made-001" not in body


def test_both_names_of_this_machine_are_answered(server: Server) -> None:
    for name in ("127.0.0.1", "localhost", "LOCALHOST"):
        assert ask(server, "/api/show", Host=f"{name}:{server.server_port}")[0] == 200


def test_a_question_without_a_host_or_with_two_is_refused(server: Server) -> None:
    own = f"Host: 127.0.0.1:{server.server_port}\r\n".encode()
    for hosts in (b"", own + b"Host: evil.example\r\n"):
        assert raw(server, b"GET /api/show HTTP/1.1\r\n" + hosts + b"\r\n").startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"])
def test_only_reading_is_answered(server: Server, method: str) -> None:
    status, headers, body = ask(server, "/api/show", method)
    assert status == 405 and headers["Allow"] == "GET, HEAD" and b"never written to" in body


def test_a_method_that_nobody_knows_and_a_body_are_refused(server: Server) -> None:
    assert ask(server, "/", "BREW")[0] == 501
    assert ask(server, "/api/show", Content_Length="3")[0] == 400
    own = f"Host: 127.0.0.1:{server.server_port}\r\n".encode()
    hidden = b"GET /api/show HTTP/1.1\r\n" + own + b"\r\n"
    answered = raw(server, b"POST / HTTP/1.1\r\n" + own + f"Content-Length: {len(hidden)}\r\n\r\n".encode() + hidden)
    assert answered.count(b"HTTP/1.1 ") == 1, "what hides in a body is not answered"


def test_a_head_has_the_headers_of_the_answer_and_no_body(server: Server) -> None:
    for path in ("/", "/api/show"):
        status, headers, body = ask(server, path, "HEAD")
        assert status == 200 and body == b"" and headers["Content-Length"] == str(len(ask(server, path)[2]))


@pytest.mark.parametrize(
    "path",
    ["/nosuch", "/api", "/api/", "/run.db", "/../run.db", "/..%2frun.db", "/%2e%2e/config.json", "//etc/passwd",
     "/page/../../../cli/serve.py", "/server.py", "/main.js/", "/api/show/..", "/main.js%00"],
)  # fmt: skip
def test_a_path_that_is_not_on_the_list_is_not_found(server: Server, path: str) -> None:
    status, _, body = ask(server, path)
    assert status == 404 and body.startswith(b"There is nothing at this address") and body.count(b"\n") == 1


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/api/tasks?limit=many", 400, "'limit' is a number"),
        ("/api/tasks?limit=-1", 400, "'limit' is a number"),
        ("/api/tasks?limit=501", 400, "at most 500"),
        ("/api/tasks?offset=99999999999999999999", 400, "'offset' is a number"),
        ("/api/tasks?ofset=1", 400, "did you mean 'offset'?"),
        ("/api/tasks?limit=1&limit=2", 400, "twice"),
        ("/api/tasks?limit", 400, "cannot be read"),
        ("/api/tasks?" + "&".join(f"a{i}=1" for i in range(99)), 400, "cannot be read"),
        ("/api/tasks?order=best", 400, "no order 'best'"),
        ("/api/show?points=1", 400, "at least 2"),
        ("/api/task", 400, "needs 'id'"),
        ("/api/task?id=zzz", 404, "No task of this run has the id 'zzz'"),
        ("/api/task?id=%27%20OR%201=1", 404, "No task of this run"),
        ("/api/task?id=%00%ff", 404, "No task of this run"),
        ("/api/replay?episode=99", 404, "it has episodes 1 to 8"),
        ("/api/replay?episode=last", 400, "'episode' is a number"),
        ("/api/replay?episode=999999999999999", 404, "is not in this run"),
    ],
)
def test_a_wrong_question_is_answered_with_one_sentence(server: Server, path: str, status: int, words: str) -> None:
    assert words in data(server, path, status)["error"]


@pytest.mark.parametrize(
    "words",
    [b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x00\xff\r\n\r\n", b"GET /" + b"a" * 70000],
)
def test_noise_on_the_wire_gets_an_error_and_leaves_the_server_alive(server: Server, words: bytes) -> None:
    answered = raw(server, words)
    assert b"Traceback" not in answered and b" 200 " not in answered
    assert ask(server, "/api/show")[0] == 200


def test_a_step_that_is_committed_shows_in_the_next_answer(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "live", '{"name": "live", "steps": 9}', {"seed": 1})
    with folder.writer() as writer:
        for server in serving(folder.path):
            assert data(server, "/api/show")["step"] == 0 and data(server, "/api/tasks")["total"] == 0
            tags = [ask(server, "/api/show")[1]["ETag"]]
            for step in (1, 2):
                writer.commit(made.record(step))
                found = data(server, "/api/show")
                assert (found["state"], found["step"], found["episodes"]) == ("running", step, 2 * step)
                assert data(server, "/api/tasks")["total"] == 2 * step
                tags.append(ask(server, "/api/show")[1]["ETag"])
            writer.evaluation("during", 2, made.AFTER, seconds=1.0)
            tags.append(ask(server, "/api/show")[1]["ETag"])
            folder.release()
            assert data(server, "/api/show")["state"] == "stopped"
            tags.append(ask(server, "/api/show")[1]["ETag"])
            assert len(set(tags)) == len(tags), "every change has a tag of its own"


def test_who_has_the_newest_answer_is_told_so_and_sent_nothing(server: Server) -> None:
    tag = ask(server, "/api/show?points=9")[1]["ETag"]
    status, headers, body = ask(server, "/api/show?points=9", If_None_Match=tag)
    assert (status, headers["ETag"], body) == (304, tag, b"")
    assert ask(server, "/api/show?points=9", If_None_Match='"other"')[0] == 200


def test_a_writer_in_the_middle_of_a_step_is_neither_seen_nor_waited_for(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "busy", '{"name": "busy", "steps": 9}', {"seed": 1})
    with folder.writer() as writer:
        writer.commit(made.record(1))
        for server in serving(folder.path):
            with Reader(folder.path) as reader, reader.snapshot():
                assert reader.last_step() == 1
                writer.commit(made.record(2))  # a reader that holds a snapshot keeps no writer waiting
                assert data(server, "/api/show")["step"] == 2 and reader.last_step() == 1
            writer._db.execute("BEGIN IMMEDIATE")
            assert data(server, "/api/show")["step"] == 2
            writer._db.execute("ROLLBACK")
    folder.release()


def test_serving_changes_nothing_in_the_folder_of_the_run(tmp_path: Path) -> None:
    """SQLite's own `run.db-shm` and `run.db-wal` are no part of the run: readers of a database in WAL mode share them,
    and may make them (empty) where the last writer took them away."""
    folder = made.run(tmp_path).path

    def files() -> dict[str, tuple[int, bytes]]:
        kept = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith("run.db-")]
        return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in kept}

    before = files()
    for server in serving(folder):
        for path in ("/", "/main.js", "/api/show", "/api/tasks", "/api/refused", "/api/episodes", "/api/replay"):
            assert ask(server, path)[0] == 200
    assert files() == before
    assert all(path.stat().st_size == 0 for path in folder.glob("run.db-wal"))


def test_a_folder_that_is_no_run_and_a_port_in_use_are_told_in_a_sentence(server: Server, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not a run"):
        Server(tmp_path, 0)
    with pytest.raises(UserError, match=f"Port {server.server_port} is in use; choose another with --port"):
        Server(server.folder, server.server_port)


def test_it_listens_on_this_machine_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"
