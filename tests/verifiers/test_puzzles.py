"""The kinds of puzzles, their search, and their normal forms.

Three ways to the answers are held against each other: the search, the puzzle's own check over every answer, and what
Python makes of the same clauses, which `ANY` writes down beside the puzzle.
"""

from __future__ import annotations

import itertools
import random
import re
import statistics
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifiers.puzzles import KINDS, exhaustive, generate, propositions
from verifiers.puzzles.kind import LEVELS, BadPuzzle, Puzzle
from verifiers.puzzles.labels import Tree, label
from verifiers.puzzles.search import Problem, search

Written = tuple[str, str]  # a clause as the puzzle has it, and as Python has it
EVERY_KIND = pytest.mark.parametrize("kind", list(KINDS))


def any_statement(rng: random.Random, names: str) -> Written:
    a, b = rng.choice(names), rng.choice(names)
    (says, means), (also, too) = (rng.choice((("lies", "not {}"), ("tells the truth", "{}"))) for _ in "12")
    word, count = rng.choice(("and", "or")), rng.randint(0, len(names))
    forms = [
        (f"{a} {says}", means.format(a)),
        (f"{a} {word} {b} lie", f"not {a} {word} not {b}"),
        (f"{a} {says} {word} {b} {also}", f"{means.format(a)} {word} {too.format(b)}"),
        (f"exactly {count} lie", f"ALL.count(False) == {count}"),
    ]
    if a != b:
        forms += [(f"{a} and {b} are the same", f"{a} == {b}"), (f"{a} and {b} differ", f"{a} != {b}")]
    return rng.choice(forms)


def any_knights(rng: random.Random) -> list[Written]:
    names = "ABCDE"[: rng.randint(2, 5)]
    speakers = [rng.choice(names) for _ in range(rng.randint(2, 5))]
    said = [(speaker, *any_statement(rng, names)) for speaker in speakers]
    return [(f"{speaker}: {says}", f"{speaker} == ({means})") for speaker, says, means in said]


def any_colouring(rng: random.Random) -> list[Written]:
    names, values = "xyzu"[: rng.randint(2, 4)], ("red", "green", "blue", "white")[: rng.randint(2, 4)]
    signs = {"=": "==", "!=": "!=", "<": "<", ">": ">"}
    clauses = [(f"{' '.join(names)} in {' '.join(values)}", "True")]
    for _ in range(rng.randint(1, 8)):
        left, right = rng.sample(names, 2)
        sign = rng.choice(("=", "!=", "!=", "<", ">"))
        clauses.append((f"{left} {sign} {right}", f"{left} {signs[sign]} {right}"))
        if rng.random() < 0.4:
            sign, place = rng.choice(("=", "!=")), rng.randrange(len(values))
            clauses[-1] = (f"{left} {sign} {values[place]}", f"{left} {signs[sign]} {place}")
    return clauses


def any_formula(rng: random.Random, letters: str, depth: int = 0) -> Written:
    if depth == 3 or rng.random() < 0.4:
        letter = rng.choice(letters)
        return letter, letter
    (a, first), (b, second) = (any_formula(rng, letters, depth + 1) for _ in "12")
    sign, means = rng.choice((("not", ""), ("and", "and"), ("or", "or"), ("->", "<="), ("<->", "==")))
    return (f"not {a}", f"(not {first})") if sign == "not" else (f"({a} {sign} {b})", f"({first} {means} {second})")


def any_entailment(rng: random.Random) -> list[Written]:
    letters = "pqrst"[: rng.randint(2, 5)]
    facts = [(letter, letter) for letter in letters[: rng.randint(0, 2)]]
    return facts + [any_formula(rng, letters) for _ in range(rng.randint(1, 5))]


