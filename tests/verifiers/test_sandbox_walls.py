# ruff: noqa: E501
"""Each wall is tried alone, and with the wall away the attempt succeeds: so no test here passes for another's sake."""

from __future__ import annotations

import asyncio
import os
import platform
import secrets
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verifiers.hostile import LIMITS, REACH
from verifiers.sandbox import Job, Limits, Outcome, Sandbox, SandboxUnavailable, Status, open_sandbox
from verifiers.values import decode, encode
from verifiers.zygote import syscalls

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ("seccomp", "landlock", "namespaces")
x86_64 = pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers here are x86_64's")


def run(box: Sandbox, code: str, *arguments: object, limits: Limits = LIMITS) -> Outcome:
    return asyncio.run(box.run(Job(code, (encode(arguments),), limits=limits), server=0))[0]


@pytest.fixture(scope="module", params=[*KERNEL, "none"])
def one_wall(request: pytest.FixtureRequest) -> Iterator[tuple[str, Sandbox]]:
    """A sandbox where of the kernel's walls only the named one stands."""
    with open_sandbox(1, witnesses=0, allow_weak=True, without=tuple(w for w in KERNEL if w != request.param)) as box:
        walls = box.capabilities["walls"]
        assert isinstance(walls, dict)
        if request.param != "none" and not walls.get(request.param):
            pytest.skip(f"this machine has no {request.param}")
        assert [w for w in KERNEL if walls.get(w)] == [w for w in [request.param] if w != "none"]
        yield request.param, box


def test_any_one_wall_keeps_a_file_unread(one_wall: tuple[str, Sandbox], tmp_path: Path) -> None:
    wall, box = one_wall
    code = REACH + "def f(path): return reach('io').open(path).read(4)"
    outcome = run(box, code, "/etc/passwd")
    if wall == "none":
        assert outcome.value == encode(Path("/etc/passwd").read_text()[:4])
    else:
        expected = "FileNotFoundError" if wall == "namespaces" else "PermissionError"
        assert (outcome.status, outcome.error) == (Status.RAISED, expected)


@x86_64
def test_any_one_wall_keeps_a_listener_unreached(one_wall: tuple[str, Sandbox]) -> None:
    wall, box = one_wall
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        code = REACH + (
            "def f(address):\n    file, _ = syscall(41, 2, 1, 0)\n    if file < 0: return ['no socket']\n"
            "    ctypes = reach('ctypes')\n    buffer = ctypes.create_string_buffer(address)\n"
            "    got, error = syscall(42, file, ctypes.addressof(buffer), len(address))\n    return [got, error]"
        )
        address = b"\x02\x00" + port.to_bytes(2, "big") + bytes([127, 0, 0, 1]) + bytes(8)
        outcome = run(box, code, address)
        listener.settimeout(0.05)
        reached = True
        try:
            listener.accept()[0].close()
        except TimeoutError:
            reached = False
    assert reached == (wall == "none")
    if wall == "seccomp":
        assert outcome.status is Status.VIOLATION
    elif wall == "none":
        assert outcome.value is not None and decode(outcome.value)[0] == 0
    else:
        assert outcome.value is not None and decode(outcome.value)[0] == -1


@x86_64
def test_any_one_wall_keeps_an_abstract_socket_unreached(one_wall: tuple[str, Sandbox]) -> None:
    wall, box = one_wall
    walls = box.capabilities["walls"]
    if wall == "landlock" and isinstance(walls, dict) and walls["landlock"] < 6:
        pytest.skip("this kernel's Landlock does not scope abstract sockets")
    name = b"\0selfplay-" + secrets.token_hex(8).encode()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(name)
        listener.listen()
        code = REACH + (
            "def f(address):\n    ctypes = reach('ctypes')\n    file, _ = syscall(41, 1, 1, 0)\n"
            "    buffer = ctypes.create_string_buffer(address)\n    return syscall(42, file, ctypes.addressof(buffer), len(address))[0]"
        )
        outcome = run(box, code, b"\x01\x00" + name)
    assert (outcome.value == encode(0)) == (wall == "none"), outcome


