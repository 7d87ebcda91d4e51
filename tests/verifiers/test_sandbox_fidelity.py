# ruff: noqa: E501
from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from pathlib import Path

from tests.verifiers.benign import BY_HAND, composed
from verifiers.hygiene import check, normalise
from verifiers.sandbox import Job, Limits, Outcome, Sandbox
from verifiers.values import encode, parse_arguments

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = BY_HAND + composed(430, random.Random(7))

_PLAIN = """
import contextlib, io, json, sys
sys.path.insert(0, sys.argv[1])
from verifiers.codec import BadValue, encode
answers = []
for code, text in json.load(sys.stdin):
    space = {"__name__": "program"}
    sys.modules["program"] = type(sys)("program")
    space = vars(sys.modules["program"])
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, "<program>", "exec", dont_inherit=True), space)
            value = eval(f"f({text})", space)
        answers.append("value " + encode(value, max_bytes=4000, max_nodes=2000).hex())
    except BadValue as error:
        answers.append("bad value")
    except Exception as error:
        answers.append("raised " + type(error).__name__)
print(json.dumps(answers))
"""


def plainly(programs: list[tuple[str, str]]) -> list[str]:
    """What an ordinary interpreter makes of our own programs."""
    command = [sys.executable, "-I", "-c", _PLAIN, str(ROOT)]
    done = subprocess.run(command, input=json.dumps(programs), capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))


def boxed(sandbox: Sandbox, programs: list[tuple[str, str]]) -> list[str]:
    async def run() -> list[tuple[Outcome, ...]]:
        jobs = [
            Job(code, (encode(parse_arguments(text), ordered=True),), limits=Limits(cpu_s=2.0))
            for code, text in programs
        ]
        return await asyncio.gather(*map(sandbox.run, jobs))

    def say(end: Outcome) -> str:
        if end.value is not None:
            return "value " + end.value.hex()
        return "bad value" if end.status == "bad_value" else f"{end.status} {end.error}"

    return [say(answer[0]) for answer in asyncio.run(run())]


def test_five_hundred_innocent_programs_give_what_a_plain_interpreter_gives(sandbox: Sandbox) -> None:
    assert len({code for code, _ in PROGRAMS}) >= 500
    plain, box = plainly(PROGRAMS), boxed(sandbox, PROGRAMS)
    assert [(p, a, b) for p, a, b in zip(PROGRAMS, plain, box, strict=True) if a != b] == []
    assert sum(answer.startswith("value") for answer in box) >= 0.9 * len(box)


def test_the_normal_form_gives_the_same_with_and_without_new_names(sandbox: Sandbox) -> None:
    passed = [(code, text) for code, text in PROGRAMS if check(code) is None]
    assert len(passed) >= 0.9 * len(PROGRAMS)
    plain = plainly(passed)
    assert boxed(sandbox, [(normalise(code), text) for code, text in passed]) == plain
    renamed = boxed(sandbox, [(normalise(code, rename=True), text) for code, text in passed])
    differing = [
        (p[0], a, b) for p, a, b in zip(passed, plain, renamed, strict=True) if a != b and "__name__" not in p[0]
    ]
    assert differing == []
