from __future__ import annotations

import pytest

from selfplay.records import Task
from solvers.deduction import DeductionSolver, boxed

SOLVER = DeductionSolver()
TASK = Task("t", "deduction", {"code": "def f(a, b):\n    return a + b", "input": "20, 22"}, "SECRET")


@pytest.mark.parametrize("style", ["completion", "chat"])
def test_the_question_shows_the_program_and_the_input_and_nothing_of_the_truth(style: str) -> None:
    asked = str(SOLVER.prompt(TASK, style))
    assert "return a + b" in asked and "f(20, 22)" in asked and "SECRET" not in asked


def test_the_completion_style_is_an_assertion_to_go_on_with() -> None:
    prompt = SOLVER.prompt(TASK, "completion")
    assert isinstance(prompt, str) and prompt.endswith("\nassert f(20, 22) ==")
    assert SOLVER.stop("completion") == ("\n",) and SOLVER.stop("chat") == ()


def test_a_completion_s_line_is_the_answer() -> None:
    assert SOLVER.read(" 42", "completion") == "42"
    assert SOLVER.read(" {'a': [1, 2]} ", "completion") == "{'a': [1, 2]}"
    assert SOLVER.read("  ", "completion") is None and SOLVER.read("", "completion") is None


def test_a_chat_answer_is_what_its_last_box_holds() -> None:
    assert SOLVER.read("First \\boxed{1}, no: \\boxed{42}.", "chat") == "42"
    assert SOLVER.read("It is 42.", "chat") is None


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("\\boxed{{'a': {'b': 1}}} and more }", "{'a': {'b': 1}}"),
        ("\\boxed{ [1, 2] }", "[1, 2]"),
        ("\\boxed{}", None),
        ("\\boxed{never closed", None),
        ("boxed{42}", None),
    ],
)
def test_a_box_ends_where_its_braces_are_balanced(text: str, held: str | None) -> None:
    assert boxed(text) == held