def any_grid(rng: random.Random) -> list[Written]:
    size, share = rng.choice([(3, 0.4)] * 9 + [(4, 0.7)])
    rows, columns = rng.sample(range(size), size), rng.sample(range(size), size)
    square = [[(row + column) % size + 1 for column in columns] for row in rows]
    if rng.random() < 0.2:
        square[0][0] = rng.randint(1, size)
    shown = [[digit if rng.random() < share else 0 for digit in row] for row in square]
    cells = [[f"{row}{column}" for column in range(1, size + 1)] for row in "abcd"[:size]]
    lines = [*cells, *zip(*cells, strict=True)]
    code = [f"len({{{', '.join(line)}}}) == {size}" for line in lines]
    code += [f"{cells[r][c]} == {shown[r][c]}" for r in range(size) for c in range(size) if shown[r][c]]
    head = " / ".join(" ".join(str(digit) if digit else "_" for digit in row) for row in shown)
    pairs = [rng.sample(list(itertools.chain(*cells)), 2) for _ in range(rng.choice((0, 0, 1, 2)))]
    return [(head, " and ".join(code)), *((f"{a} < {b}", f"{a} < {b}") for a, b in pairs)]


ANY: dict[str, Callable[[random.Random], list[Written]]] = {
    "knights": any_knights,
    "colouring": any_colouring,
    "entailment": any_entailment,
    "grid": any_grid,
}


def some(kind: str, count: int, seed: int = 0) -> list[tuple[Puzzle, str]]:
    """Puzzles with no, one or many answers, each with what it means in Python."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        clauses = ANY[kind](rng)
        try:
            puzzle = KINDS[kind].parse("; ".join(clause for clause, _ in clauses))
        except BadPuzzle as error:
            assert error.gate == "size", str(error)  # all names but one were left out
        else:
            found.append((puzzle, " and ".join(f"({code})" for _, code in clauses)))
    return found


def made(kind: str, level: int, count: int, seed: int = 0) -> list[Puzzle]:
    rng = random.Random(seed)
    return [KINDS[kind].parse(generate(kind, rng, level)) for _ in range(count)]


def answers(puzzle: Puzzle) -> set[str]:
    return {puzzle.say(answer) for answer in exhaustive.answers(puzzle)}


def by_python(puzzle: Puzzle, code: str) -> set[str]:
    """The answers, by Python's reading."""
    logical = puzzle.kind in ("knights", "entailment")
    values: Sequence[int] = (False, True) if logical else range(len(puzzle.values))
    names, compiled = puzzle.names, compile(code, "<puzzle>", "eval")
    if puzzle.kind == "grid":
        tried = [[int(answer[name]) for name in names] for answer in puzzle.every_answer()]
        models = [one for one in tried if eval(compiled, {}, dict(zip(names, one, strict=True)))]
        return {puzzle.say({name: str(digit) for name, digit in zip(names, one, strict=True)}) for one in models}
    models = [
        list(one)
        for one in itertools.product(values, repeat=len(names))
        if eval(compiled, {"ALL": one}, dict(zip(names, one, strict=True)))
    ]
    if puzzle.kind == "entailment" and models:
        seen = [{one[place] for one in models} for place in range(len(names))]
        models = [[2 if len(both) == 2 else int(min(both)) for both in seen]]
    return {puzzle.say(puzzle.answer([int(value) for value in one])) for one in models}


@EVERY_KIND
def test_the_search_the_check_and_python_find_the_same_answers(kind: str) -> None:
    counts = set()
    for puzzle, code in some(kind, 300):
        true = answers(puzzle)
        assert true == by_python(puzzle, code)
        counts.add(min(len(true), 2))
        solved = puzzle.solve()
        assert solved.complete and len(solved.answers) == min(len(true), 2)
        assert {puzzle.say(answer) for answer in solved.answers} <= true
        if kind != "entailment":
            every = search(puzzle.problem(), most=100_000, budget=100_000)
            assert {puzzle.say(puzzle.answer(solution)) for solution in every.solutions} == true
    assert counts == ({0, 1} if kind == "entailment" else {0, 1, 2}), "the sample holds every case"


@EVERY_KIND
def test_a_generated_puzzle_is_normal_and_has_one_answer_that_takes_inference(kind: str) -> None:
    for level in range(1, LEVELS + 1):
        for puzzle in made(kind, level, 5):
            solved = puzzle.solve()
            assert len(solved.answers) == 1 and solved.inferred > 0 and solved.cost > 0
            assert puzzle.normal().text() == puzzle.text()
            if level <= 2:
                assert answers(puzzle) == {puzzle.say(solved.answers[0])}


