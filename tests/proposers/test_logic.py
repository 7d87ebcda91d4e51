from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from proposers.logic import LogicProposer
from selfplay.records import Brief, Directive, Draft, Refusal, Task
from verifiers.logic import Logic
from verifiers.puzzles import KINDS

PROPOSER = LogicProposer()
KNIGHTS = Task("t", "logic", {"kind": "knights", "puzzle": "A: B lies; B: A and B lie", "cost": "2"}, "SECRET")
GRID = Task("u", "logic", {"kind": "grid", "puzzle": "1 _ _ / _ _ 2 / _ _ _", "cost": "9"}, "SECRET")
BRIEF = Brief("logic", (KNIGHTS, GRID))
ABOUT = Directive("theme", "about the kind colouring", theme="colouring")


def body(found: Draft | Refusal) -> dict[str, str]:
    assert isinstance(found, Draft) and found.family == "logic"
    return dict(found.body)


def words(brief: Brief, style: str) -> str:
    prompt = PROPOSER.prompt(brief, style)
    if isinstance(prompt, str):
        return prompt
    (message,) = prompt
    assert message["role"] == "user"
    return message["content"]


def test_the_seeds_are_admitted_and_all_of_them_are_new() -> None:
    seeds = PROPOSER.seeds()
    tasks = [asyncio.run(Logic().examine(draft)) for draft in seeds]
    assert all(isinstance(task, Task) for task in tasks)
    identities = [identity for task in tasks if isinstance(task, Task) for identity in task.identities]
    assert len(set(identities)) == len(identities) == 2 * len(seeds)
    assert {draft.body["kind"] for draft in seeds} == set(KINDS) and list(seeds) == list(LogicProposer().seeds())


@pytest.mark.parametrize("style", ["completion", "chat"])
def test_a_prompt_shows_the_references_and_nothing_of_the_truth(style: str) -> None:
    asked = words(BRIEF, style)
    assert "grid: 1 _ _ / _ _ 2 / _ _ _\n" in asked
    assert ("knights: A: B lies; B: A and B lie\n" in asked) == (style == "chat"), "one kind a list"
    assert "SECRET" not in asked and "cost" not in asked


def test_the_kind_asked_for_is_the_directive_s_theme_or_that_of_the_last_reference() -> None:
    assert words(BRIEF, "completion").endswith("\ngrid:")
    directed = Brief("logic", BRIEF.references, directive=ABOUT)
    assert words(directed, "completion").endswith("\ncolouring:")
    assert "of the kind `colouring`" in words(directed, "chat")
    assert words(Brief("logic"), "completion").endswith("\nknights:")


def test_a_list_is_filled_up_with_the_kind_s_seeds() -> None:
    seeds = [f"colouring: {d.body['puzzle']}\n" for d in PROPOSER.seeds() if d.body["kind"] == "colouring"]
    assert not any(seed in words(BRIEF, "completion") for seed in seeds)
    assert words(BRIEF, "completion").count("\ngrid: ") == 4
    assert all(seed in words(Brief("logic", BRIEF.references, directive=ABOUT), "completion") for seed in seeds)


@pytest.mark.parametrize("style", ["completion", "chat"])
def test_a_directive_s_text_is_in_the_prompt(style: str) -> None:
    aimed = Directive("difficulty", "that about half of all tries get right", target=0.5)
    assert aimed.text in words(Brief("logic", BRIEF.references, directive=aimed), style)
    assert aimed.text not in words(BRIEF, style)


def test_the_rest_of_the_line_is_the_puzzle() -> None:
    stop = PROPOSER.stop("completion")
    text = " 1 _ _ / _ _ _ / _ _ 2; a1 < b1\nknights: A: B lies"
    assert any(end in text for end in stop)
    assert body(PROPOSER.read(text, BRIEF, "completion")) == {
        "kind": "grid",
        "puzzle": "1 _ _ / _ _ _ / _ _ 2; a1 < b1",
    }


@pytest.mark.parametrize(
    ("text", "style"), [("", "completion"), (" \nx", "completion"), ("knights: A: B lies", "chat")]
)
def test_words_without_a_puzzle_are_refused_at_the_gate_parse(text: str, style: str) -> None:
    found = PROPOSER.read(text, BRIEF, style)
    assert isinstance(found, Refusal) and found.gate == "parse"


def test_a_chat_s_block_names_its_kind_or_has_the_kind_asked_for() -> None:
    assert PROPOSER.stop("chat") == ()
    named = "Here:\n```puzzle\nknights: A: B lies; B: A and B lie\n```\nDone."
    assert body(PROPOSER.read(named, BRIEF, "chat")) == {"kind": "knights", "puzzle": "A: B lies; B: A and B lie"}
    bare = "```puzzle\n1 _ _ / _ _ _ / _ 3 _;\na1 < a2\n```"
    assert body(PROPOSER.read(bare, BRIEF, "chat")) == {"kind": "grid", "puzzle": "1 _ _ / _ _ _ / _ 3 _;\na1 < a2"}
    unnamed = "```puzzle\nA: B lies; B: A and B lie\n```"
    brief = Brief("logic", (GRID, KNIGHTS))
    assert body(PROPOSER.read(unnamed, brief, "chat")) == {"kind": "knights", "puzzle": "A: B lies; B: A and B lie"}


@pytest.mark.parametrize("style", ["completion", "chat"])
def test_a_shown_example_is_read_back_as_it_was(style: str) -> None:
    for draft in PROPOSER.seeds():
        kind, puzzle = draft.body["kind"], draft.body["puzzle"]
        brief = Brief("logic", (Task("t", "logic", {"kind": kind, "puzzle": puzzle}, ""),))
        asked = words(brief, style)
        shown = asked[asked.index(f"{kind}: {puzzle}") :]
        text = shown.removeprefix(f"{kind}:") if style == "completion" else f"```puzzle\n{shown}\n```"
        assert body(PROPOSER.read(text, brief, style)) == draft.body


def test_the_fixed_evaluation_asks_every_kind_and_each_puzzle_passes_the_gates() -> None:
    drafts = LogicProposer().heldout(24)
    tasks = [asyncio.run(Logic().examine(draft)) for draft in drafts]
    assert all(isinstance(task, Task) for task in tasks), tasks
    assert Counter(draft.body["kind"] for draft in drafts) == dict.fromkeys(KINDS, 6)
    assert drafts == LogicProposer().heldout(24)