def test_only_the_filter_forbids_fork(one_wall: tuple[str, Sandbox]) -> None:
    wall, box = one_wall
    code = (
        REACH
        + "def f():\n    os = reach('os')\n    pid = os.fork()\n    if pid == 0: os._exit(0)\n    os.waitpid(pid, 0)\n    return pid > 0"
    )
    outcome = run(box, code)
    assert outcome.status is (Status.VIOLATION if wall == "seccomp" else Status.OK)


def test_without_the_memory_limit_memory_is_had() -> None:
    code = "def f(): return len(bytearray(300 << 20))"
    with open_sandbox(1, witnesses=0, min_level="weak", without=("memory",)) as box:
        assert run(box, code, limits=Limits(cpu_s=10.0, wall_s=60.0)).status is Status.OK
    with open_sandbox(1, witnesses=0) as box:
        assert run(box, code, limits=Limits(cpu_s=10.0, wall_s=60.0)).status is Status.MEMORY


def test_without_the_watchdog_a_loop_lasts_until_the_coarse_limit() -> None:
    limits = Limits(cpu_s=0.1, wall_s=20.0)
    with open_sandbox(1, witnesses=0, min_level="weak", without=("watchdog",)) as box:
        assert box.level == "weak"
        slow = run(box, "def f():\n    while True: pass", limits=limits)
    with open_sandbox(1, witnesses=0) as box:
        fast = run(box, "def f():\n    while True: pass", limits=limits)
    assert slow.status is fast.status is Status.CPU
    assert fast.cpu_s < 0.5 and slow.cpu_s > 1.5


@pytest.mark.parametrize("wiped", [True, False])
def test_the_page_holds_nothing_of_the_program_before(wiped: bool) -> None:
    spy = REACH + "def f(): return bytes(page()).count(b'the secret of another')"
    with open_sandbox(1, witnesses=0, without=() if wiped else ("wipe",)) as box:
        run(box, "def f(): return ['', 'the secret of another' + '!' * 500]")
        assert run(box, spy).value == encode(0 if wiped else 1)


def test_without_the_import_guard_a_module_is_had() -> None:
    code = "import os\ndef f(): return os.sep"
    with open_sandbox(1, witnesses=0, without=("imports",)) as box:
        assert run(box, code).value == encode("/")
    with open_sandbox(1, witnesses=0) as box:
        assert run(box, code).error == "ImportError"


@x86_64
def test_every_system_call_is_on_one_of_three_lists(sandbox: Sandbox) -> None:
    code = REACH + "def f(n): return list(syscall(n, -1, -1, -1, -1, -1, -1))"
    numbers = [*range(471), 0x40000000, 0x40000000 + 39, 0x40000000 + 520]
    ends = asyncio.run(sandbox.run(Job(code, tuple(encode((n,)) for n in numbers), limits=LIMITS)))
    eperm = {n for n, end in zip(numbers, ends, strict=True) if end.value and decode(end.value) == [-1, 1]}
    killed = {n for n, end in zip(numbers, ends, strict=True) if end.status is Status.VIOLATION}
    free = set(numbers) - eperm - killed
    beyond = {
        335,
        336,
    }  # uretprobe and uprobe: the kernel lets them past every filter, and they do nothing outside a probe
    assert eperm == {0, 1, 2, 3, 4, 5, 6, 8, 13, 14, 16, 21, 35, 72 + 7, 89, 160, 217, 230, 257, 262, 267, 302, 318}
    assert free - beyond == {11, 12, 15, 24, 25, 28, 39, 60, 96, 186, 202, 219, 228, 231}
    assert (
        killed >= set(numbers) - eperm - free and {9, 10} <= killed
    )  # mmap and mprotect: -1 asks for executable memory
    assert free - beyond == set(syscalls.numbers(syscalls.CHILD)) and eperm == set(syscalls.numbers(syscalls.SOFT))


