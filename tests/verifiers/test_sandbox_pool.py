# ruff: noqa: E501
from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.verifiers.hostile import LIMITS, REACH
from verifiers.sandbox import Job, Limits, Outcome, Sandbox, SandboxUnavailable, Status, keeper, open_sandbox, worker
from verifiers.values import decode, encode

ROOT = Path(__file__).resolve().parents[2]
ADD = "def f(x): return x + 1"
LOOP = "def f(x):\n    while True: pass"


def job(code: str, *inputs: object, limits: Limits = LIMITS) -> Job:
    return Job(code, tuple(encode((value,)) for value in inputs), limits=limits)


def family(box: Sandbox) -> list[int]:
    """Every process of the sandbox: the workers, and the servers they wait for."""
    found: list[int] = []
    for pid in box.pids:  # type: ignore[attr-defined]
        found += [pid, *_children(pid)]
    return found


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _until_gone(pids: list[int]) -> list[int]:
    for _ in range(200):
        left = [pid for pid in pids if _alive(pid)]
        if not left:
            break
        time.sleep(0.02)
    return left


def test_many_jobs_at_once_come_back_each_to_its_own_caller(sandbox: Sandbox) -> None:
    async def all_of_them() -> list[tuple[Outcome, ...]]:
        return await asyncio.gather(*(sandbox.run(job(ADD, i, -i)) for i in range(400)))

    answers = asyncio.run(all_of_them())
    assert [tuple(decode(o.value or b"") for o in pair) for pair in answers] == [(i + 1, 1 - i) for i in range(400)]


