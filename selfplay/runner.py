"""Starting a run and going on with one: the folder, the parts, the loop, the ending."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from selfplay import quiet, report  # noqa: F401  (quiet: before torch and vLLM)
from selfplay.config import Config, build
from selfplay.curriculum.posterior import Posterior
from selfplay.errors import UserError
from selfplay.evaluation import heldout
from selfplay.health.alarms import Alarms
from selfplay.loop import Loop
from selfplay.parts import Rules, model_folder, open_league, open_policy
from selfplay.records import Event
from selfplay.store.folder import RunFolder, describe_run
from selfplay.training import checkpoint
from selfplay.views.ending import print_ending
from selfplay.views.live import Live


def start(config: Config, root: Path, argv: list[str]) -> Path:
    """A new run under `root`. What can be wrong with the recipe is found before the folder is made."""
    rules = Rules.assemble(config)
    try:
        model_folder(config)
        meta = describe_run(argv, config.seed, sandbox=rules.sandboxes.level)
        folder = RunFolder.create(root, config.name, config.model_dump_json(indent=2), meta)
        try:
            _go(rules, folder, 0)
        finally:
            folder.release()
    finally:
        rules.close()
    return _ended(folder.path)


def resume(path: Path) -> Path:
    """Go on from the newest checkpoint that belongs to a finished step; steps after it are undone and done again."""
    folder = RunFolder.open(path, write=True)
    try:
        data = folder.config()
        if not data:
            raise UserError(f"The run {path} has no readable config.json, so nobody knows how it goes on.")
        config = build(data, str(path / "config.json"))
        rules = Rules.assemble(config)
        try:
            with folder.writer() as store:
                last = store.last_step()
                if last >= config.steps and "after" in store.evaluated():
                    raise UserError(
                        f"The run {path} is finished ({last} steps); start another one with `selfplay run`."
                    )
                step = checkpoint.newest(folder.checkpoints, last)
                undone = store.rollback_to(step)
                store.event(Event("resume", f"went on after step {step}", {"undone": undone}), step)
            _go(rules, folder, step)
        finally:
            rules.close()
    finally:
        folder.release()
    return _ended(path)


def _go(rules: Rules, folder: RunFolder, step: int) -> None:
    config = rules.config
    with folder.reader() as reader:
        kept, admitted = list(reader.active_tasks()), reader.admitted()
        curves = reader.metrics()
    title = f"{folder.path.name} · {config.model.source}"
    with folder.writer() as store, Live(config.steps, title, started=step, curves=curves) as live:
        bank = rules.bank(store.knows)
        bank.restore(((task, n, [_visit(*each) for each in visits]) for task, n, visits in kept), admitted)
        alarms = Alarms(config.health.patience, curves)
        live.phase("load")
        engine, trainer = open_policy(config, folder.path, step)
        league = open_league(config, folder.path)
        if step:
            parts = checkpoint.load(folder.checkpoints, step, trainer)
            rules.credit.load_state_dict(parts["credit"])
            league.load_state_dict(parts["league"])
        try:
            asyncio.run(_train(Loop(rules, engine, trainer, bank, folder, store, live, alarms, league)))
        finally:
            league.close()
            engine.close()


def _ended(folder: Path) -> Path:
    """Its report and the ending. The lock is let go by then: a report of a locked run says that it still runs."""
    print_ending(folder, _reported(folder))
    return folder


def _reported(folder: Path) -> Path | None:
    """The run's page; a run that is whole does not fail for want of it."""
    try:
        return report.write(folder)
    except UserError as error:
        print(error, file=sys.stderr)
    except Exception as error:
        print(f"The report failed, and the run is whole ({type(error).__name__}: {error}).", file=sys.stderr)
    return None


def _visit(attempts: int, correct: int, guess: float) -> tuple[Posterior, float]:
    return Posterior(correct, attempts), guess


async def _train(loop: Loop) -> None:
    seeds = await loop.rules.seeds()
    if loop.store.last_step() == 0:
        for task in seeds:
            loop.bank.admit(task)
    for family in loop.rules.families.values():
        loop.bank.reserve(await family.worked())
        loop.bank.reserve(await heldout.tasks(family, loop.config.evaluation.tasks))
    await loop.run(seeds)