@EVERY_KIND
def test_the_mean_cost_grows_with_every_level(kind: str) -> None:
    means = [
        statistics.mean(puzzle.solve().cost for seed in (1, 2) for puzzle in made(kind, level, 12, seed))
        for level in range(1, LEVELS + 1)
    ]
    assert all(low < high for low, high in itertools.pairwise(means)), means


@EVERY_KIND
def test_a_generator_repeats_itself_for_a_seed(kind: str) -> None:
    assert [p.text() for p in made(kind, 2, 3)] == [p.text() for p in made(kind, 2, 3)]
    assert [p.text() for p in made(kind, 2, 3)] != [p.text() for p in made(kind, 2, 3, seed=1)]


def without_lookahead(problem: Problem) -> int:
    """The nodes of plain backtracking in the order of the variables."""
    nodes, waiting = 0, [()]
    masks = problem.given()
    while waiting:
        values = waiting.pop()
        nodes += 1
        if len(values) < len(masks):
            longer = [(*values, value) for value in range(masks[len(values)].bit_length())]
            waiting += [one for one in longer if masks[len(values)] >> one[-1] & 1 and not _broken(problem, one)]
    return nodes


def _broken(problem: Problem, values: tuple[int, ...]) -> bool:
    last = len(values) - 1
    return any(
        max(scope) == last and tuple(values[variable] for variable in scope) not in rows
        for scope, rows in problem.tables
    )


@EVERY_KIND
def test_the_cost_hangs_on_the_order_of_names_less_than_a_search_without_lookahead_does(kind: str) -> None:
    rng = random.Random(0)
    spread: dict[str, list[float]] = {"steps": [], "nodes": []}
    for puzzle in made(kind, 3, 8):
        problem = puzzle.problem()
        orders = [rng.sample(range(len(problem.sizes)), len(problem.sizes)) for _ in range(8)]
        shuffled = [
            Problem(problem.sizes, tuple((tuple(order[v] for v in scope), rows) for scope, rows in problem.tables))
            for order in orders
        ]
        for what, counts in {
            "steps": [search(one).steps for one in shuffled],
            "nodes": [without_lookahead(one) for one in shuffled],
        }.items():
            spread[what].append(statistics.pstdev(counts) / statistics.mean(counts))
    assert statistics.mean(spread["steps"]) < statistics.mean(spread["nodes"]) / 2


def pigeons(count: int) -> Problem:
    """One more pigeon than holes: no solution, and arc consistency alone does not see it."""
    unequal = tuple(itertools.permutations(range(count - 1), 2))
    return Problem((count - 1,) * count, tuple((pair, unequal) for pair in itertools.combinations(range(count), 2)))


def test_the_search_keeps_to_its_node_budget() -> None:
    found = search(pigeons(8), budget=50)
    assert not found.complete and found.nodes == 50 and not found.solutions
    enough = search(pigeons(5))
    assert enough.complete and not enough.solutions and 5 < enough.nodes < 1_000
    assert search(pigeons(5), budget=enough.nodes).complete and not search(pigeons(5), budget=enough.nodes - 1).complete


def test_a_long_chain_of_choices_costs_no_recursion() -> None:
    found = search(Problem((2,) * 1_500, ()), most=1, budget=5_000)
    assert found.solutions == ((0,) * 1_500,) and found.nodes == 1_501


def test_a_variable_without_values_has_no_solution() -> None:
    assert search(Problem((2, 2), (((0,), ((0,),)), ((0,), ((1,),))))).solutions == ()


def test_givens_are_free_and_inference_is_counted() -> None:
    unequal = ((0, 1), (1, 0))
    given = search(Problem((2, 2), (((0,), ((1,),)), ((1,), ((0,),)))))
    assert (given.solutions, given.nodes, given.steps) == (((1, 0),), 1, 0)
    inferred = search(Problem((2, 2), (((0,), ((1,),)), ((0, 1), unequal))))
    assert (inferred.solutions, inferred.nodes, inferred.steps) == (((1, 0),), 1, 1)
    tried = search(Problem((2, 2), (((0, 1), unequal),)))
    assert (tried.solutions, tried.nodes, tried.steps) == (((0, 1), (1, 0)), 3, 4)


