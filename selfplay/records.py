"""The typed records that every layer shares. They know nobody.

All are frozen: a record is made once, by the layer that observed it, and read by the others. Stop reasons, refusals and
verdicts are values, never exceptions. Ids are small integers inside one run, except a task's, which is a content hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Stop(StrEnum):
    """Why the sampler stopped writing."""

    STOP = "stop"  # a stop string or the end-of-sequence token
    LENGTH = "length"  # the token limit: what was written may be cut


class Verdict(StrEnum):
    """What a verifier says of one answer."""

    CORRECT = "correct"
    WRONG = "wrong"
    UNPARSED = "unparsed"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    UNSAFE = "unsafe"


@dataclass(frozen=True, slots=True)
class Sampling:
    """How one completion is drawn. `top_p` is 1 and `top_k` is off, always: the trained policy is the sampled
    policy."""

    max_tokens: int
    temperature: float = 1.0
    stop: tuple[str, ...] = ()
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """What the policy wrote.

    ids: sampled token ids, the stop token included where there is one; these ids are trained on, never re-tokenised
    text. logprobs: the sampler's log-probability of each id, in nats, same length as `ids`. text: the decoded ids up to
    the stop string, which is not part of it. version: the policy version (number of updates published) that wrote it.
    """

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    text: str
    stop: Stop
    version: int


@dataclass(frozen=True, slots=True)
class Turn:
    """One call of the policy. `role` is `proposer`, `solver`, or `player`; `group` says whose rewards are comparable
    with this turn's (a task for attempts, a game and seat for plies, a family for proposals). `options`: the ids of
    each legal move's plainest words, where the recipe explores; they are not stored."""

    role: str
    group: str
    prompt: str
    prompt_ids: tuple[int, ...]
    completion: Completion
    options: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """What a proposer's words were read as, before any gate looked at it. `body` holds the family's own fields."""

    family: str
    body: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Refusal:
    """One gate said no. `gate` names it (`parse`, `safety`, `run`, …); `detail` is one sentence for a reader."""

    gate: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """One problem that passed its family's gates. `id` is a hash of family, body and gold. `gold` is the canonical text
    of the truth.

    identities: what makes this task the same as another, by what it is and by what it does; sharing one is enough.
    themes: those of its family's themes that it has, for coverage.
    """

    id: str
    family: str
    body: Mapping[str, str]
    gold: str
    step: int = 0
    parents: tuple[str, ...] = ()
    identities: tuple[str, ...] = ()
    themes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Directive:
    """What a proposer is told to aim at: a `theme`, a `difficulty`, or a `variation` of a task that was failed.

    text: a noun phrase or clause that ends the request (`about text`, `that about half of all tries get right`).
    theme: the theme's name. target: the solve rate wanted. task: the id of the task to vary, the last reference.
    """

    kind: str
    text: str
    theme: str | None = None
    target: float | None = None
    task: str | None = None


@dataclass(frozen=True, slots=True)
class Brief:
    """What one proposer is asked for. `references` are earlier tasks to learn from; `source` is the task whose program
    it works from, for a family that draws one from the bank."""

    family: str
    references: tuple[Task, ...] = ()
    source: Task | None = None
    directive: Directive | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the proposer wrote, kept whether or not it became a task: exactly one of `task` and `refusal` is set."""

    index: int
    family: str
    turn: Turn
    references: tuple[str, ...] = ()
    draft: Draft | None = None
    task: Task | None = None
    refusal: Refusal | None = None
    directive: Directive | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One solver try at one task. `answer` is None when the words held none."""

    task_id: str
    family: str
    index: int
    turn: Turn
    answer: str | None
    verdict: Verdict


class End(StrEnum):
    """Why an episode ended."""

    FINISHED = "finished"
    INVALID = "invalid"  # a seat made no legal move: it forfeits
    TRUNCATED = "truncated"  # the ply limit


@dataclass(frozen=True, slots=True)
class Ply:
    """One decision in a game. `action` is None when the words named no legal one; `turn` is None when no policy was
    asked (a scripted opponent)."""

    seat: int
    observation: str
    legal: tuple[str, ...] | None
    action: str | None
    turn: Turn | None


@dataclass(frozen=True, slots=True)
class Episode:
    """One played game. `returns` has one utility a seat, as the game defines them (a forfeit gives the offender the
    game's least utility). `opponents` names who sat where: `policy`, or a scripted opponent's name."""

    index: int
    game: str
    seed: int
    opponents: tuple[str, ...]
    plies: tuple[Ply, ...]
    returns: tuple[float, ...]
    end: End
    offender: int | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """One turn with its worth: what the trainer sees. `reward` is the turn's return in its role's own units. `legal`:
    the words meant something; of a move that was none, a magnet has nothing to say."""

    turn: Turn
    reward: float
    advantage: float
    legal: bool = True


@dataclass(frozen=True, slots=True)
class Event:
    """Something a reader of the run should know: an alarm, a resumption, a decision."""

    kind: str
    detail: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepRecord:
    """Everything one step leaves behind; the store writes it in one transaction.

    samples: for each turn that was scored, keyed by identity of owner: ("proposal", index, 0), ("attempt", index, 0) or
    ("episode", index, ply). seconds: wall time by phase. metrics: `role/metric/stat` → number.
    guesses: by task, the rate at which luck alone is right. evicted: tasks that are active no more, and why.
    """

    step: int
    proposals: tuple[Proposal, ...]
    tasks: tuple[Task, ...]
    attempts: tuple[Attempt, ...]
    episodes: tuple[Episode, ...]
    samples: Mapping[tuple[str, int, int], Sample]
    learnability: Mapping[str, float]
    metrics: Mapping[str, float]
    seconds: Mapping[str, float]
    events: tuple[Event, ...] = ()
    guesses: Mapping[str, float] = field(default_factory=dict)
    evicted: Mapping[str, Refusal] = field(default_factory=dict)
