"""The tables of an export: which columns, of which type, meaning what. The card prints this, and the files obey it.

Types: `text`, `int`, `float`, `bool`, lists of `texts` and `floats`, and `chat` (messages with `role` and `content`).
Any value may be null. `json` is text that holds one JSON object of a family's own making.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from selfplay.store.reader import Reader
from selfplay.store.streams import Row


@dataclass(frozen=True)
class Column:
    type: str
    about: str


@dataclass(frozen=True)
class Table:
    """`columns` in their order, by name."""

    about: str
    columns: dict[str, Column]


_STEP = Column("int", "the step of the loop, from 1 (0 is the state before the first)")
_INDEX = Column("int", "its place in the step")
_SAID = {
    "prompt": Column("text", "what the policy was given, as text"),
    "completion": Column("text", "what it wrote, up to the stop string, which is not part of it"),
    "stop": Column("text", "`stop`, or `length` where the token limit cut it"),
    "version": Column("int", "how many updates the policy had seen that wrote it"),
    "reward": Column("float", "what it earned; null where it was not trained on"),
    "advantage": Column("float", "reward over its baseline, as it was trained on"),
}
_ORIGIN = {
    "role": Column("text", "`solver`, `proposer` or `player`"),
    "family": Column("text", "the family of the task, or the game"),
    "task": Column("text", "id of the task that was attempted; null otherwise"),
}

RUN_TABLES: dict[str, Table] = {
    "tasks": Table(
        "every task that passed all gates, in order of admission",
        {
            "id": Column("text", "a hash of family, body and gold"),
            "family": Column("text", "kind of task"),
            "step": _STEP,
            "body": Column("json", "the family's own fields: program and input, formula, puzzle, …"),
            "gold": Column("text", "the truth, as the verifier found it"),
            "themes": Column("texts", "those of the family's themes that it has"),
            "evicted": Column("int", "the step that let it go from the bank; null while active"),
            "reason": Column("json", "why: `gate` and `detail`"),
            "attempts": Column("int", "how often it was tried"),
            "correct": Column("int", "how often that was right"),
            "solve_rate": Column("float", "correct / attempts; null when never tried"),
            "learnability": Column("float", "what it was last worth to the curriculum"),
        },
    ),
    "lineage": Table(
        "which tasks were shown to the proposer of which",
        {
            "child": Column("text", "id of the task"),
            "parent": Column("text", "id of a task that its proposer was shown"),
            "index": Column("int", "the parent's place among them"),
        },
    ),
    "proposals": Table(
        "everything that proposers wrote, refused or not",
        {
            "id": Column("int", "its number in the run"),
            "step": _STEP,
            "index": _INDEX,
            "family": Column("text", "kind of task it was asked for"),
            "gate": Column("text", "the gate that refused it; null when it became a task"),
            "detail": Column("text", "the gate's reason, one sentence"),
            "task": Column("text", "id of the task it became; null when refused"),
            "draft": Column("json", "what its words were read as; null when nothing"),
            "references": Column("texts", "ids of the tasks shown to it"),
            "directive": Column("json", "what it was told to aim at; null when nothing"),
            **_SAID,
        },
    ),
    "attempts": Table(
        "every try at a task",
        {
            "id": Column("int", "its number in the run"),
            "step": _STEP,
            "index": _INDEX,
            "task": Column("text", "id of the task"),
            "family": Column("text", "kind of task"),
            "answer": Column("text", "the answer in its words; null when there was none"),
            "verdict": Column("text", "`correct`, `wrong`, `unparsed`, `timeout`, `crashed` or `unsafe`"),
            **_SAID,
        },
    ),
    "episodes": Table(
        "every game",
        {
            "id": Column("int", "its number in the run"),
            "step": _STEP,
            "index": _INDEX,
            "game": Column("text", "its name"),
            "seed": Column("text", "deals the same game again; a whole number, which may exceed 64 bits"),
            "opponents": Column("texts", "who sat where: `policy`, a script, or an earlier self"),
            "returns": Column("floats", "one utility a seat, in the game's own units"),
            "plies": Column("int", "how many decisions"),
            "end": Column("text", "`finished`, `invalid` (a seat made no legal move) or `truncated`"),
            "offender": Column("int", "the seat that made no legal move"),
        },
    ),
    "turns": Table(
        "every decision in every game",
        {
            "episode": Column("int", "id of the game"),
            "ply": Column("int", "its place in the game, from 0"),
            "step": _STEP,
            "game": Column("text", "its name"),
            "seat": Column("int", "who decided, from 0"),
            "observation": Column("text", "what the seat saw"),
            "legal": Column("texts", "the legal moves; null where moves are free text"),
            "action": Column("text", "the move; null where the words named no legal one"),
            **_SAID
            | {"prompt": Column("text", "what the policy was given; null, as all below, when it was not asked")},
        },
    ),
    "metrics": Table(
        "one number a key and step",
        {"step": _STEP, "key": Column("text", "`role/metric/stat`"), "value": Column("float", "null: not a number")},
    ),
    "evaluations": Table(
        "the fixed measures",
        {
            "step": _STEP,
            "label": Column("text", "`before`, `after`, …"),
            "key": Column("text", "what was measured"),
            "value": Column("float", "null: not a number"),
        },
    ),
}

STREAMS: dict[str, Callable[[Reader], Iterator[Row]]] = {
    "tasks": Reader.each_task,
    "lineage": Reader.each_parent,
    "proposals": Reader.each_proposal,
    "attempts": Reader.each_attempt,
    "episodes": Reader.each_episode,
    "turns": Reader.each_ply,
    "metrics": Reader.each_metric,
    "evaluations": Reader.each_measure,
}


def pairs(chat: bool) -> dict[str, Table]:
    """`sft` and `preferences`, in TRL's prompt-completion and preference formats: conversational when `chat`."""
    said = "chat" if chat else "text"
    prompt = Column(said, "what the policy was given")
    return {
        "sft": Table(
            "words worth imitating: right attempts, proposals that became tasks, moves",
            {
                "prompt": prompt,
                "completion": Column(said, "what it wrote, without the end of text, which the trainer adds"),
                **_ORIGIN,
                "why": Column("text", "what the program said: `correct`, `admitted` or `legal`"),
                "step": Column("int", "the step that wrote it first"),
                "version": Column("int", "how many updates the policy had seen by then"),
                "owner": Column("int", "id of the first attempt, proposal or episode that wrote it"),
                "ply": Column("int", "which decision of that episode; 0 otherwise"),
                "count": Column("int", "how often it was written"),
                "wins": Column("int", "in how many games that its seat won; null unless a move"),
                "value": Column("float", "mean return of the seat; null unless a move"),
                "solve_rate": Column("float", "the task's, over the run; null unless an attempt"),
            },
        ),
        "preferences": Table(
            "two answers to one prompt, of which a program says that the first is better",
            {
                "prompt": prompt,
                "chosen": Column(said, "right, admitted or legal"),
                "rejected": Column(said, "not"),
                **_ORIGIN,
                "chosen_why": Column("text", "`correct`, `admitted` or `legal`"),
                "rejected_why": Column("text", "the verdict, the gate, or `illegal`"),
                "chosen_step": Column("int", "the step that wrote it first"),
                "rejected_step": Column("int", "the step that wrote it first"),
                "chosen_count": Column("int", "how often it was written"),
                "rejected_count": Column("int", "how often it was written"),
                "solve_rate": Column("float", "the task's, over the run; null unless an attempt"),
            },
        ),
    }