def renamed(kind: str, puzzle: Puzzle, rng: random.Random) -> str:
    """Another wording of the same puzzle: other names, another order."""
    head, *clauses = puzzle.text().split("; ")
    names, values = list(puzzle.names), list(puzzle.values)
    if kind == "grid":
        size = len(values)
        orders = {axis: rng.sample(range(size), size) for axis in ("row", "column")}
        rows = [row.split() for row in head.split(" / ")]
        moved = [[rows[r][c] for c in orders["column"]] for r in orders["row"]]
        cells = {
            f"{'abcd'[r]}{c + 1}": f"{'abcd'[orders['row'].index(r)]}{orders['column'].index(c) + 1}"
            for r in range(size)
            for c in range(size)
        }
        digits = dict(zip(values, values if clauses else rng.sample(values, size), strict=True))
        grid = " / ".join(" ".join(digits.get(cell, ".") for cell in row) for row in moved)
        words = [re.sub(r"[a-d][1-4]", lambda found: cells[found[0]], clause) for clause in clauses]
        return "; ".join([grid, *rng.sample(words, len(words))])
    new = {"knights": "VWXYZQ", "colouring": "fghijk", "entailment": "abcdef"}[kind]
    words = dict(zip(names, rng.sample(new, len(names)), strict=True))
    if kind == "colouring":
        if any("<" in clause for clause in clauses):
            options = [f"slot{value}" for value in values]
        else:
            options = rng.sample(["mon", "tue", "wed", "thu", "fri"], len(values))
        words |= dict(zip(values, options, strict=True))
        shown = options if any("<" in clause for clause in clauses) else rng.sample(options, len(options))
        things = rng.sample(names, len(names))
        head = f"{', '.join(words[name] for name in things)} in {', '.join(shown)}"
    said = [head, *clauses] if kind != "colouring" else clauses
    said = [re.sub(r"\w+", lambda found: words.get(found[0], found[0]), clause) for clause in said]
    said = rng.sample(said, len(said))
    return "; ".join([head, *said] if kind == "colouring" else said)


@EVERY_KIND
def test_renamed_and_reordered_copies_are_one_puzzle(kind: str) -> None:
    rng = random.Random(0)
    for puzzle in [p for level in (1, 3, 5) for p in made(kind, level, 5)] + [p for p, _ in some(kind, 40)]:
        copy = KINDS[kind].parse(renamed(kind, puzzle, rng))
        assert copy.identities() == puzzle.identities() == puzzle.normal().identities()
        if kind != "grid":
            assert copy.normal().text() == puzzle.normal().text()


@EVERY_KIND
def test_a_normal_form_is_its_own_and_has_as_many_answers(kind: str) -> None:
    for puzzle, _ in some(kind, 60, seed=2):
        normal = puzzle.normal()
        assert KINDS[kind].parse(normal.text()) == normal == normal.normal()
        assert len(normal.solve().answers) == len(puzzle.solve().answers)
        assert normal.solve().inferred == puzzle.solve().inferred


REWORDED = [
    ("knights", "A: B lies; B: A or C lies; C: A lies", "C: A is a knave; A: B is a liar; B: C or A is a knave"),
    ("knights", "A: B lies; B: A and B lie", "B: A lies; B: A and B are knaves"),
    (
        "knights",
        "A: B lies; B: A and B lie",
        "B: A lies; A: B lies; B: A and B lie; A: A tells the truth; A: B lies",
    ),
    ("colouring", "x y in red blue; x = red; x != y", "x y in red blue; blue != x; y != x; x != y"),
    ("colouring", "x y z in 1 2 3; x = 1; y = 2; y < z", "x y z in 1 2 3; y != 3; x < y; x = 1; z > y; y = 2"),
    (
        "colouring",
        "x y z in red blue white; x = red; x != y; z = y",
        "x y z in white red blue; x != blue; x != white; z = y; x != y",
    ),
    ("entailment", "p; p -> q; q or r", "not q -> not p; r or q; p; not not p; q or not q"),
    ("entailment", "p; p -> q and r", "p; if p then q; p => r"),
    ("grid", "1 _ _ / _ _ 2 / _ _ _", "1 _ _ / _ _ _ / _ 2 _"),
    ("grid", "1 2 _ / _ _ _ / _ _ _; a1 < b2", "1 2 _ / _ _ _ / _ _ _; b2 > a1; a1 < a2"),
    ("grid", "1 _ _ / _ _ _ / _ _ _; b1 < b2", "_ _ _ / _ _ _ / _ _ 3; c2 > b2"),
]


