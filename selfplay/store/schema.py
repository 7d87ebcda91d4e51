"""What the run's database looks like, and how it is opened.

SQLite in WAL mode: one writer, any number of readers that neither block it nor are blocked, and see whole steps only.
`application_id` tells a run database from any other SQLite file; `user_version` is the schema's version.

Steps count from 1; step 0 is the state before the first one. Task ids are the records' content hashes; every other
id is the row's number. Sequences of token ids are blobs of little-endian int32, log-probabilities of float32 (see
`packing`). Text that repeats (a prompt asked G times) is kept once, in `prompts`.

A task is active until `evicted`, the step that let it go, is set; `reason` then is JSON (gate, detail). `identities`
are hashes of what makes two tasks one: the novelty gate asks for them, those of evicted tasks too.

`measures` holds what one step learnt about one task; `tasks.attempts/correct/solve_rate/learnability` are its totals,
kept current in the step's transaction, so that a page of a million tasks needs an index and no counting;
`tasks.children` counts the tasks that name it as a parent. The indexes `tasks_by_…` hold, in an order of the listing,
everything that the listing filters by: any page of any filter is read from one of them, without a task's text. Only
whether a task is active is asked of `tasks_active`: a step evicts as many as it admits, and should touch few pages.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from selfplay.errors import UserError
from selfplay.store import upgrade

APPLICATION_ID = 0x53504C59
SCHEMA = 3
"""2 had no `tasks.children` and narrower indexes; see `upgrade`."""

TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # digest: the step's light summary as JSON (see `digest`); seconds: wall time by phase as JSON.
    """CREATE TABLE steps (
        step INTEGER PRIMARY KEY, time REAL NOT NULL, digest TEXT NOT NULL, seconds TEXT NOT NULL)""",
    # gate and detail are set when refused, task when admitted; draft and directive are JSON or NULL; refs is a JSON
    # list of task ids.
    """CREATE TABLE proposals (
        id INTEGER PRIMARY KEY, step INTEGER NOT NULL, idx INTEGER NOT NULL, family TEXT NOT NULL,
        gate TEXT, detail TEXT, task TEXT, draft TEXT, refs TEXT NOT NULL, directive TEXT,
        CHECK ((gate IS NULL) <> (task IS NULL)))""",
    "CREATE UNIQUE INDEX proposals_step ON proposals (step, idx)",
    "CREATE INDEX proposals_refused ON proposals (step, idx, gate, family) WHERE gate IS NOT NULL",
    "CREATE INDEX proposals_task ON proposals (task)",
    # step: the step the task says it was made in (0: a seed); committed: the step whose transaction stored it.
    """CREATE TABLE tasks (
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, family TEXT NOT NULL, step INTEGER NOT NULL,
        committed INTEGER NOT NULL, body TEXT NOT NULL, gold TEXT NOT NULL,
        themes TEXT NOT NULL DEFAULT '[]', evicted INTEGER, reason TEXT,
        attempts INTEGER NOT NULL DEFAULT 0, correct INTEGER NOT NULL DEFAULT 0, solve_rate REAL, learnability REAL,
        children INTEGER NOT NULL DEFAULT 0)""",
    "CREATE INDEX tasks_active ON tasks (n) WHERE evicted IS NULL",
    "CREATE INDEX tasks_evicted ON tasks (evicted) WHERE evicted IS NOT NULL",
    "CREATE TABLE identities (hash BLOB PRIMARY KEY, task INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE INDEX identities_task ON identities (task)",
    "CREATE INDEX tasks_committed ON tasks (committed)",
    "CREATE INDEX tasks_by_age ON tasks (n, family, step, solve_rate, learnability, themes)",
    """CREATE INDEX tasks_by_solve_rate ON tasks (solve_rate, n, family, step, learnability, themes)
        WHERE solve_rate IS NOT NULL""",
    """CREATE INDEX tasks_by_learnability ON tasks (learnability, n, family, step, solve_rate, themes)
        WHERE learnability IS NOT NULL""",
    """CREATE INDEX tasks_by_attempts ON tasks (attempts, n, family, step, solve_rate, learnability, themes)
        WHERE attempts > 0""",
    """CREATE INDEX tasks_by_children ON tasks (children, n, family, step, solve_rate, learnability, themes)
        WHERE children > 0""",
    # idx: the parent's place among the parents.
    """CREATE TABLE lineage (
        child TEXT NOT NULL, parent TEXT NOT NULL, idx INTEGER NOT NULL, PRIMARY KEY (child, parent)) WITHOUT ROWID""",
    "CREATE INDEX lineage_parent ON lineage (parent)",
    """CREATE TABLE measures (
        task TEXT NOT NULL, step INTEGER NOT NULL, attempts INTEGER NOT NULL, correct INTEGER NOT NULL,
        learnability REAL, guess REAL NOT NULL DEFAULT 0, PRIMARY KEY (task, step)) WITHOUT ROWID""",
    "CREATE INDEX measures_step ON measures (step)",
    """CREATE TABLE attempts (
        id INTEGER PRIMARY KEY, step INTEGER NOT NULL, idx INTEGER NOT NULL, task TEXT NOT NULL, family TEXT NOT NULL,
        answer TEXT, verdict TEXT NOT NULL)""",
    "CREATE UNIQUE INDEX attempts_step ON attempts (step, idx)",
    "CREATE INDEX attempts_task ON attempts (task)",
    """CREATE TABLE episodes (
        id INTEGER PRIMARY KEY, step INTEGER NOT NULL, idx INTEGER NOT NULL, game TEXT NOT NULL, seed TEXT NOT NULL,
        opponents TEXT NOT NULL, returns TEXT NOT NULL, plies INTEGER NOT NULL, end TEXT NOT NULL, offender INTEGER)""",
    "CREATE UNIQUE INDEX episodes_step ON episodes (step, idx)",
    "CREATE INDEX episodes_game ON episodes (game)",
    # legal is a JSON list or NULL (free-form); action is NULL when the words named no legal one.
    """CREATE TABLE plies (
        episode INTEGER NOT NULL, ply INTEGER NOT NULL, seat INTEGER NOT NULL, observation TEXT NOT NULL, legal TEXT,
        action TEXT, PRIMARY KEY (episode, ply)) WITHOUT ROWID""",
    # step: the step that asked it first.
    """CREATE TABLE prompts (
        id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, step INTEGER NOT NULL, text TEXT NOT NULL,
        ids BLOB NOT NULL)""",
    "CREATE INDEX prompts_step ON prompts (step)",
    # kind and owner: a row of proposals, attempts or episodes; idx: 0, or the ply. reward is NULL when not scored.
    """CREATE TABLE turns (
        id INTEGER PRIMARY KEY, kind TEXT NOT NULL, owner INTEGER NOT NULL, idx INTEGER NOT NULL, step INTEGER NOT NULL,
        role TEXT NOT NULL, grp TEXT NOT NULL, prompt INTEGER NOT NULL, ids BLOB NOT NULL, logprobs BLOB NOT NULL,
        text TEXT NOT NULL, stop TEXT NOT NULL, version INTEGER NOT NULL, reward REAL, advantage REAL)""",
    "CREATE UNIQUE INDEX turns_owner ON turns (kind, owner, idx)",
    "CREATE INDEX turns_step ON turns (step)",
    # value is NULL for not-a-number, which SQLite cannot hold.
    """CREATE TABLE metrics (
        key TEXT NOT NULL, step INTEGER NOT NULL, value REAL, PRIMARY KEY (key, step)) WITHOUT ROWID""",
    "CREATE INDEX metrics_step ON metrics (step)",
    # inside: 1 when the event came with its step's record and goes when the step is undone.
    """CREATE TABLE events (
        id INTEGER PRIMARY KEY, step INTEGER NOT NULL, time REAL NOT NULL, kind TEXT NOT NULL, detail TEXT NOT NULL,
        data TEXT NOT NULL, inside INTEGER NOT NULL)""",
    """CREATE TABLE evaluations (
        label TEXT NOT NULL, step INTEGER NOT NULL, key TEXT NOT NULL, value REAL,
        PRIMARY KEY (label, step, key)) WITHOUT ROWID""",
    """CREATE TABLE evaluation_seconds (
        label TEXT NOT NULL, step INTEGER NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (label, step)) WITHOUT ROWID""",
)


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Creates or opens the database, in autocommit mode: transactions are begun and ended by hand.

    `synchronous=FULL`: a committed step is on the disk before `commit` returns, so that what the
    run says is finished stays finished after a power cut. It costs one flush a step.
    """
    connection = sqlite3.connect(path, isolation_level=None, timeout=30.0)
    try:
        if not is_empty(connection):
            check_identity(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        if is_empty(connection):
            for statement in TABLES:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        elif version(connection) == upgrade.OLDER:
            upgrade.upgrade(connection, TABLES)
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Opens an existing database read-only. It works while a writer is at work, and never blocks it; what it has to
    sort, it sorts in memory."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=30.0)
    try:
        check_identity(connection, path)
        connection.execute("PRAGMA temp_store = MEMORY")
        if version(connection) == upgrade.OLDER:
            upgrade.show_as_current(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever stored: a new file, or one whose maker was killed before it had finished."""
    return connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0


def version(connection: sqlite3.Connection) -> int:
    return connection.execute("PRAGMA user_version").fetchone()[0]


def check_identity(connection: sqlite3.Connection, path: Path) -> None:
    """Raises UserError unless the file is a run database of this schema or of the one before it."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise UserError(f"{path} is not the database of a run; give the folder of a run (`selfplay runs` lists them).")
    found = version(connection)
    if found not in (SCHEMA, upgrade.OLDER):
        raise UserError(
            f"{path} was written with schema {found}, and this version reads schema {SCHEMA}; "
            "open it with the version that made it (meta.json names the commit)."
        )


def damaged(path: Path, why: str) -> UserError:
    return UserError(f"{path} is not a readable run database ({why}); it is damaged or no run was written to it.")


def explain(error: sqlite3.Error | UnicodeDecodeError, path: Path, doing: str) -> UserError:
    """The sentence for a person: what could not be done, to which file, why, and what helps. A UnicodeDecodeError is
    what sqlite3 raises when its own complaint quotes damaged text."""
    why = str(error)
    if "file is not a database" in why or "malformed" in why or isinstance(error, UnicodeDecodeError):
        return damaged(path, why)
    if "disk is full" in why:
        cure = "free some space there and go on with `selfplay resume`; the steps before are safe."
        return UserError(f"Could not {doing}: the disk that holds {path} is full; {cure}")
    if "disk I/O error" in why:
        cure = "check its space, quota and health and go on with `selfplay resume`; the steps before are safe."
        return UserError(f"Could not {doing}: the disk refused to write or read {path} ({why}); {cure}")
    if "locked" in why:
        return UserError(f"Could not {doing}: another process is writing to {path}; wait for it or stop it.")
    return UserError(f"Could not {doing} in {path} ({why}); check that the file exists and that you may use it.")