def test_one_loop_after_another_and_two_at_once_may_use_it(sandbox: Sandbox) -> None:
    import threading

    for i in range(5):
        assert asyncio.run(sandbox.run(job(ADD, i)))[0].value == encode(i + 1)
    seen: list[bytes | None] = []
    threads = [
        threading.Thread(target=lambda i=i: seen.append(asyncio.run(sandbox.run(job(ADD, i)))[0].value))
        for i in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == sorted(encode(i + 1) for i in range(8))


def test_work_goes_on_while_the_loop_is_busy(sandbox: Sandbox) -> None:
    async def busy() -> list[bool]:
        waiting = [asyncio.ensure_future(sandbox.run(job(ADD, i))) for i in range(60)]
        await asyncio.sleep(0)
        time.sleep(1.5)  # as a training step would hold the loop
        for _ in range(3):
            await asyncio.sleep(0)
        return [future.done() for future in waiting]

    assert all(asyncio.run(busy()))


def test_a_loop_that_was_left_behind_harms_nobody(sandbox: Sandbox) -> None:
    async def abandon() -> None:
        for i in range(50):
            asyncio.ensure_future(sandbox.run(job(ADD, i)))
        await asyncio.sleep(0)

    async def cancel() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(sandbox.run(job(LOOP, 1)), 0.02)

    asyncio.run(abandon())
    asyncio.run(cancel())
    assert asyncio.run(sandbox.run(job(ADD, 1)))[0].value == encode(2)


def test_more_inputs_than_one_fork_holds_are_split_and_joined(sandbox: Sandbox) -> None:
    answers = asyncio.run(sandbox.run(job(ADD, *range(600))))
    assert [decode(answer.value or b"") for answer in answers] == list(range(1, 601))
    long = ["x" * 60_000 + str(i) for i in range(40)]
    answers = asyncio.run(sandbox.run(job("def f(x): return x[60000:]", *long)))
    assert [decode(answer.value or b"") for answer in answers] == [str(i) for i in range(40)]
    assert asyncio.run(sandbox.run(job(ADD))) == ()


def test_results_up_to_the_cap_come_back_and_longer_ones_do_not(sandbox: Sandbox) -> None:
    limits = Limits(value_bytes=100_000, nodes=50_000)
    sizes = (1, 4000, 99_990, 100_001)
    answers = asyncio.run(sandbox.run(job("def f(n): return 'x' * n", *sizes, limits=limits)))
    assert [answer.status for answer in answers] == [Status.OK, Status.OK, Status.OK, Status.BAD_VALUE]
    answers = asyncio.run(sandbox.run(job("def f(n): return [0] * n", 10, 2500, limits=Limits(nodes=2000))))
    assert [answer.status for answer in answers] == [Status.OK, Status.BAD_VALUE]


def test_our_own_mistakes_are_errors(sandbox: Sandbox) -> None:
    for bad in (
        job(ADD, 1, limits=Limits(cpu_s=0)),
        job(ADD, 1, limits=Limits(value_bytes=10**6)),
        job(ADD, 1, limits=Limits(memory_mb=0)),
        Job(ADD, (encode((1,)),), entry=""),
        Job(ADD, (b"x" * (1 << 21),)),
    ):
        with pytest.raises(ValueError):
            asyncio.run(sandbox.run(bad))
    with pytest.raises(ValueError, match="server must be 0 to"):
        asyncio.run(sandbox.run(job(ADD, 1), server=99))
    assert asyncio.run(sandbox.run(Job(ADD, (b"garbage",))))[0].status is Status.RAISED


@pytest.mark.parametrize("victim", ["worker", "server"])
def test_a_worker_killed_in_the_middle_loses_no_job(victim: str) -> None:
    slow = "def f(x):\n    for _ in range(300000): pass\n    return x + 1"
    with open_sandbox(2) as box:
        before = family(box)

        async def struck() -> list[tuple[Outcome, ...]]:
            waiting = [asyncio.ensure_future(box.run(job(slow, i, limits=Limits()))) for i in range(60)]
            for _ in range(3):
                await asyncio.sleep(0.1)
                pid = box.pids[0]  # type: ignore[attr-defined]
                os.kill(pid if victim == "worker" else (_children(pid) or [pid])[0], signal.SIGKILL)
            return await asyncio.gather(*waiting)

        answers = asyncio.run(struck())
        lost = [i for i, a in enumerate(answers) if a[0].status is Status.PROTOCOL]
        assert len(lost) <= 1  # one that was struck twice
        assert all(a[0].value == encode(i + 1) for i, a in enumerate(answers) if i not in lost)
        assert asyncio.run(box.run(job(ADD, 1), server=0))[0].value == encode(2)
        assert _until_gone([before[0], before[1]]) == []
        after = family(box)
    assert _until_gone(after) == []


def test_a_job_under_which_the_worker_dies_twice_is_answered_protocol() -> None:
    with open_sandbox(1) as box:

        async def struck() -> tuple[tuple[Outcome, ...], tuple[Outcome, ...]]:
            doomed = asyncio.ensure_future(box.run(job(LOOP, 1, 2, limits=Limits(cpu_s=5.0, wall_s=50.0)), server=0))
            behind = asyncio.ensure_future(box.run(job(ADD, 1), server=0))
            for _ in range(2):
                pid = box.pids[0]  # type: ignore[attr-defined]
                while not (_alive(pid) and any(_children(child) for child in _children(pid) or [pid])):
                    await asyncio.sleep(0.02)
                await asyncio.sleep(0.1)
                os.kill(pid, signal.SIGKILL)
                while box.pids[0] == pid:  # type: ignore[attr-defined]
                    await asyncio.sleep(0.02)
                await asyncio.sleep(0.8)
            return await asyncio.gather(doomed, behind)

        doomed, behind = asyncio.run(struck())
    assert [outcome.status for outcome in doomed] == [Status.PROTOCOL] * 2
    assert behind[0].value == encode(2)


def test_a_worker_that_falls_silent_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_GRACE_S", 0.5)
    with open_sandbox(1) as box:
        for pid in family(box)[:2]:
            os.kill(pid, signal.SIGSTOP)
        limits = Limits(cpu_s=0.2, wall_s=0.5)
        assert asyncio.run(box.run(job(ADD, 1, limits=limits), server=0))[0].value == encode(2)


def test_a_worker_is_renewed_after_its_share_of_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "_RECYCLE", 20)
    with open_sandbox(1) as box:
        first = box.pids  # type: ignore[attr-defined]

        async def many() -> list[tuple[Outcome, ...]]:
            return await asyncio.gather(*(box.run(job(ADD, i), server=0) for i in range(50)))

        assert [decode(a[0].value or b"") for a in asyncio.run(many())] == list(range(1, 51))
        assert box.pids[0] != first[0] and box.pids[1:] == first[1:]  # type: ignore[attr-defined]
    assert _until_gone(list(first)) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may look at the workers, which are not dumpable")