@pytest.mark.parametrize(("kind", "one", "other"), REWORDED)
def test_other_words_for_the_same_clauses_have_the_same_meaning(kind: str, one: str, other: str) -> None:
    first, second = KINDS[kind].parse(one), KINDS[kind].parse(other)
    assert first.identities()[1] == second.identities()[1]


OTHERS = [
    ("knights", "A: B lies; B: A and B lie", "A: A and B are the same; B: A or B lies"),
    ("knights", "A: B lies; B: C lies; C: exactly 1 lies", "A: B lies; B: C lies; C: exactly 2 lie"),
    ("colouring", "x y in red blue; x = red; x != y", "x y in red blue green; x = red; x != y"),
    ("colouring", "x y z in 1 2 3; x < y; y < z", "x y z in 1 2 3; x < y; x < z"),
    ("entailment", "p; p -> q", "p; q -> p"),
    ("grid", "1 _ _ / _ _ 2 / _ _ _", "1 _ _ / _ _ 1 / _ _ _"),
    ("grid", "1 _ _ / _ _ _ / _ _ _; a1 < b2", "1 _ _ / _ _ _ / _ _ _; a2 < b2"),
]


@pytest.mark.parametrize(("kind", "one", "other"), OTHERS)
def test_puzzles_that_differ_share_no_identity(kind: str, one: str, other: str) -> None:
    first, second = KINDS[kind].parse(one), KINDS[kind].parse(other)
    assert not set(first.identities()) & set(second.identities())


def test_names_that_nothing_tells_apart_are_labelled_all_the_same() -> None:
    ring = [("!=", a, b) for a, b in itertools.pairwise("abcdea")]
    other = [("!=", a, b) for a, b in itertools.pairwise("caebdc")]
    sorts = dict.fromkeys("abcde", "name")
    assert label(ring, sorts)[1] == label(other, dict(reversed(sorts.items())))[1]
    assert label(ring, sorts)[1] != label(ring[1:], sorts)[1]


SMALLER = {"not": 1, "and": 2, "or": 2, "if": 2, "iff": 2}
TREES: st.SearchStrategy[Tree] = st.recursive(
    st.sampled_from("pqrs"),
    lambda inner: st.sampled_from(list(SMALLER)).flatmap(
        lambda head: st.tuples(st.just(head), *[inner] * SMALLER[head])
    ),
    max_leaves=12,
)


@given(TREES)
def test_a_formula_s_table_its_text_and_its_tidy_form_say_the_same(tree: Tree) -> None:
    try:
        again = propositions.parse(propositions.write(tree))
    except BadPuzzle as error:
        assert error.gate == "size"
        return
    assert propositions.write(propositions.tidy(again)) == propositions.write(propositions.tidy(tree))
    table = set(propositions.rows(tree, "pqrs"))
    for picked in itertools.product((0, 1), repeat=4):
        truth = {letter: bool(value) for letter, value in zip("pqrs", picked, strict=True)}
        true = propositions.holds(tree, truth)
        assert true == (picked in table)
        assert true == propositions.holds(again, truth) == propositions.holds(propositions.tidy(tree), truth)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("p -> q -> r", "p -> (q -> r)"),
        ("not p and q or r", "(not p and q) or r"),
        ("p and q -> r or s", "p and q -> r or s"),
        ("~p|q&r", "not p or (q and r)"),
        ("if p and q then not r", "p and q -> not r"),
        ("P IMPLIES q <=> r", "(p -> q) <-> r"),
        ("p <-> q <-> r", "(p <-> q) <-> r"),
        ("not (p or q)", "not (p or q)"),
        ("¬p ∧ q → r", "not p and q -> r"),
    ],
)
def test_a_formula_is_read_with_the_usual_signs_and_precedence(text: str, meant: str) -> None:
    assert propositions.write(propositions.parse(text)) == meant


