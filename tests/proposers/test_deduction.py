from __future__ import annotations

import pytest

from proposers.deduction import DeductionProposer
from selfplay.records import Brief, Directive, Draft, Refusal, Task

PROPOSER = DeductionProposer()
TASK = Task("t", "deduction", {"code": "def f(a, b):\n    return a + b", "input": "1, 2"}, "3")
BRIEF = Brief("deduction", (TASK,))
CHAT = "Here it is.\n```python\ndef f(n):\n    return n + 1\n```\nand its input:\n```input\n5\n```\nDone."


def read(text: str, style: str = "completion") -> dict[str, str]:
    found = PROPOSER.read(text, BRIEF, style)
    assert isinstance(found, Draft) and found.family == "deduction"
    return dict(found.body)


def test_words_that_go_on_from_the_prompt_become_a_program_and_an_input() -> None:
    assert read("n):\n    return n + 1\n# input: 5\n") == {"code": "def f(n):\n    return n + 1", "input": "5"}
    assert read("a, b):\n    return a * b\n# input:  3, [1] ")["input"] == "3, [1]"


def test_what_follows_the_input_s_line_is_not_read() -> None:
    assert read("n):\n    return n\n# input: 5\n\ndef f(m):\n    return 0\n# input: 7")["input"] == "5"


def test_words_without_an_input_s_line_are_refused_at_the_gate_parse() -> None:
    for text in ("n):\n    return n", "", "n): return '# input: 5'"):
        found = PROPOSER.read(text, BRIEF, "completion")
        assert isinstance(found, Refusal) and found.gate == "parse" and "# input:" in found.detail


def test_a_chat_answer_holds_a_python_block_and_an_input_block() -> None:
    assert read(CHAT, "chat") == {"code": "def f(n):\n    return n + 1", "input": "5"}


UNFINISHED = CHAT[: CHAT.index("```input")]


@pytest.mark.parametrize("text", ["", "def f(n): return n", CHAT.replace("```input", "```"), UNFINISHED])
def test_a_chat_answer_without_both_blocks_is_refused_at_the_gate_parse(text: str) -> None:
    found = PROPOSER.read(text, BRIEF, "chat")
    assert isinstance(found, Refusal) and found.gate == "parse"


def test_a_reference_stands_in_the_prompt_as_a_proposal_is_to_be_written() -> None:
    prompt = PROPOSER.prompt(BRIEF, "completion")
    assert isinstance(prompt, str) and prompt.endswith("\n\ndef f(")
    _, _, shown = prompt.partition("\n\ndef f(")
    assert read(shown.split("\n\n")[0]) == TASK.body


def test_a_chat_reference_stands_in_the_prompt_as_an_answer_is_to_be_written() -> None:
    (message,) = PROPOSER.prompt(BRIEF, "chat")
    assert message["role"] == "user"
    assert read(message["content"].partition("Examples:")[2], "chat") == TASK.body


def test_a_prompt_shows_nothing_of_the_truth() -> None:
    brief = Brief("deduction", (Task("t", "deduction", TASK.body, "SECRET"),))
    assert "SECRET" not in str(PROPOSER.prompt(brief, "completion")) + str(PROPOSER.prompt(brief, "chat"))


def test_a_completion_stops_before_the_next_function_and_a_chat_answer_ends_by_itself() -> None:
    stop = PROPOSER.stop("completion")
    assert any(text in "n):\n    return n\n# input: 5\n\ndef f(" for text in stop)
    assert not any(text in "n):\n    m = n\n    return m\n# input: 5\n" for text in stop)
    assert PROPOSER.stop("chat") == ()


def test_the_seeds_are_read_back_from_their_own_words() -> None:
    for draft in PROPOSER.seeds():
        words = f"{draft.body['code']}\n# input: {draft.body['input']}".removeprefix("def f(")
        assert read(words) == draft.body


def test_a_directive_ends_the_request() -> None:
    brief = Brief("deduction", (TASK,), directive=Directive("theme", "about dictionaries", theme="dictionaries"))
    assert "Python functions about dictionaries, each" in str(PROPOSER.prompt(brief, "completion"))
    assert "one about dictionaries." in str(PROPOSER.prompt(brief, "chat"))
