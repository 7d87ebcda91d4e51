"""How fast is the sandbox here, beside a fresh interpreter for each program, and does a hostile batch slow it down?

Every figure is the best of three rounds, taken in one run, so that ratios hold on a busy machine too.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from verifiers.sandbox import Job, Limits, Sandbox, Status, open_sandbox
from verifiers.values import encode

_PROGRAM = "def f(x): return x + 1"
_LOOP = "def f(x):\n    while True: pass"
_EATER = "def f(x):\n    kept = []\n    while True: kept.append('x' * 1000000)"
_SAME_JOB = "import json, sys; exec(sys.argv[1]); print(json.dumps(f(*json.loads(sys.argv[2]))))"
_BARE = _PROGRAM + "\nprint(f(1))"
_ROUNDS = 3
_STREAMS = 2
_MIX_LIMITS = Limits(cpu_s=0.25, memory_mb=128)


def measure() -> dict[str, Any]:
    """Measures for about ten seconds.

    level: what the sandbox's probes measured. programs_per_s: one program and one input a fork, every wall standing.
    inputs_per_s: ten inputs a fork. vs_fresh_interpreter: programs_per_s over that of a new `python -I -S` for each
    program, two at a time as well, which reads the arguments and writes the result as JSON and has no wall at all.
    vs_bare_interpreter: over one that reads nothing and merely prints. hostile_mix_s: seconds for 200 programs of which
    ten loop for ever and five eat memory. hostile_mix_right: whether each of those ended as it should.

    Raises `SandboxUnavailable`.
    """
    with open_sandbox(_STREAMS) as sandbox:
        asyncio.run(_batch(sandbox, [_job(1)] * 200))
        programs = _best(lambda: _rate(sandbox, [_job(1)] * 1000, 1))
        inputs = _best(lambda: _rate(sandbox, [_job(10)] * 300, 10))
        mix, right = min(_hostile(sandbox) for _ in range(2))
        fresh = _best(lambda: _interpreters(_SAME_JOB, _PROGRAM, "[1]"))
        bare = _best(lambda: _interpreters(_BARE))
        return {
            "level": sandbox.level,
            "programs_per_s": round(programs, 1),
            "inputs_per_s": round(inputs, 1),
            "vs_fresh_interpreter": round(programs / fresh, 2),
            "hostile_mix_s": round(mix, 3),
            "hostile_mix_right": right,
            "vs_bare_interpreter": round(programs / bare, 2),
        }


def _job(inputs: int) -> Job:
    return Job(_PROGRAM, tuple(encode((i,)) for i in range(inputs)))


async def _batch(sandbox: Sandbox, jobs: list[Job]) -> list[Status]:
    answers = await asyncio.gather(*map(sandbox.run, jobs))
    return [answer[0].status for answer in answers]


def _rate(sandbox: Sandbox, jobs: list[Job], inputs: int) -> float:
    began = time.perf_counter()
    asyncio.run(_batch(sandbox, jobs))
    return len(jobs) * inputs / (time.perf_counter() - began)


def _hostile(sandbox: Sandbox) -> tuple[float, bool]:
    kinds = [
        (_LOOP, Status.CPU) if i % 20 == 7 else (_EATER, Status.MEMORY) if i % 40 == 13 else (_PROGRAM, Status.OK)
        for i in range(200)
    ]
    jobs = [Job(code, (encode((1,)),), limits=_MIX_LIMITS) for code, _ in kinds]
    began = time.perf_counter()
    statuses = asyncio.run(_batch(sandbox, jobs))
    return time.perf_counter() - began, statuses == [status for _, status in kinds]


def _interpreters(program: str, *arguments: str, count: int = 40) -> float:
    command = [sys.executable, "-I", "-S", "-c", program, *arguments]

    def one(_: int) -> bytes:
        return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout

    began = time.perf_counter()
    with ThreadPoolExecutor(_STREAMS) as streams:
        list(streams.map(one, range(count)))
    return count / (time.perf_counter() - began)


def _best(figure: Callable[[], float]) -> float:
    return max(figure() for _ in range(_ROUNDS))