BAD = [
    ("knights", "B lies"),
    ("knights", "A: "),
    ("knights", "A: B"),
    ("knights", "A: B lies and C lies or D lies"),
    ("knights", "A: B sleeps; B: A lies"),
    ("knights", "a: B lies"),
    ("knights", "A: A and A differ; B: A lies"),
    ("knights", "A: B lies C lies"),
    ("colouring", ""),
    ("colouring", "x y red blue; x = red"),
    ("colouring", "x x in red blue; x = red"),
    ("colouring", "x y in red x; x = red"),
    ("colouring", "x y in red blue; x = green"),
    ("colouring", "x y in red blue; x < red"),
    ("colouring", "x y in red blue; x != x"),
    ("colouring", "x y in red blue; x != y != x"),
    ("entailment", "p q"),
    ("entailment", "p ->"),
    ("entailment", "(p or q"),
    ("entailment", "if p q"),
    ("entailment", "p or true"),
    ("grid", ""),
    ("grid", "1 2 / 2 1"),
    ("grid", "1 2 3 / 2 3 1"),
    ("grid", "1 2 4 / _ _ _ / _ _ _"),
    ("grid", "1 _ _ / _ _ _ / _ _ _; a1 < a4"),
    ("grid", "1 _ _ / _ _ _ / _ _ _; a1 < a1"),
    ("grid", "1 _ _ / _ _ _ / _ _ _; a1 = a2"),
]


@pytest.mark.parametrize(("kind", "text"), BAD)
def test_what_is_no_puzzle_of_its_kind_is_refused_at_the_gate_parse(kind: str, text: str) -> None:
    with pytest.raises(BadPuzzle) as caught:
        KINDS[kind].parse(text)
    assert caught.value.gate == "parse" and str(caught.value).endswith(".")


LARGE = [
    ("knights", "; ".join(["A: B lies"] * 17)),
    ("knights", "; ".join(f"A: {name} lies" for name in "BCDEFG")),
    ("knights", "A: A lies"),
    ("colouring", "x y z u v w t in 1 2; x = 1"),
    ("colouring", "x y in 1 2 3 4 5 6; x = 1"),
    ("colouring", "x in 1 2; x = 1"),
    ("entailment", "p or q or r or s or t or u or v"),
    ("entailment", "p; not not p"),
    ("entailment", "p and q" + " " * 600),
    ("entailment", "not " * 100 + "p"),
    ("entailment", "(" * 300 + "p" + ")" * 299),
    ("entailment", "q or p" + " -> p" * 100),
]


@pytest.mark.parametrize(("kind", "text"), LARGE)
def test_what_is_too_large_or_too_small_is_refused_at_the_gate_size(kind: str, text: str) -> None:
    with pytest.raises(BadPuzzle) as caught:
        KINDS[kind].parse(text)
    assert caught.value.gate == "size" and str(caught.value).endswith(".")


@EVERY_KIND
def test_the_form_that_a_proposer_is_shown_is_a_puzzle_of_its_kind(kind: str) -> None:
    puzzle = KINDS[kind].parse(KINDS[kind].form)
    assert KINDS[kind].kind == kind and KINDS[kind].parse(puzzle.text()) == puzzle


READ = [
    ("knights", "A: B lies; B: A and B lie", "A = knight, B = knave"),
    ("knights", "A: B lies; B: A and B lie", "b: Knave; a: KNIGHT."),
    ("knights", "A: B lies; B: A and B lie", "A is a knight and B is a knave"),
    ("knights", "A: B lies; B: A and B lie", "A is knight\nB is a liar"),
    ("knights", "A: B lies; B: A and B lie", "knight, knave"),
    ("colouring", "x y in red blue; x = red; x != y", "y=blue,x=red"),
    ("colouring", "x y in red blue; x = red; x != y", "red and blue"),
    ("entailment", "p; p -> q", "q = true, p = true"),
    ("entailment", "p; p -> q", "true; true"),
    ("grid", "1 2 _ / _ _ _ / _ _ _; b1 < b2", "1 2 3 / 2 3 1 / 3 1 2"),
    ("grid", "1 2 _ / _ _ _ / _ _ _; b1 < b2", "123\n231\n312"),
    ("grid", "1 2 _ / _ _ _ / _ _ _; b1 < b2", "1,2,3; 2,3,1; 3,1,2"),
]