@x86_64
def test_random_use_of_the_calls_that_are_free_harms_nobody_else(sandbox: Sandbox) -> None:
    """Memory calls on random places, on the shared page, on the interpreter itself: only the program's own process pays."""
    code = REACH + (
        "def f(seed):\n    ctypes, p = reach('ctypes'), page()\n    at = ctypes.addressof(ctypes.c_char.from_buffer(p))\n"
        "    state = seed\n    def draw(n):\n        nonlocal state\n        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64\n"
        "        return (state >> 33) % n\n    places = [at, at + 4096, id(f) & ~4095, id(seed) & ~4095, 0, 4096, ctypes.addressof(ctypes.c_int(0)) & ~4095]\n"
        "    for _ in range(12):\n        call = (9, 10, 11, 25, 28, 202, 12, 96, 228, 219)[draw(10)]\n"
        "        numbers = [places[draw(7)], draw(1 << 19), draw(32), draw(64) | 16, draw(3) - 1, draw(4) * 4096]\n        syscall(call, *numbers)\n    return seed"
    )
    pids = sandbox.pids  # type: ignore[attr-defined]
    ends = asyncio.run(sandbox.run(Job(code, tuple(encode((seed,)) for seed in range(400)), limits=LIMITS)))
    values = [(seed, end.value) for seed, end in enumerate(ends) if end.status is Status.OK]
    assert all(value == encode(seed) for seed, value in values)
    assert {end.status for end in ends} > {Status.CRASH}
    check = asyncio.run(sandbox.run(Job("def f(x): return x", tuple(encode((i,)) for i in range(50)))))
    assert [end.value for end in check] == [encode(i) for i in range(50)]
    assert sandbox.pids == pids  # type: ignore[attr-defined]


def test_canaries_stay_untouched_and_unseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = secrets.token_hex(16)
    monkeypatch.setenv("CANARY", secret)
    (tmp_path / "canary").write_text(secret)
    tmp_path.chmod(0o755)
    gold = "gold-" + secrets.token_hex(16)
    code = REACH + (
        "def f(path):\n    found = []\n    os, sys, gc = reach('os'), reach('sys'), reach('gc')\n"
        "    found += [k + '=' + v for k, v in os.environ.items()] + sys.argv + sys.orig_argv\n"
        "    for attempt in (lambda: reach('io').open(path).read(), lambda: reach('io').open('/proc/1/environ').read(),\n"
        "                    lambda: os.listdir(os.path.dirname(path)), lambda: os.readlink('/proc/self/fd/3')):\n"
        "        try: found.append(str(attempt()))\n        except OSError: pass\n"
        "    found += [o for o in gc.get_objects() if type(o) is str]\n"
        "    for d in gc.get_objects():\n        if type(d) is dict: found += [v for v in list(d.values()) if type(v) is str]\n"
        "    return [s for s in found if SECRET in s or GOLD in s]"
    ).replace("SECRET", repr(secret[:8]) + "+" + repr(secret[8:])).replace(
        "GOLD", repr(gold[:9]) + "+" + repr(gold[9:])
    )
    with open_sandbox(1, witnesses=0) as box:
        assert box.capabilities and gold
        outcome = run(box, code, str(tmp_path / "canary"), limits=Limits())
    assert outcome.value == encode([]), outcome
    assert (tmp_path / "canary").read_text() == secret and [p.name for p in tmp_path.iterdir()] == ["canary"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may read the memory of a worker, which is not dumpable")
def test_a_worker_keeps_no_word_and_no_result_of_earlier_jobs() -> None:
    marks = {name: f"{name}-{secrets.token_hex(12)}" for name in ("code", "input", "result")}
    code = f"# {marks['code']}\ndef f(x): return [x, '{marks['result'][:20]}' + '{marks['result'][20:]}']"
    with open_sandbox(1, witnesses=0) as box:
        assert run(box, code, marks["input"]).status is Status.OK
        assert run(box, "def f(x): return x", "a later job").status is Status.OK
        pid = box.pids[0]  # type: ignore[attr-defined]
        for process in (pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())):
            memory = _memory(process)
            assert b"verifiers.zygote" in memory
            assert [name for name, mark in marks.items() if mark.encode() in memory] == []


