"""One task in full: its text and truth, its family tree, how its solve rate moved, and every attempt at it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from selfplay.store.kin import FAMILY_TREE
from selfplay.store.reader import Reader
from selfplay.views.text import number, safe, short, sparkline, table


def one(reader: Reader, id: str) -> dict[str, Any]:
    """The task, its `history`, `ancestors` and `descendants` as small trees (see Kin), `kin` (how many there are in
    all), and `tries`: every attempt with its words. UserError: unknown id, or several begin so."""
    with reader.snapshot():
        task = reader.task(id)
        trees = {"ancestors": reader.ancestors(task["id"]), "descendants": reader.descendants(task["id"])}
        return task | trees | {"kin": reader.count_kin(task["id"]), "tries": reader.attempts(task["id"])}


def render_one(task: Mapping[str, Any]) -> Any:
    from rich.console import Group
    from rich.text import Text

    where = "a seed" if task["step"] == 0 else f"made in step {task['step']}"
    parts: list[Any] = [Text(safe(f"task {task['id']}, {task['family']}, {where}"), style="bold")]
    parts += [Text(safe("\n".join(_text(task)), lines=True)), Text("\n".join(_measured(task)))]
    parts += [Text(safe("\n".join(_kin(task)), lines=True))]
    rows = [
        (
            number(one["step"]),
            safe(one["verdict"]),
            short(one["answer"] if one["answer"] is not None else "–", 40),
            short(one["turn"]["text"] if one["turn"] else "", 80),
        )
        for one in task["tries"]
    ]
    if rows:
        parts += [Text(""), table(("step", "verdict", "answer", "what was written"), rows, right=(0,), cut=(2, 3))]
    return Group(*parts)


def _text(task: Mapping[str, Any]) -> Iterator[str]:
    for name, text in task["body"].items():
        yield from ("", f"{name}:", *["  " + line for line in text.splitlines()])
    yield from ("", f"truth: {task['gold']}", "")
    if task["themes"]:
        yield f"about: {', '.join(task['themes'])}"
    if task["evicted"] is not None:
        yield f"let go in step {task['evicted']}: {task['reason']['gate']}, {task['reason']['detail']}"


def _measured(task: Mapping[str, Any]) -> Iterator[str]:
    """The totals, and the rate of each step that measured it, with how many attempts that rate is of."""
    if not task["attempts"]:
        yield "never attempted"
        return
    learnability = f"learnability {number(task['learnability'])}"
    yield f"solved {task['correct']} of {task['attempts']} ({number(task['solve_rate'])}), {learnability}"
    history = [entry for entry in task["history"] if entry["attempts"]]
    if len(history) > 1:
        rates = [entry["correct"] / entry["attempts"] for entry in history]
        first, last = history[0]["step"], history[-1]["step"]
        yield f"solve rate {sparkline(rates, bounds=(0.0, 1.0))} (0 to 1) over {len(history)} steps, {first} to {last}"
    told = history if len(history) <= 8 else [*history[:4], *history[-4:]]
    moved = [f"step {entry['step']}: {entry['correct']} of {entry['attempts']}" for entry in told]
    if len(history) > 8:
        moved.insert(4, "…")
    yield "  " + "  ".join(moved)


def _kin(task: Mapping[str, Any]) -> Iterator[str]:
    for name, count, kin, none in (
        ("made from", len(task["parents"]), "ancestors", "made from nothing"),
        ("led to", len(task["children"]), "descendants", "led to nothing"),
    ):
        yield ""
        if not count:
            yield none
            continue
        yield f"{name} {count:,}, {_many(task['kin'][kin])} {kin} in all:"
        yield from _tree(task[kin], count, "  ", set())


def _tree(nodes: list[dict[str, Any]], of: int, indent: str, told: set[str]) -> Iterator[str]:
    """`told`: those whose own kin stand further up already; a family tree is no tree."""
    hidden = of - len(nodes)
    for place, node in enumerate(nodes):
        last, again = place == len(nodes) - 1 and not hidden, node["id"] in told
        yield f"{indent}{'└─' if last else '├─'} {_node(node)}{'  (as above)' if again else ''}"
        if node["kin"] and not again:
            told.add(node["id"])
            yield from _tree(node["kin"], node["of"], indent + ("   " if last else "│  "), told)
    if hidden and nodes:
        yield f"{indent}└─ … and {hidden:,} more"


def _node(node: Mapping[str, Any]) -> str:
    if node["family"] is None:
        return f"{node['id'][:12]}  not a task of this run"
    solved = f"solved {node['correct']} of {node['attempts']}" if node["attempts"] else "never attempted"
    further = f"  ({node['of']:,} further)" if node["of"] and not node["kin"] else ""
    return f"{node['id'][:12]}  {node['family']}, step {node['step']}, {solved}{further}"


def _many(count: int) -> str:
    return f"{count:,} or more" if count >= FAMILY_TREE else f"{count:,}"
