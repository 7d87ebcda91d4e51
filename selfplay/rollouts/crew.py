"""The live rollouts of a step: spawned freely, awaited together, counted so that a deterministic run knows when all are
parked."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, Self

from selfplay.policy.engine import Engine


class Crew:
    """`async with Crew(engine) as crew: crew.spawn(…)`. The first error cancels the rest and is raised, unwrapped."""

    def __init__(self, *engines: Engine) -> None:
        self._live = 0
        self._parked = 0
        self._turn = 0
        self._waiting: dict[int, asyncio.Future[None]] = {}
        self._engines = engines

    async def __aenter__(self) -> Self:
        self._group = await asyncio.TaskGroup().__aenter__()
        for engine in self._engines:
            engine.when_quiet(lambda: sum(each.waiting for each in self._engines) + self._parked >= self._live)
        return self

    async def __aexit__(self, *details: Any) -> None:
        try:
            await self._group.__aexit__(*details)
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

    def spawn(self, rollout: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        self._live += 1
        task = self._group.create_task(rollout)
        task.add_done_callback(self._ended)
        return task

    async def gather(self, rollouts: Iterable[Coroutine[Any, Any, Any]]) -> list[Any]:
        """Run children and wait for them; results in their order."""
        children = [self.spawn(rollout) for rollout in rollouts]
        self._parked += 1
        try:
            return await asyncio.gather(*children)
        finally:
            self._parked -= 1

    async def in_order(self, index: int) -> None:
        """Pass only after every smaller index has passed (and called `passed`): one fixed order of admissions."""
        if index > self._turn:
            self._parked += 1
            self._waiting[index] = asyncio.get_running_loop().create_future()
            await self._waiting[index]

    def passed(self) -> None:
        """The rollout whose turn it was is through; the next may go."""
        self._turn += 1
        waiting = self._waiting.pop(self._turn, None)
        if waiting:
            self._parked -= 1
            waiting.set_result(None)

    def _ended(self, _: asyncio.Task[Any]) -> None:
        self._live -= 1
