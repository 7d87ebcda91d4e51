from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from selfplay.bench.synthetic.run import make
from selfplay.store import filters, queries
from selfplay.store.queries import ORDERS
from selfplay.store.reader import Reader

KEYS = {
    "newest": lambda task: -task["place"],
    "oldest": lambda task: task["place"],
    "hardest": lambda task: (task["solve_rate"], task["place"]),
    "easiest": lambda task: (-task["solve_rate"], -task["place"]),
    "learnable": lambda task: (-task["learnability"], -task["place"]),
    "attempts": lambda task: (-task["attempts"], -task["place"]),
    "fertile": lambda task: (-task["children"], -task["place"]),
}
LISTED = {
    "hardest": lambda task: task["solve_rate"] is not None,
    "easiest": lambda task: task["solve_rate"] is not None,
    "learnable": lambda task: task["learnability"] is not None,
    "attempts": lambda task: task["attempts"] > 0,
    "fertile": lambda task: task["children"] > 0,
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with Reader(make(tmp_path_factory.mktemp("runs"), tasks=21_000, turns=1_200, steps=12)) as reader:
        yield reader


@pytest.fixture(scope="module")
def every(reader: Reader) -> list[dict[str, Any]]:
    return [task | {"place": place} for place, task in enumerate(reader.tasks(10**6, order="oldest"), 1)]


def drawn(rng: Random) -> filters.TaskFilter:
    low, high = sorted((rng.random(), rng.random()))
    first, last = sorted((rng.randrange(13), rng.randrange(13)))
    choices: dict[str, Any] = {
        "family": rng.choice(["math", "logic", "none such"]),
        "step": rng.choice([(first, last), first]),
        "solved": (low, high),
        "learnable": (low / 2, 1.0),
        "theme": rng.choice(["loops", "loop", "text"]),
        "active": rng.random() < 0.5,
        "among": [rng.randrange(21_000) for _ in range(4_000)],
    }
    return {name: choices[name] for name in rng.sample(sorted(choices), rng.randrange(4))}  # type: ignore[return-value]


def holds(task: dict[str, Any], only: filters.TaskFilter) -> bool:
    def inside(value: float | None, bounds: tuple[float, float]) -> bool:
        return value is not None and bounds[0] <= value <= bounds[1]

    tests = {
        "family": lambda want: task["family"] == want,
        "step": lambda want: inside(task["step"], (want, want) if isinstance(want, int) else want),
        "solved": lambda want: inside(task["solve_rate"], want),
        "learnable": lambda want: inside(task["learnability"], want),
        "theme": lambda want: want in task["themes"],
        "active": lambda want: (task["evicted"] is None) == want,
        "among": lambda want: task["place"] in set(want),
    }
    return all(tests[name](want) for name, want in only.items())


@pytest.mark.parametrize("order", ORDERS)
def test_a_page_of_any_filter_is_what_filtering_and_sorting_by_hand_gives(
    reader: Reader, every: list[dict[str, Any]], order: str
) -> None:
    rng = Random(f"filters {order}")
    for _ in range(12):
        only = drawn(rng)
        want = [task for task in every if LISTED.get(order, bool)(task)]
        if "among" in only:
            kept = set(only["among"] or ())
            want = [task for task in want if task["place"] in kept]
        want = sorted((t for t in want if holds(t, {k: v for k, v in only.items() if k != "among"})), key=KEYS[order])  # type: ignore[misc]
        assert reader.count_tasks(order, **only) == len(want), only
        for offset in (0, len(want) // 2, max(len(want) - 7, 0)):
            found = reader.tasks(7, offset, order, **only)
            assert [task["id"] for task in found] == [task["id"] for task in want[offset : offset + 7]], only


@pytest.mark.parametrize("order", ORDERS)
def test_pages_and_totals_are_read_from_an_index_alone(reader: Reader, order: str) -> None:
    rng = Random(f"plans {order}")
    for _ in range(12):
        only = drawn(rng)
        only.pop("among", None)
        where = queries._which(order, only)
        for query in (
            f"SELECT n FROM tasks {where.text} ORDER BY {ORDERS[order]}",
            f"SELECT count(*) FROM tasks {where.text}",
        ):
            plan = [row[3] for row in reader._rows(f"EXPLAIN QUERY PLAN {query}", *where.values)]
            read, *others = [line for line in plan if line.startswith(("SCAN", "SEARCH"))]
            assert "USING COVERING INDEX" in read, (only, plan)
            assert others == ["SCAN tasks USING INDEX tasks_active"] * ("active" in only), (only, plan)
            assert not any("ORDER BY" in line for line in plan), (only, plan)


def test_refused_proposals_are_filtered_and_counted_as_by_hand(reader: Reader) -> None:
    every = reader.proposals(10**6)
    refused = [p for p in every if p["gate"]]
    assert len(every) == reader.count_proposals() > len(refused) == reader.count_proposals(gate="any")
    for only in (
        {"gate": "novelty"},
        {"gate": "any", "family": "math"},
        {"gate": "run", "step": (3, 5), "family": "logic"},
    ):
        want = [
            p["id"]
            for p in refused
            if only["gate"] in ("any", p["gate"])
            and only.get("family", p["family"]) == p["family"]
            and only.get("step", (0, 99))[0] <= p["step"] <= only.get("step", (0, 99))[1]
        ]
        assert [p["id"] for p in reader.proposals(10**6, **only)] == want
        assert [p["id"] for p in reader.proposals(5, 2, **only)] == want[2:7]
        assert reader.count_proposals(**only) == len(want) > 0


def test_a_word_in_a_filter_is_a_value_and_never_sql(reader: Reader) -> None:
    word = "x' OR 1 = 1 --"
    assert reader.count_tasks(family=word, theme=word) == reader.count_proposals(gate=word, family=word) == 0
    assert reader.count_episodes(game=word, end=word) == 0


def test_descendants_are_all_those_whose_line_leads_back_to_the_task(
    reader: Reader, every: list[dict[str, Any]]
) -> None:
    numbers = {task["id"]: task["place"] for task in every}
    root = every[-9_000]
    below = {root["id"]}
    for child, parent in sorted(reader._rows("SELECT child, parent FROM lineage"), key=lambda row: numbers[row[0]]):
        if parent in below:
            below.add(child)
    assert sorted(reader.below(root["id"])) == sorted(numbers[id] for id in below - {root["id"]}) != []


def test_of_too_many_descendants_the_nearest_are_kept(reader: Reader, every: list[dict[str, Any]]) -> None:
    seed = every[0]["id"]
    kept = reader.below(seed)
    assert len(kept) == 10_000 and reader.count_kin(seed) == {"ancestors": 0, "descendants": 10_000}
    children = reader._rows("SELECT n FROM lineage JOIN tasks ON id = child WHERE parent = ?", seed)
    assert {n for (n,) in children} <= set(kept)
