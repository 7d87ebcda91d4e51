# ruff: noqa: E501
"""The sandbox in a WebAssembly virtual machine: the same programs and attacks as the fork server's, and where it differs."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verifiers.hostile import ATTACKS, LIMITS, REACH, ROOMY, Attack, outcomes, wrong
from tests.verifiers.test_sandbox_fidelity import PROGRAMS, boxed
from verifiers.sandbox import Job, Limits, Outcome, Sandbox, SandboxUnavailable, Status, fork, open_sandbox, wasm
from verifiers.values import decode, encode
from verifiers.wasi import cache

OK, RAISED, CPU, MEMORY, BAD, CRASH = (
    Status.OK,
    Status.RAISED,
    Status.CPU,
    Status.MEMORY,
    Status.BAD_VALUE,
    Status.CRASH,
)

# What the fork server's table says of a program, and what is so here: there is no system to call, sizes end at 2^31,
# and a record is read only when the harness returned.
DIFFERS: dict[str, tuple[Status, str | None]] = {
    "03 sleep": (RAISED, "OSError"),
    "03 wait on a lock": (CPU, None),
    "04 fork": (RAISED, "AttributeError"),
    "04 fork bomb": (CPU, None),
    "05 thread": (RAISED, "RuntimeError"),
    "06 setsid": (RAISED, "AttributeError"),
    "07 a long string": (RAISED, "OverflowError"),
    "09 a shifted int": (RAISED, "OverflowError"),
    "15 C stack": (RAISED, "RecursionError"),
    "22 open": (RAISED, "FileNotFoundError"),
    "22 os.open": (RAISED, "FileNotFoundError"),
    "23 listdir": (RAISED, "FileNotFoundError"),
    "23 make a file": (RAISED, "FileNotFoundError"),
    "25 system": (RAISED, "AttributeError"),
    "25 execve": (RAISED, "AttributeError"),
    "26 kill process 1": (RAISED, "AttributeError"),
    "26 kill all": (RAISED, "AttributeError"),
    "26 stop myself": (RAISED, "AttributeError"),
    "28 ignore a signal": (RAISED, "KeyError"),
    "28 block signals": (RAISED, "KeyError"),
    "29 raise a limit": (RAISED, "KeyError"),
    "31 a call of the 32-bit kind": (RAISED, "KeyError"),
    "32 executable map": (RAISED, "KeyError"),
    "32 executable at last": (RAISED, "KeyError"),
    "33 read address 0": (RAISED, "KeyError"),
    "33 write address 0": (RAISED, "KeyError"),
    "34 abort": (CRASH, None),
    "40 fill the page and leave": (Status.NO_RESULT, None),
    "40 huge length field": (Status.NO_RESULT, None),
    "40 a record that lies about its size": (Status.NO_RESULT, None),
    "40 a value that is no value": (Status.NO_RESULT, None),
    "40 an exception with a forged name": (Status.NO_RESULT, None),
    "40 more answers than questions": (Status.NO_RESULT, None),
    "40 forge an answer and crash": (RAISED, "KeyError"),
    "40 forge an answer and fork": (RAISED, "AttributeError"),
    "40 unmap the page": (RAISED, "KeyError"),
    "51 /proc": (RAISED, "FileNotFoundError"),
    "66 the real importer": (BAD, None),
    "69 a hundred and fifty brackets": (RAISED, "SyntaxError"),
    "75 wait on a futex": (RAISED, "KeyError"),
    "75 yield the processor for ever": (RAISED, "KeyError"),
    "75 an iterator that never ends": (RAISED, "OverflowError"),
    "75 decimal with a huge precision": (RAISED, "ValueError"),
}


def _here(attack: Attack) -> Attack:
    raw_call = "return syscall(" in attack.code
    status, error = DIFFERS.get(attack.row, (RAISED, "KeyError") if raw_call else (attack.status, attack.error))
    return Attack(attack.row, attack.code, status, error, attack.gated, attack.limits)


def _forge(raw: bytes) -> str:
    """A program that writes the record buffer after the harness did, in a trace function, as the harness returns."""
    return REACH + (
        f"def f(x):\n    sys, frame, raw, p = reach('sys'), reach('sys')._getframe(), {raw!r}, page()\n"
        "    while 'page' not in frame.f_locals: frame = frame.f_back\n"
        "    def trace(frame, event, what):\n        if event == 'return': p[:len(raw)] = raw\n        return trace\n"
        "    frame.f_trace = trace\n    sys.settrace(trace)\n    return 7"
    )


_ZERO = bytes(8)
OWN = [
    Attack("a forged size", _forge(b"\0" + _ZERO + b"\xff\xff\xff\x7f"), Status.PROTOCOL),
    Attack("a forged kind", _forge(b"\x09" + _ZERO + b"\x03\0\0\0i7;"), Status.PROTOCOL),
    Attack("a forged value that is none", _forge(b"\0" + _ZERO + b"\x04\0\0\0i07;"), Status.PROTOCOL),
    Attack("a forged name", _forge(b"\1" + _ZERO + b"\x03\0\0\0a b"), Status.PROTOCOL),
    Attack("a forged answer of one's own", _forge(b"\0" + _ZERO + b"\x03\0\0\0i8;"), OK),
    Attack("100 MB of output", REACH + "def f(x):\n    for _ in range(100): reach('os').write(1, b'x' * 10**6)", RAISED, "PermissionError"),
    Attack("files that exist inside", REACH + "def f(x): return reach('io').open('/usr/local/lib/python3.12/os.py').read(9) != ''", OK),
    Attack("a change to files that exist inside", REACH + "def f(x):\n    with reach('io').open('/usr/local/lib/python3.12/os.py', 'w') as file: file.write('x')", RAISED, "OSError"),
    Attack("the memory of all modules", REACH + "def f(x):\n    kept = []\n    while True: kept.append([*reach('sys').modules.values()] * 10**5)", MEMORY, limits=ROOMY),
    Attack("recursion through C", "def g(n): return sum(g(m) for m in [n])\ndef f(x): return g(1)", RAISED, "RecursionError"),
    Attack("recursion through C with the limit away", REACH + "def g(n): return sum(g(m) for m in [n])\ndef f(x):\n    reach('sys').setrecursionlimit(10**9)\n    return g(1)", RAISED, "RecursionError"),
    Attack("recursion in Python with the limit away", REACH + "def g(n): return g(n)\ndef f(x):\n    reach('sys').setrecursionlimit(10**9)\n    return g(1)", RAISED, "SystemError", limits=ROOMY),
    Attack("a destroyed harness", REACH + "def f(x):\n    for m in list(reach('sys').modules.values()): vars(m).clear()\n    return 7", Status.NO_RESULT),
]  # fmt: skip
HERE = [_here(attack) for attack in ATTACKS] + OWN
INNOCENT = "import math\ndef f(x): return [x + 1, len('abc'), sorted([2, 1]), round(math.pi, 2)]"


def _open(**options: object) -> Sandbox:
    if not wasm.installed():
        pytest.skip(f"the extra is missing: {wasm.HOW_TO_INSTALL}")
    return open_sandbox(**{"backend": "wasm", **options})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def box() -> Iterator[Sandbox]:
    with _open() as opened:
        yield opened


def run(box: Sandbox, code: str, *inputs: object, limits: Limits = LIMITS, server: int | None = None, **more: bool) -> tuple[Outcome, ...]:  # fmt: skip
    return asyncio.run(box.run(Job(code, tuple(encode((x,)) for x in inputs), limits=limits, **more), server=server))


def values(ends: tuple[Outcome, ...]) -> list[object]:
    return [decode(end.value) if end.value is not None else end.status for end in ends]


def test_it_measures_its_own_level(box: Sandbox) -> None:
    assert box.level == "wasm" and box.servers == 4
    probes = box.capabilities["probes"]
    assert (
        isinstance(probes, dict)
        and all(probes.values())
        and {"open_file", "open_socket", "fork", "loop"} <= set(probes)
    )
    assert box.capabilities["python"] == "3.12.0" and "wasmtime" not in sys.modules


@pytest.fixture(scope="module")
def siege(box: Sandbox) -> dict[str, tuple[Outcome, Outcome]]:
    """Every attack on one worker, each followed by an innocent program: what both came to."""
    pids = box.pids  # type: ignore[attr-defined]
    calm = Attack("calm", INNOCENT, OK)
    ends = asyncio.run(outcomes(box, [program for attack in HERE for program in (attack, calm)]))
    assert box.pids == pids  # type: ignore[attr-defined]
    return {attack.row: (ends[2 * i], ends[2 * i + 1]) for i, attack in enumerate(HERE)}


@pytest.mark.parametrize("attack", HERE, ids=lambda a: a.row)
def test_every_attack_ends_as_it_must_and_the_next_program_is_answered(siege: dict[str, tuple[Outcome, Outcome]], attack: Attack) -> None:  # fmt: skip
    struck, asked = siege[attack.row]
    assert wrong(attack, struck) is None
    assert asked.value == encode([2, 3, [1, 2], 3.14])


def test_all_rows_that_are_said_to_differ_exist() -> None:
    assert set(DIFFERS) <= {attack.row for attack in ATTACKS}


def test_innocent_programs_give_what_the_fork_server_gives(box: Sandbox, sandbox: Sandbox) -> None:
    """All but those that sum floats: since Python 3.12 `sum` keeps the digits that rounding loses."""
    here, there = boxed(box, PROGRAMS), boxed(sandbox, PROGRAMS)
    differing = [(code, a, b) for (code, _), a, b in zip(PROGRAMS, here, there, strict=True) if a != b]
    assert [case for case in differing if "sum(" not in case[0] or "/" not in case[0]] == []
    assert len(differing) <= 5


def test_an_attack_on_one_input_costs_the_other_inputs_nothing(box: Sandbox) -> None:
    code = (
        REACH
        + "def f(x):\n    while x == 2: pass\n    if x == 3: reach('os')._exit(0)\n    if x == 5: reach('os').abort()\n"
        "    return 'a' * 10**9 if x == 4 else [][x] if x == 6 else x * 10"
    )
    ends = run(box, code, *range(9))
    assert values(ends) == [0, 10, CPU, Status.NO_RESULT, MEMORY, CRASH, RAISED, 70, 80]
    assert ends[6].error == "IndexError" and ends[2].cpu_s >= LIMITS.cpu_s


def test_giving_up_answers_the_rest_alike(box: Sandbox) -> None:
    assert values(run(box, "def f(x):\n    while x == 1: pass\n    return x", *range(5), give_up=True)) == [
        0,
        *[CPU] * 4,
    ]


def test_each_input_has_its_own_cpu_budget(box: Sandbox) -> None:
    ends = run(box, "def f(n):\n    for _ in range(n): pass\n    return n", *[10**5] * 40)
    assert {end.status for end in ends} == {OK}
    assert sum(end.cpu_s for end in ends) > LIMITS.cpu_s


def test_module_level_state_does_not_pass_from_input_to_input(box: Sandbox) -> None:
    code = "calls = []\ndef f(x, seen=[]):\n    calls.append(x)\n    seen.append(x)\n    x.append(9)\n    return [len(calls), len(seen), x]"
    assert values(run(box, code, [1], [1], [1])) == [[1, 1, [1, 9]]] * 3


def test_nothing_passes_from_program_to_program(box: Sandbox) -> None:
    look = REACH + "import math\ndef f(x): return [math.pi > 3, 'left' in reach('sys').modules]"
    leave = look + "\nmath.pi = 3\nreach('sys').modules['left'] = 1"
    assert values(run(box, leave, 1, server=0)) == [[False, True]]
    assert values(run(box, look, 1, server=0)) == [[True, False]]


def test_more_inputs_and_larger_ones_than_one_guest_holds(box: Sandbox) -> None:
    assert values(run(box, "def f(x): return x + 1", *range(600))) == list(range(1, 601))
    long = ["x" * 60_000 + str(i) for i in range(40)]
    assert values(run(box, "def f(x): return x[60000:]", *long)) == [str(i) for i in range(40)]
    caps = Limits(value_bytes=100_000, nodes=50_000)
    assert [e.status for e in run(box, "def f(n): return 'x' * n", 1, 99_990, 100_001, limits=caps)] == [OK, OK, BAD]
    assert run(box, "def f(x): return x") == () and run(box, "", 1)[0].error == "NameError"


def test_recursion_through_c_is_as_deep_as_memoised_programs_need(box: Sandbox) -> None:
    code = (
        "import functools\n@functools.lru_cache(None)\ndef g(n): return n + g(n - 1) if n else 0\ndef f(n): return g(n)"
    )
    assert values(run(box, code, 100, 160)) == [5050, 12880]


def test_servers_differ_in_hash_order_and_agree_with_themselves(box: Sandbox) -> None:
    for body in ("hash('a')", "list({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'})", "id(f)"):
        seen = [values(run(box, f"def f(x): return {body}", 1, 2, server=i))[0] for i in range(box.servers)]
        assert len({str(value) for value in seen}) == box.servers == 4, body
        assert values(run(box, f"def f(x): return {body}", 1, server=0)) == seen[:1]


def test_there_is_no_environment_and_the_clock_stands_still(box: Sandbox) -> None:
    code = (
        REACH
        + "def f(x):\n    t = reach('time')\n    return [sorted(reach('os').environ), t.time(), t.monotonic() == t.monotonic()]"
    )
    assert values(run(box, code, 1)) == [[["PYTHONHASHSEED"], 1e9, True]]


def test_it_serves_threads_and_jobs_at_once(box: Sandbox) -> None:
    seen: list[object] = []
    threads = [
        threading.Thread(target=lambda i=i: seen.extend(values(run(box, "def f(x): return -x", i)))) for i in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == [-i for i in range(7, -1, -1)]  # type: ignore[type-var]


def test_hundreds_of_jobs_leave_nothing_behind(box: Sandbox) -> None:
    codes = [
        "def f(x): return x",
        "def f(x): return 1 / 0",
        "def f(x): return 'a' * 10**9",
        REACH + "def f(x): reach('os')._exit(0)",
    ]

    async def mixed(count: int) -> None:
        await asyncio.gather(
            *(box.run(Job(codes[i % len(codes)], (encode((i,)),), limits=LIMITS), server=0) for i in range(count))
        )

    def held() -> tuple[int, int]:
        pid = box.pids[0]  # type: ignore[attr-defined]
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]), len(
            Path(f"/proc/{pid}/maps").read_text().splitlines()
        )

    if not Path("/proc/self/statm").exists():
        pytest.skip("no /proc here to count pages in")
    asyncio.run(mixed(60))
    pages, maps = held()
    asyncio.run(mixed(240))
    after = held()
    assert after[0] < pages * 1.05 + 500 and after[1] <= maps + 5


def test_a_worker_killed_in_the_middle_is_replaced_and_loses_no_job() -> None:
    with _open(servers=1, witnesses=0) as box:
        first = box.pids[0]  # type: ignore[attr-defined]

        async def struck() -> list[tuple[Outcome, ...]]:
            slow = "def f(x):\n    for _ in range(10**6): pass\n    return x + 1"
            waiting = [asyncio.ensure_future(box.run(Job(slow, (encode((1,)),), limits=ROOMY))) for _ in range(4)]
            await asyncio.sleep(0.2)
            os.kill(first, signal.SIGKILL)
            return await asyncio.gather(*waiting)

        assert all(values(answer) == [2] for answer in asyncio.run(struck()))
        assert box.pids[0] != first  # type: ignore[attr-defined]


def test_a_machine_whose_memory_limit_does_not_hold_is_refused() -> None:
    with pytest.raises(SandboxUnavailable, match=r"level weak, and wasm was asked \(what got through: hog_memory\)"):
        _open(servers=1, witnesses=0, without=("memory",))


def test_a_library_of_the_host_cannot_be_had_inside() -> None:
    with pytest.raises(SandboxUnavailable, match="only Python's own library"):
        _open(servers=1, witnesses=0, preload=("numpy",))
    with _open(servers=1, witnesses=0, preload=("json",)) as box:
        assert values(run(box, "import json\ndef f(x): return json.dumps(x)", [1])) == ["[1]"]


NO_KERNEL = ("seccomp", "landlock", "namespaces")


def test_auto_takes_the_fork_server_where_it_reaches_the_level_and_else_this() -> None:
    with _open(backend="auto", min_level="wasm", servers=1, witnesses=0) as box:
        assert "strict" in box.level
    with _open(backend="auto", min_level="wasm", servers=1, witnesses=0, without=NO_KERNEL) as box:
        assert box.level == "wasm"
    with pytest.raises(SandboxUnavailable, match="level weak, and strict was asked.*or ask for the level wasm"):
        open_sandbox(1, witnesses=0, without=NO_KERNEL)
    with pytest.raises(SandboxUnavailable, match="level wasm, and strict was asked"):
        _open(min_level="strict", servers=1, witnesses=0)


def test_elsewhere_than_on_linux_auto_goes_straight_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fork.sys, "platform", "darwin")
    with _open(backend="auto", min_level="wasm", servers=1, witnesses=0) as box:
        assert box.level == "wasm"
    with pytest.raises(SandboxUnavailable, match="needs Linux.*or ask for the level wasm"):
        open_sandbox(1)


def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wasm, "_PACKAGES", ("a_package_that_nobody_has",))
    assert not wasm.installed()
    with pytest.raises(SandboxUnavailable, match=r"two packages that are missing: .*\[wasm\]"):
        open_sandbox(backend="wasm")
    with pytest.raises(SandboxUnavailable, match=r"level weak, and wasm was asked.*pip install -e '\.\[wasm\]'"):
        open_sandbox(1, witnesses=0, min_level="wasm", without=NO_KERNEL)


def test_compiled_code_is_kept_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path, made = tmp_path / "new" / "code", []

    def make() -> bytes:
        made.append(len(made))
        return b"code %d" % len(made)

    assert cache.once(path, make, bytes) == cache.once(path, make, bytes) == b"code 1"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert sorted(p.name for p in path.parent.iterdir()) == [".lock", "code"]


def test_kept_code_that_somebody_may_have_touched_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "code"

    def kept() -> bytes:
        return cache.once(path, lambda: b"again", bytes)

    assert cache.once(path, lambda: b"true", bytes) == kept() == b"true"
    sealed = path.read_bytes()
    for touched in (sealed[:-1] + b"x", sealed[:7], b""):
        path.write_bytes(touched)
        assert kept() == b"again"
    path.write_bytes(sealed)
    assert kept() == b"true"
    path.chmod(0o644)
    assert kept() == b"again"
    path.unlink()
    (tmp_path / "elsewhere").write_bytes(sealed)
    (tmp_path / "elsewhere").chmod(0o600)
    path.symlink_to(tmp_path / "elsewhere")
    assert kept() == b"again" and not path.is_symlink()
    assert cache.once(path, lambda: b"other", lambda code: None if code == b"again" else code) == kept() == b"other"


def test_where_nothing_can_be_kept_it_is_made_each_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert cache.once(tmp_path / "file" / "code", lambda: b"code", bytes) == b"code"


def test_two_workers_on_a_new_machine_compile_once_and_overwrite_what_does_not_load(box: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    here, there = cache.folder(), tmp_path / "wasm"
    (name,) = [path.name for path in here.glob(f"*-wasmtime-{box.capabilities['wasmtime']}-*")]
    cache.once(there / name, lambda: b"for another processor", bytes)
    monkeypatch.setenv("SELFPLAY_CACHE", str(tmp_path))
    with _open(servers=2, witnesses=0) as other:
        assert values(run(other, "def f(x): return -x", 1)) == [-1]
    assert abs((there / name).stat().st_size - (here / name).stat().st_size) < 1 << 16
    assert sorted(path.name for path in there.iterdir()) == [".lock", name]
