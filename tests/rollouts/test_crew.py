from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from random import Random
from typing import Any

import pytest

from selfplay.policy.engine import Engine
from selfplay.rollouts.crew import Crew

pytestmark = pytest.mark.model


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    async def bounded() -> Any:
        return await asyncio.wait_for(coroutine, timeout=60)

    return asyncio.run(bounded())


def test_everyone_has_ended_when_the_crew_is_left(engine: Engine) -> None:
    ended: list[int] = []

    async def rollout(crew: Crew, place: int) -> None:
        await asyncio.sleep(0)
        if place < 5:
            crew.spawn(rollout(crew, place + 10))
        ended.append(place)

    async def work() -> None:
        async with Crew(engine) as crew:
            for place in range(8):
                crew.spawn(rollout(crew, place))

    run(work())
    assert sorted(ended) == [*range(8), *range(10, 15)]


def test_the_first_error_is_raised_as_it_is_and_the_others_are_cancelled(engine: Engine) -> None:
    cancelled: list[int] = []

    async def waits(place: int) -> None:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            cancelled.append(place)
            raise

    async def fails() -> None:
        await asyncio.sleep(0)
        raise LookupError("the first")

    async def work() -> None:
        async with Crew(engine) as crew:
            crew.spawn(waits(0))
            crew.spawn(fails())
            crew.spawn(waits(1))

    with pytest.raises(LookupError, match="the first"):
        run(work())
    assert sorted(cancelled) == [0, 1]


def test_an_error_of_a_child_is_raised_as_well(engine: Engine) -> None:
    async def child(place: int) -> int:
        await asyncio.sleep(0)
        if place == 2:
            raise LookupError("a child's")
        return place

    async def parent(crew: Crew) -> None:
        await crew.gather(child(place) for place in range(4))

    async def work() -> None:
        async with Crew(engine) as crew:
            crew.spawn(parent(crew))

    with pytest.raises(LookupError, match="a child's"):
        run(work())


def test_gathered_results_come_in_the_order_of_the_children(engine: Engine) -> None:
    async def child(place: int) -> int:
        await asyncio.sleep(0.001 * ((7 * place) % 5))
        return place

    async def work() -> list[int]:
        async with Crew(engine) as crew:
            task = crew.spawn(crew.gather(child(place) for place in range(10)))
        return task.result()

    assert run(work()) == list(range(10))


@pytest.mark.parametrize("seed", range(5))
def test_those_who_pass_in_order_do_so_whenever_they_arrive(engine: Engine, seed: int) -> None:
    passed: list[int] = []
    arrivals = Random(seed).sample(range(12), 12)

    async def rollout(crew: Crew, place: int) -> None:
        for _ in range(arrivals[place]):
            await asyncio.sleep(0)
        await crew.in_order(place)
        passed.append(place)
        crew.passed()

    async def work() -> None:
        async with Crew(engine) as crew:
            for place in range(12):
                crew.spawn(rollout(crew, place))

    run(work())
    assert passed == list(range(12))
