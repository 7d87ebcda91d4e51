"""The one process that writes a run's database: a whole step in one transaction, or nothing of it.

A kill at any moment leaves the steps that were committed. Beside the database the writer keeps its twin,
`metrics.jsonl`.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

from selfplay.records import Event, Ply, StepRecord, Task, Turn
from selfplay.store.digest import digest, measured
from selfplay.store.packing import pack_ids, pack_logprobs
from selfplay.store.rollback import undo_steps_after
from selfplay.store.schema import explain, open_for_writing
from selfplay.store.twin import Twin


class Writer:
    """Creates or opens the database at `path`. UserError: it is not one, has another schema, or cannot be written."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self._db = open_for_writing(self.path)
        except sqlite3.DatabaseError as error:
            raise explain(error, self.path, "open the run's database") from error
        self._twin = Twin(self.path.with_name("metrics.jsonl"))
        self._twin.heal(self._db)

    def commit(self, record: StepRecord) -> None:
        """Stores the step. Steps come one after the other, from 1 (ValueError otherwise).

        UserError: the disk is full or failing. The database then holds the steps before this one, whole.
        """
        if record.step != self.last_step() + 1:
            raise ValueError(f"step {record.step} cannot follow step {self.last_step()}")
        now, summary = time.time(), digest(record)
        with self._transaction(f"store step {record.step}"):
            row = (record.step, now, _json(summary), _json(record.seconds))
            self._db.execute("INSERT INTO steps VALUES (?, ?, ?, ?)", row)
            self._store_tasks(record)
            self._store_proposals(record)
            self._store_attempts(record)
            self._store_episodes(record)
            self._store_measures(record)
            gone = [(record.step, _json({"gate": r.gate, "detail": r.detail}), id) for id, r in record.evicted.items()]
            self._db.executemany("UPDATE tasks SET evicted = ?, reason = ? WHERE id = ?", gone)
            rows = [(key, record.step, _number(value)) for key, value in record.metrics.items()]
            self._db.executemany("INSERT INTO metrics VALUES (?, ?, ?)", rows)
            for event in record.events:
                self._store_event(event, record.step, now, inside=True)
        self._twin.append(self._db, record.step)

    def evaluation(self, label: str, step: int, metrics: Mapping[str, float], seconds: float) -> None:
        """Stores one fixed measurement, `before` or `after` for example; the same label at the same step is
        replaced."""
        with self._transaction(f"store the evaluation {label!r}"):
            self._db.execute("DELETE FROM evaluations WHERE label = ? AND step = ?", (label, step))
            rows = [(label, step, key, _number(value)) for key, value in metrics.items()]
            self._db.executemany("INSERT INTO evaluations VALUES (?, ?, ?, ?)", rows)
            self._db.execute("INSERT OR REPLACE INTO evaluation_seconds VALUES (?, ?, ?)", (label, step, seconds))

    def evaluated(self) -> set[str]:
        """The labels of the evaluations that are stored."""
        return {label for (label,) in self._db.execute("SELECT DISTINCT label FROM evaluation_seconds")}

    def event(self, event: Event, step: int) -> None:
        """Stores something that happened to the run itself (a resumption, an alarm); undoing steps leaves it in
        place."""
        with self._transaction("store an event"):
            self._store_event(event, step, time.time(), inside=False)

    def describe(self, meta: Mapping[str, Any]) -> None:
        """Keeps facts about the run inside the database too, each value as JSON."""
        with self._transaction("store the description of the run"):
            rows = [(key, _json(value)) for key, value in meta.items()]
            self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)

    def rollback_to(self, step: int) -> int:
        """Undoes every step after `step`, as when the newest checkpoint is older than the database. Returns how
        many."""
        undone = self.last_step() - step
        if undone <= 0:
            return 0
        with self._transaction(f"go back to step {step}"):
            undo_steps_after(self._db, step)
            words = f"undid {undone} step{'s' * (undone > 1)} after step {step}"
            self._store_event(Event("rollback", words, {"undone": undone}), step, time.time(), inside=False)
        self._twin.rewrite(self._db)
        return undone

    def knows(self, identities: Sequence[str]) -> bool:
        """Does a task that was stored, evicted ones too, have one of these identities? The bank's archive."""
        find = "SELECT 1 FROM identities WHERE hash = ?"
        return any(self._db.execute(find, (_hash(identity),)).fetchone() for identity in identities)

    def last_step(self) -> int:
        """The newest committed step; 0 when there is none."""
        return self._db.execute("SELECT coalesce(max(step), 0) FROM steps").fetchone()[0]

    def close(self) -> None:
        """Folds the log into the database file and lets go of it. Nothing is lost without it."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _transaction(self, doing: str) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            ours = isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.InterfaceError)
            if isinstance(error, sqlite3.DatabaseError) and not ours:
                raise explain(error, self.path, doing) from error
            raise

    def _store_tasks(self, record: StepRecord) -> None:
        admitted = [proposal.task for proposal in record.proposals if proposal.task is not None]
        for task in (*record.tasks, *admitted):
            row = (task.id, task.family, task.step, record.step, _json(task.body), _clean(task.gold))
            columns = "id, family, step, committed, body, gold, themes"
            insert = f"INSERT OR IGNORE INTO tasks ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)"
            stored = self._db.execute(insert, (*row, _json(task.themes)))
            if stored.rowcount:
                self._store_lineage(task)
                keys = [(_hash(identity), stored.lastrowid) for identity in task.identities or (task.id,)]
                self._db.executemany("INSERT OR IGNORE INTO identities VALUES (?, ?)", keys)

    def _store_lineage(self, task: Task) -> None:
        for index, parent in enumerate(dict.fromkeys(task.parents)):
            self._db.execute("INSERT INTO lineage VALUES (?, ?, ?)", (task.id, parent, index))
            self._db.execute("UPDATE tasks SET children = children + 1 WHERE id = ?", (parent,))

    def _store_proposals(self, record: StepRecord) -> None:
        for p in record.proposals:
            gate, detail = (p.refusal.gate, _clean(p.refusal.detail)) if p.refusal else (None, None)
            draft = _json({"family": p.draft.family, "body": dict(p.draft.body)}) if p.draft else None
            row = (record.step, p.index, p.family, gate, detail, p.task and p.task.id, draft, _json(p.references))
            directive = _json(asdict(p.directive)) if p.directive else None
            owner = self._db.execute(
                "INSERT INTO proposals (step, idx, family, gate, detail, task, draft, refs, directive) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, directive),
            ).lastrowid
            self._store_turn(record, "proposal", owner, p.index, 0, p.turn)

    def _store_attempts(self, record: StepRecord) -> None:
        for a in record.attempts:
            answer = None if a.answer is None else _clean(a.answer)
            row = (record.step, a.index, a.task_id, a.family, answer, str(a.verdict))
            owner = self._db.execute(
                "INSERT INTO attempts (step, idx, task, family, answer, verdict) VALUES (?, ?, ?, ?, ?, ?)", row
            ).lastrowid
            self._store_turn(record, "attempt", owner, a.index, 0, a.turn)

    def _store_episodes(self, record: StepRecord) -> None:
        for e in record.episodes:
            returns = [_number(value) for value in e.returns]
            row = (record.step, e.index, e.game, str(e.seed), _json(e.opponents), _json(returns), len(e.plies))
            owner = self._db.execute(
                "INSERT INTO episodes (step, idx, game, seed, opponents, returns, plies, end, offender) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, str(e.end), e.offender),
            ).lastrowid
            for index, ply in enumerate(e.plies):
                self._store_ply(owner, index, ply)
                if ply.turn is not None:
                    self._store_turn(record, "episode", owner, e.index, index, ply.turn)

    def _store_ply(self, episode: int | None, index: int, ply: Ply) -> None:
        legal = None if ply.legal is None else _json(ply.legal)
        action = None if ply.action is None else _clean(ply.action)
        row = (episode, index, ply.seat, _clean(ply.observation), legal, action)
        self._db.execute("INSERT INTO plies VALUES (?, ?, ?, ?, ?, ?)", row)

    def _store_turn(self, record: StepRecord, kind: str, owner: int | None, index: int, ply: int, turn: Turn) -> None:
        sample, said = record.samples.get((kind, index, ply)), turn.completion
        worth = (_number(sample.reward), _number(sample.advantage)) if sample else (None, None)
        row = (kind, owner, ply, record.step, turn.role, turn.group, self._prompt(record.step, turn))
        wrote = (pack_ids(said.ids), pack_logprobs(said.logprobs), _clean(said.text), str(said.stop), said.version)
        self._db.execute(
            "INSERT INTO turns (kind, owner, idx, step, role, grp, prompt, ids, logprobs, text, stop, version, reward, "
            "advantage) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, *wrote, *worth),
        )

    def _prompt(self, step: int, turn: Turn) -> int:
        text, ids = _clean(turn.prompt), pack_ids(turn.prompt_ids)
        key = hashlib.blake2b(text.encode() + b"\0" + ids, digest_size=16).digest()
        found = self._db.execute("SELECT id FROM prompts WHERE hash = ?", (key,)).fetchone()
        if found:
            return found[0]
        insert = "INSERT INTO prompts (hash, step, text, ids) VALUES (?, ?, ?, ?)"
        return self._db.execute(insert, (key, step, text, ids)).lastrowid or 0

    def _store_measures(self, record: StepRecord) -> None:
        counts = measured(record.attempts)
        for task in dict.fromkeys([*counts, *record.learnability]):
            (n, correct), worth = counts.get(task, (0, 0)), record.learnability.get(task)
            worth = None if worth is None else _number(worth)
            row = (task, record.step, n, correct, worth, record.guesses.get(task, 0.0))
            self._db.execute("INSERT INTO measures VALUES (?, ?, ?, ?, ?, ?)", row)
            self._db.execute(
                "UPDATE tasks SET attempts = attempts + :n, correct = correct + :correct, "
                "solve_rate = CASE WHEN attempts + :n > 0 THEN (correct + :correct) * 1.0 / (attempts + :n) END, "
                "learnability = coalesce(:worth, learnability) WHERE id = :task",
                {"task": task, "n": n, "correct": correct, "worth": worth},
            )

    def _store_event(self, event: Event, step: int, now: float, inside: bool) -> None:
        row = (step, now, event.kind, _clean(event.detail), _json(event.data), int(inside))
        self._db.execute("INSERT INTO events (step, time, kind, detail, data, inside) VALUES (?, ?, ?, ?, ?, ?)", row)


def _hash(identity: str) -> bytes:
    return hashlib.blake2b(identity.encode("utf-8", "backslashreplace"), digest_size=16).digest()


def _clean(text: str) -> str:
    """The text as UTF-8 can hold it: a lone surrogate becomes its escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _json(value: Any) -> str:
    """JSON in ASCII. Mappings and sequences of any kind go in; what JSON does not know goes in as its text."""
    return json.dumps(value, default=lambda other: dict(other) if isinstance(other, Mapping) else str(other))


def _number(value: float) -> float | None:
    """The number, or None for not-a-number."""
    value = float(value)
    return None if math.isnan(value) else value
