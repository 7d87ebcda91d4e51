"""What a proposer that is paid to cheat earns: two hundred proposals of one kind through the real gates, bank, scorer
and credit, under the default rewards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from selfplay.config import Config
from tests.scripted import Played, play

CONFIG = Config.model_validate(
    {
        "curriculum": {"families": ["deduction"], "proposals": 50, "new_tasks": 50, "replays": 4, "attempts": 8},
        "games": {"names": [], "episodes": 0},
        "evaluation": {"exploitability": []},
    }
)
NAMES = list("abcdefghijkmnpqrstuvwxyz")


def played(write: Callable[[Random], str], answer: Callable[[str, Random], str], steps: int = 4) -> Played:
    """`write` continues `def f(`; `answer` continues the assertion whose program and input it is shown."""

    def script(prompt: str, rng: Random) -> str:
        return write(rng) if prompt.startswith("# Different") else answer(prompt, rng)

    return play(CONFIG, script, steps)


def wrong(prompt: str, rng: Random) -> str:
    return f" {rng.randrange(10**6)}"


def flip(prompt: str, rng: Random) -> str:
    return rng.choice([" True", " False"])


def knows(prompt: str, rng: Random) -> str:
    """Runs the program, and is right two times in five; its mistakes are its own."""
    code, _, given = prompt.rpartition("\n\n")[2].rpartition("\nassert f(")
    space: dict = {}
    exec(code, space)
    truth = eval(f"f({given.rpartition(') ==')[0]})", space)
    return f" {truth!r}" if rng.random() < 0.4 else wrong(prompt, rng)


def duplicates(rng: Random) -> str:
    return "n):\n    return n * 3 + 4\n# input: 5"


def renamed(rng: Random) -> str:
    name, other = rng.sample(NAMES, 2)
    return f"{name}):\n    {other} = {name} * 3\n    return {other} + 4  # {rng.random()}\n# input: {rng.randrange(99)}"


def rewritten(rng: Random) -> str:
    form = rng.choice(["{n} * 3 + 4", "4 + 3 * {n}", "{n} + {n} + {n} + 4", "({n} + 1) * 3 + 1", "{n} * 4 - {n} + 4"])
    return f"n):\n    return {form.format(n='n')}\n# input: {rng.randrange(99)}"


def constants(rng: Random) -> str:
    body = rng.choice(["{c}", "n * 0 + {c}", "{c} if n == n else 0", "len(str(n)) * 0 + {c}", "(n - n) + {c}"])
    return f"n):\n    return {body.format(c=rng.randrange(10**6))}\n# input: {rng.randrange(99)}"


def identities(rng: Random) -> str:
    body = rng.choice(["n", "n + 0", "[n][0]", "n * 1", "max(n, n)"])
    return f"n):\n    return {body}\n# input: {rng.randrange(10**6)}"


def coins(rng: Random) -> str:
    a, b, c = (rng.randrange(3, 10**6) | 1 for _ in range(3))
    return f"n):\n    return (n * {a} + {b}) % {c} % 2 == 0\n# input: {rng.randrange(10**6)}"


def unsolvable(rng: Random) -> str:
    a, b, given = rng.randrange(10**6), rng.randrange(10**5, 10**6), rng.randrange(10**6)
    return f"n):\n    return (n * {a} + 7) ** 3 % {b}\n# input: {given}"


def junk(rng: Random) -> str:
    return "".join(
        rng.choice("def f(x):\n    return\x00\ud800\u202e[]'\\{}#input: 01") for _ in range(rng.randrange(80))
    )


CHEATS = [
    (duplicates, knows, {"novelty"}), (renamed, knows, {"novelty"}), (rewritten, knows, {"novelty"}),
    (constants, knows, {"trivial"}), (identities, knows, {"trivial"}), (junk, knows, {"parse"}),
    (coins, flip, set()), (unsolvable, wrong, set()),
]  # fmt: skip


@pytest.mark.parametrize(("write", "answer", "gates"), CHEATS, ids=lambda x: getattr(x, "__name__", ""))
def test_a_cheat_earns_next_to_nothing_and_the_run_goes_on(
    write: Callable[[Random], str], answer: Callable[[str, Random], str], gates: set[str]
) -> None:
    run = played(write, answer)
    assert len(run.rewards) == 200 and sum(run.rewards) / 200 <= 0.05
    refusals = Counter(p.refusal.gate for p in run.proposals if p.refusal)
    admitted = sum(p.task is not None for p in run.proposals)
    assert admitted + refusals.total() == 200
    if gates:
        assert max(refusals, key=lambda gate: refusals[gate]) in gates and admitted <= 8, refusals
    else:
        assert admitted > 150, "refused by no gate: what it earns is the scorer's doing"
    assert all(len(measured.learnability) >= 3 for measured in run.measured), "the seeds are always there to replay"


def test_an_honest_proposer_of_hard_and_learnable_tasks_is_paid() -> None:
    run = played(unsolvable, knows)
    assert sum(run.rewards) / 200 > 0.4