def _memory(pid: int) -> bytes:
    parts = []
    with open(f"/proc/{pid}/mem", "rb") as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights = line.split()[:2]
            low, high = (int(part, 16) for part in span.split("-"))
            if "r" in rights and high < 1 << 47:
                try:
                    memory.seek(low)
                    parts.append(memory.read(high - low))
                except OSError:
                    continue
    return b"".join(parts)


def test_a_level_that_cannot_be_had_is_refused_in_one_sentence() -> None:
    with pytest.raises(
        SandboxUnavailable, match=r"offers the sandbox level weak, and strict was asked.*open_file.*\.$"
    ):
        open_sandbox(1, witnesses=0, without=KERNEL)
    with pytest.raises(SandboxUnavailable, match=r"level strict, and strict\+ was asked"):
        open_sandbox(1, witnesses=0, min_level="strict+", without=("namespaces",))
    with open_sandbox(1, witnesses=0, allow_weak=True, without=("seccomp",)) as box:
        assert box.level == "weak" and "files" in str(box.capabilities["meaning"])
    for wrong in ({"backend": "magic"}, {"min_level": "ultra"}, {"servers": 0}):
        with pytest.raises(ValueError):
            open_sandbox(**wrong)  # type: ignore[arg-type]


def _python_for_nobody() -> str | None:
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        probe = (
            "import subprocess, sys; assert sys.version_info >= (3, 11); subprocess.run([sys.executable, '-c', ''], check=True);"
            "sys.path.insert(0, sys.argv[1]); import verifiers.sandbox, selfplay.records"
        )
        try:
            done = subprocess.run(
                ["setpriv", *_NOBODY, python, "-B", "-c", probe, str(ROOT)], capture_output=True, cwd="/"
            )
        except OSError:
            return None
        if done.returncode == 0:
            return python
    return None


_NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups"]
_LIST = "import sys; sys.path.insert(0, sys.argv.pop(1)); from tests.verifiers.hostile import main; main(sys.argv[1:])"


@x86_64
@pytest.mark.skipif(os.geteuid() != 0, reason="the suite is running unprivileged already")
@pytest.mark.parametrize("without", [[], ["namespaces"]])
def test_an_ordinary_user_is_as_safe(without: list[str]) -> None:
    python = _python_for_nobody()
    if python is None:
        pytest.skip("no Python here that an ordinary user may run, or no setpriv")
    command = ["setpriv", *_NOBODY, python, "-B", "-c", _LIST, str(ROOT), *without]
    done = subprocess.run(command, capture_output=True, text=True, cwd="/", timeout=100)
    assert done.returncode == 0, done.stderr
    assert '"faults": []' in done.stdout and f'"level": "{"strict" if without else "strict+"}"' in done.stdout, (
        done.stdout
    )


_FORBID_UNSHARE = """
import sys; sys.path.insert(0, sys.argv.pop(1))
from verifiers.zygote import kernel, seccomp
unshare = {"x86_64": 272, "aarch64": 97}[__import__("platform").machine()]
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
seccomp.Filter([(0x20, 0, 0, 0), (0x15, 0, 1, unshare), (6, 0, 0, 0x50001), (6, 0, 0, 0x7FFF0000)]).install()
from tests.verifiers.hostile import main; main([])
"""


@x86_64
def test_a_machine_that_forbids_namespaces_is_strict_and_says_so() -> None:
    done = subprocess.run(
        [sys.executable, "-B", "-c", _FORBID_UNSHARE, str(ROOT)], capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    assert '"level": "strict"' in done.stdout and '"namespaces": false' in done.stdout and '"faults": []' in done.stdout


def test_the_sandbox_imports_nothing_heavy() -> None:
    code = "import sys, selfplay, verifiers.deduction, verifiers.grade; print([m for m in sys.modules if m.split('.')[0] in ('torch', 'numpy', 'transformers', 'pydantic')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.strip() == "[]", done.stderr


def test_the_watchdog_thread_count_stays_one() -> None:
    before = threading.active_count()
    with open_sandbox(2):
        assert threading.active_count() == before + 1
    assert threading.active_count() == before