@pytest.mark.parametrize(("kind", "text", "answer"), READ)
def test_every_legal_way_to_write_the_answer_is_read_as_it(kind: str, text: str, answer: str) -> None:
    puzzle = KINDS[kind].parse(text)
    read = puzzle.read(answer)
    assert read is not None and puzzle.holds(read)
    assert answers(puzzle) == {puzzle.say(read)} and puzzle.read(puzzle.say(read)) == read


UNREAD = [
    ("knights", "A: B lies; B: A and B lie", "A = knight"),
    ("knights", "A: B lies; B: A and B lie", "A = knight, B = knave, A = knight"),
    ("knights", "A: B lies; B: A and B lie", "A = knight, A = knave"),
    ("knights", "A: B lies; B: A and B lie", "A = knight, C = knave"),
    ("knights", "A: B lies; B: A and B lie", "A = knight, knave"),
    ("knights", "A: B lies; B: A and B lie", "A = knight or knave, B = knave"),
    ("knights", "A: B lies; B: A and B lie", "A = 1, B = 0"),
    ("knights", "A: B lies; B: A and B lie", "knight, knave, knave"),
    ("knights", "A: B lies; B: A and B lie", "A = knight, B = knave, so B lies"),
    ("entailment", "p; p -> q", "p = true"),
    ("entailment", "p; p -> q", "p = true, q = maybe"),
    ("grid", "1 2 _ / _ _ _ / _ _ _; b1 < b2", "1 2 3 / 2 3 1"),
    ("grid", "1 2 _ / _ _ _ / _ _ _; b1 < b2", "1 2 3 / 2 3 1 / 3 1 2 / 1"),
    ("grid", "1 2 _ / _ _ _ / _ _ _; b1 < b2", "1 2 3 / 2 3 1 / 3 1 _"),
    ("grid", "1 2 _ / _ _ _ / _ _ _; b1 < b2", "1 2 3 / 2 3 1 / 3 1 4"),
    ("grid", "1 2 _ / _ _ _ / _ _ _; b1 < b2", "1 2 3 / 2 3 1 / 3 1 ²"),
]


@pytest.mark.parametrize(("kind", "text", "answer"), UNREAD)
def test_an_answer_that_gives_not_exactly_one_value_to_each_name_is_not_read(kind: str, text: str, answer: str) -> None:
    assert KINDS[kind].parse(text).read(answer) is None


def test_an_answer_of_any_length_is_read_or_left() -> None:
    puzzle = KINDS["grid"].parse("1 2 _ / _ _ _ / _ _ _; b1 < b2")
    assert puzzle.read(" " * 1_000_000 + "1 2 3 / 2 3 1 / 3 1 2") is None


@EVERY_KIND
def test_the_answer_space_holds_every_answer_that_repeats_what_is_given(kind: str) -> None:
    for puzzle in made(kind, 2, 5):
        (truth,) = puzzle.solve().answers
        masks = puzzle.problem().given()
        given = {name for name, mask in zip(puzzle.names, masks, strict=True) if mask.bit_count() == 1}
        kept = [one for one in puzzle.every_answer() if all(one[name] == truth[name] for name in given)]
        assert len(kept) - (kind == "entailment") == puzzle.space() > 1, "that nothing follows is never asked"


@pytest.mark.parametrize(("kind", "difficulty"), [("sudoku", 1), ("grid", 0), ("grid", LEVELS + 1)])
def test_a_kind_or_a_difficulty_that_there_is_not_is_named_in_the_error(kind: str, difficulty: int) -> None:
    with pytest.raises(ValueError, match="knights, colouring, entailment, grid and of a difficulty from 1 to 5"):
        generate(kind, random.Random(0), difficulty)
