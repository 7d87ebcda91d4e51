# ruff: noqa: E501
from __future__ import annotations

import asyncio
import platform
from collections.abc import Iterator

import pytest

from tests.verifiers.hostile import ATTACKS, LIMITS, Attack, outcomes, wrong
from verifiers.hygiene import check
from verifiers.sandbox import Job, Outcome, Sandbox, Status, open_sandbox
from verifiers.values import encode

HERE = [a for a in ATTACKS if platform.machine() == "x86_64" or "return syscall(" not in a.code]
MACHINES = {"strict+": (), "strict, with Landlock": ("namespaces",), "strict, alone": ("namespaces", "landlock")}


@pytest.fixture(scope="module", params=MACHINES)
def siege(request: pytest.FixtureRequest) -> Iterator[tuple[str, Sandbox, dict[str, Outcome]]]:
    """Every attack at once on one sandbox; what each came to."""
    with open_sandbox(2, without=MACHINES[request.param]) as box:
        if box.level != request.param.split(",")[0]:
            pytest.skip(f"this machine offers {box.level}, not {request.param}")
        ends = asyncio.run(outcomes(box, HERE))
        yield request.param, box, dict(zip((a.row for a in HERE), ends, strict=True))


@pytest.mark.parametrize("attack", HERE, ids=lambda a: a.row)
def test_every_attack_ends_as_it_must(siege: tuple[str, Sandbox, dict[str, Outcome]], attack: Attack) -> None:
    assert wrong(attack, siege[2][attack.row]) is None


@pytest.mark.parametrize("attack", HERE, ids=lambda a: a.row)
def test_after_every_attack_the_same_worker_answers_truly(sandbox: Sandbox, attack: Attack) -> None:
    pids = sandbox.pids  # type: ignore[attr-defined]
    innocent = "import math\ndef f(x): return [x + 1, len('abc'), sorted([2, 1]), round(math.pi, 2)]"

    async def attack_then_ask() -> tuple[tuple[Outcome, ...], tuple[Outcome, ...]]:
        struck = sandbox.run(Job(attack.code, (encode((1,)),), limits=attack.limits), server=1)
        asked = sandbox.run(Job(innocent, (encode((1,)),), limits=LIMITS), server=1)
        return await asyncio.gather(struck, asked)

    struck, asked = asyncio.run(attack_then_ask())
    assert wrong(attack, struck[0]) is None
    assert asked[0].value == encode([2, 3, [1, 2], 3.14])
    assert sandbox.pids == pids  # type: ignore[attr-defined]


@pytest.mark.parametrize("attack", HERE, ids=lambda a: a.row)
def test_the_gate_refuses_what_it_is_said_to_refuse(attack: Attack) -> None:
    assert (check(attack.code) is not None) == attack.gated


def test_an_attack_on_one_input_costs_the_other_inputs_nothing(sandbox: Sandbox) -> None:
    code = "def f(x):\n    while x == 2: pass\n    return 'a' * 10**10 if x == 4 else [][x] if x == 5 else x * 10"
    answers = asyncio.run(sandbox.run(Job(code, tuple(encode((i,)) for i in range(7)), limits=LIMITS)))
    ok, cpu, memory, raised = Status.OK, Status.CPU, Status.MEMORY, Status.RAISED
    assert [a.status for a in answers] == [ok, ok, cpu, ok, memory, raised, ok]
    assert [a.value for a in answers if a.value] == [encode(i * 10) for i in (0, 1, 3, 6)]


def test_giving_up_answers_the_rest_alike(sandbox: Sandbox) -> None:
    code = "def f(x):\n    while x == 1: pass\n    return x"
    answers = asyncio.run(sandbox.run(Job(code, tuple(encode((i,)) for i in range(5)), limits=LIMITS, give_up=True)))
    assert [a.status for a in answers] == [Status.OK, *[Status.CPU] * 4]


def test_each_input_has_its_own_cpu_budget(sandbox: Sandbox) -> None:
    code = "def f(n):\n    for _ in range(n): pass\n    return n"
    answers = asyncio.run(sandbox.run(Job(code, (encode((10**6,)),) * 20, limits=LIMITS)))
    assert {a.status for a in answers} == {Status.OK}
    assert sum(a.cpu_s for a in answers) > LIMITS.cpu_s


def test_module_level_state_does_not_pass_from_input_to_input(sandbox: Sandbox) -> None:
    code = "calls = []\ndef f(x, seen=[]):\n    calls.append(x)\n    seen.append(x)\n    x.append(9)\n    return [len(calls), len(seen), x]"
    same = encode(([1],))
    answers = asyncio.run(sandbox.run(Job(code, (same,) * 3)))
    assert {a.value for a in answers} == {encode([1, 1, [1, 9]])}


def test_precision_and_printing_do_not_pass_from_input_to_input(sandbox: Sandbox) -> None:
    code = (
        "from decimal import Decimal, getcontext\ndef f(x):\n    print('a' * 900_000)\n"
        "    if x == 1: getcontext().prec = 3\n    return str(Decimal(1) / 3)"
    )
    answers = asyncio.run(sandbox.run(Job(code, tuple(encode((i,)) for i in range(4)))))
    assert [a.value for a in answers] == [encode("0." + "3" * (3 if i == 1 else 28)) for i in range(4)]


def test_servers_differ_in_hash_order_and_addresses(sandbox: Sandbox) -> None:
    for body in ("hash('a')", "id(f)", "list({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'})"):
        job = Job(f"def f(x): return {body}", (encode((1,)),))
        values = {asyncio.run(sandbox.run(job, server=i))[0].value for i in range(sandbox.servers)}
        assert len(values) == sandbox.servers >= 3
        again = {asyncio.run(sandbox.run(job, server=0))[0].value for _ in range(3)}
        assert len(again) == 1 and again < values


def test_the_environment_tells_nothing(sandbox: Sandbox) -> None:
    attack = next(a for a in HERE if a.row == "51 environment")
    (outcome,) = asyncio.run(outcomes(sandbox, [attack]))
    assert outcome.value == encode(["LC_ALL", "LD_BIND_NOW", "PYTHONHASHSEED", "TZ"])