def test_thousands_of_mixed_jobs_leave_nothing_behind() -> None:
    codes = [ADD] * 12 + [
        "def f(x): return 1 / 0",
        "def f(x): return 'a' * 10**10",
        "import os",
        "def f(x): return f",
        "def f(x): return [0] * 3000",
    ]

    async def mixed(count: int) -> None:
        await asyncio.gather(*(box.run(job(codes[i % len(codes)], i, i + 1)) for i in range(count)))

    def held() -> dict[str, int]:
        pids = family(box)
        memory = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
        return {
            "files": sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in [*pids, os.getpid()]),
            "processes": sum(len(_children(pid)) for pid in pids),
            "pages": memory,
        }

    with open_sandbox(2) as box:
        asyncio.run(mixed(300))
        before, pids = held(), box.pids  # type: ignore[attr-defined]
        asyncio.run(mixed(3000))
        after = held()
        assert box.pids == pids  # type: ignore[attr-defined]
    assert after["files"] == before["files"] and after["processes"] == before["processes"]
    assert after["pages"] < before["pages"] * 1.05 + 100
    assert _until_gone(list(pids)) == []


def test_closing_twice_is_fine_and_nothing_runs_afterwards() -> None:
    files = len(os.listdir("/proc/self/fd"))
    box = open_sandbox(1)
    pids = family(box)

    async def close_under_way() -> None:
        waiting = [
            asyncio.ensure_future(box.run(job(LOOP, 1, limits=Limits(cpu_s=30.0, wall_s=60.0)))) for _ in range(9)
        ]
        await asyncio.sleep(0.1)
        box.close()
        for future in waiting:
            with pytest.raises(SandboxUnavailable):
                await future

    asyncio.run(close_under_way())
    box.close()
    with pytest.raises(SandboxUnavailable, match="closed"):
        asyncio.run(box.run(job(ADD, 1)))
    assert _until_gone(pids) == []
    assert len(os.listdir("/proc/self/fd")) == files


_ORPHANS = """
import asyncio, os, signal, sys
sys.path.insert(0, sys.argv[1])
from verifiers.sandbox import Job, Limits, open_sandbox
from verifiers.values import encode
box = open_sandbox(1)
children = [int(c) for p in box.pids for c in open(f"/proc/{p}/task/{p}/children").read().split()]
print(*box.pids, *children, flush=True)
async def main():
    job = Job("def f(x):\\n    while True: pass", (encode((1,)),), limits=Limits(cpu_s=2.0, wall_s=60.0))
    waiting = asyncio.ensure_future(box.run(job))
    await asyncio.sleep(0.2)
    os.kill(os.getpid(), signal.SIGKILL) if sys.argv[2] == "killed" else sys.exit(0)
asyncio.run(main())
"""


@pytest.mark.parametrize("how", ["killed", "exits"])
def test_no_process_outlives_its_owner(how: str) -> None:
    done = subprocess.run([sys.executable, "-c", _ORPHANS, str(ROOT), how], capture_output=True, text=True, timeout=60)
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) >= 4, done.stderr
    assert _until_gone(pids) == []


def test_a_forked_copy_of_the_owner_is_told_to_open_its_own(sandbox: Sandbox) -> None:
    pid = os.fork()
    if pid == 0:
        try:
            asyncio.run(sandbox.run(job(ADD, 1)))
        except SandboxUnavailable:
            os._exit(17)
        finally:
            os._exit(1)
    assert os.WEXITSTATUS(os.waitpid(pid, 0)[1]) == 17
    assert asyncio.run(sandbox.run(job(ADD, 1)))[0].value == encode(2)


def test_an_interrupt_at_the_terminal_does_not_reach_the_workers(sandbox: Sandbox) -> None:
    groups = {os.getpgid(pid) for pid in family(sandbox)}
    assert os.getpgrp() not in groups


def test_another_seed_gives_the_servers_other_hash_seeds_and_the_same_one_the_same() -> None:
    job = Job("def f(x): return hash(x)", (encode(("a",)),))

    def hashes(seed: int) -> list[bytes | None]:
        with open_sandbox(servers=2, witnesses=0, seed=seed) as box:
            return [asyncio.run(box.run(job, server))[0].value for server in (0, 1)]

    assert hashes(1) == hashes(1) != hashes(2) and len({*hashes(1), *hashes(2)}) == 4


def test_servers_differ_in_time_zone_and_locale_as_well() -> None:
    code = REACH + "def f(x):\n    found = reach('os').environ\n    return [found['TZ'], found['LC_ALL']]"
    with open_sandbox(servers=4) as box:
        job = Job(code, (encode((1,)),))
        zones, locales = zip(*(decode(asyncio.run(box.run(job, i))[0].value) for i in range(4)), strict=True)
    assert len(set(zones)) == 3 and len(set(locales)) == 2
