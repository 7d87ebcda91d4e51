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


def _column(type: str, about: str) -> Column:
    return Column(type, about)


_STEP = _column("int", "the step of the loop, from 1 (0 is the state before the first)")
_INDEX = _column("int", "its place in the step")
_SAID = {
    "prompt": _column("text", "what the policy was given, as text"),
    "completion": _column("text", "what it wrote, up to the stop string, which is not part of it"),
    "stop": _column("text", "`stop`, or `length` where the token limit cut it"),
    "version": _column("int", "how many updates the policy had seen that wrote it"),
    "reward": _column("float", "what it earned; null where it was not trained on"),
    "advantage": _column("float", "reward over its baseline, as it was trained on"),
}
_ORIGIN = {
    "role": _column("text", "`solver`, `proposer` or `player`"),
    "family": _column("text", "the family of the task, or the game"),
    "task": _column("text", "id of the task that was attempted; null otherwise"),
}

RUN_TABLES: dict[str, Table] = {
    "tasks": Table(
        "every task that passed all gates, in order of admission",
        {
            "id": _column("text", "a hash of family, body and gold"),
            "family": _column("text", "kind of task"),
            "step": _STEP,
            "body": _column("json", "the family's own fields: program and input, formula, puzzle, …"),
            "gold": _column("text", "the truth, as the verifier found it"),
            "themes": _column("texts", "those of the family's themes that it has"),
            "evicted": _column("int", "the step that let it go from the bank; null while active"),
            "reason": _column("json", "why: `gate` and `detail`"),
            "attempts": _column("int", "how often it was tried"),
            "correct": _column("int", "how often that was right"),
            "solve_rate": _column("float", "correct / attempts; null when never tried"),
            "learnability": _column("float", "what it was last worth to the curriculum"),
        },
    ),
    "lineage": Table(
        "which tasks were shown to the proposer of which",
        {
            "child": _column("text", "id of the task"),
            "parent": _column("text", "id of a task that its proposer was shown"),
            "index": _column("int", "the parent's place among them"),
        },
    ),
    "proposals": Table(
        "everything that proposers wrote, refused or not",
        {
            "id": _column("int", "its number in the run"),
            "step": _STEP,
            "index": _INDEX,
            "family": _column("text", "kind of task it was asked for"),
            "gate": _column("text", "the gate that refused it; null when it became a task"),
            "detail": _column("text", "the gate's reason, one sentence"),
            "task": _column("text", "id of the task it became; null when refused"),
            "draft": _column("json", "what its words were read as; null when nothing"),
            "references": _column("texts", "ids of the tasks shown to it"),
            "directive": _column("json", "what it was told to aim at; null when nothing"),
            **_SAID,
        },
    ),
    "attempts": Table(
        "every try at a task",
        {
            "id": _column("int", "its number in the run"),
            "step": _STEP,
            "index": _INDEX,
            "task": _column("text", "id of the task"),
            "family": _column("text", "kind of task"),
            "answer": _column("text", "the answer in its words; null when there was none"),
            "verdict": _column("text", "`correct`, `wrong`, `unparsed`, `timeout`, `crashed` or `unsafe`"),
            **_SAID,
        },
    ),
    "episodes": Table(
        "every game",
        {
            "id": _column("int", "its number in the run"),
            "step": _STEP,
            "index": _INDEX,
            "game": _column("text", "its name"),
            "seed": _column("text", "deals the same game again; a whole number, which may exceed 64 bits"),
            "opponents": _column("texts", "who sat where: `policy`, a script, or an earlier self"),
            "returns": _column("floats", "one utility a seat, in the game's own units"),
            "plies": _column("int", "how many decisions"),
            "end": _column("text", "`finished`, `invalid` (a seat made no legal move) or `truncated`"),
            "offender": _column("int", "the seat that made no legal move"),
        },
    ),
    "turns": Table(
        "every decision in every game",
        {
            "episode": _column("int", "id of the game"),
            "ply": _column("int", "its place in the game, from 0"),
            "step": _STEP,
            "game": _column("text", "its name"),
            "seat": _column("int", "who decided, from 0"),
            "observation": _column("text", "what the seat saw"),
            "legal": _column("texts", "the legal moves; null where moves are free text"),
            "action": _column("text", "the move; null where the words named no legal one"),
            **_SAID | {"prompt": _column("text", "what the policy was given; null, as all below, when it was not asked")},
        },
    ),
    "metrics": Table(
        "one number a key and step",
        {"step": _STEP, "key": _column("text", "`role/metric/stat`"), "value": _column("float", "null: not a number")},
    ),
    "evaluations": Table(
        "the fixed measures",
        {
            "step": _STEP,
            "label": _column("text", "`before`, `after`, …"),
            "key": _column("text", "what was measured"),
            "value": _column("float", "null: not a number"),
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
    prompt = _column(said, "what the policy was given")
    return {
        "sft": Table(
            "words worth imitating: right attempts, proposals that became tasks, moves",
            {
                "prompt": prompt,
                "completion": _column(said, "what it wrote, without the end of text, which the trainer adds"),
                **_ORIGIN,
                "why": _column("text", "what the program said: `correct`, `admitted` or `legal`"),
                "step": _column("int", "the step that wrote it first"),
                "version": _column("int", "how many updates the policy had seen by then"),
                "owner": _column("int", "id of the first attempt, proposal or episode that wrote it"),
                "ply": _column("int", "which decision of that episode; 0 otherwise"),
                "count": _column("int", "how often it was written"),
                "wins": _column("int", "in how many games that its seat won; null unless a move"),
                "value": _column("float", "mean return of the seat; null unless a move"),
                "solve_rate": _column("float", "the task's, over the run; null unless an attempt"),
            },
        ),
        "preferences": Table(
            "two answers to one prompt, of which a program says that the first is better",
            {
                "prompt": prompt,
                "chosen": _column(said, "right, admitted or legal"),
                "rejected": _column(said, "not"),
                **_ORIGIN,
                "chosen_why": _column("text", "`correct`, `admitted` or `legal`"),
                "rejected_why": _column("text", "the verdict, the gate, or `illegal`"),
                "chosen_step": _column("int", "the step that wrote it first"),
                "rejected_step": _column("int", "the step that wrote it first"),
                "chosen_count": _column("int", "how often it was written"),
                "rejected_count": _column("int", "how often it was written"),
                "solve_rate": _column("float", "the task's, over the run; null unless an attempt"),
            },
        ),
    }
