"""The tasks a run made, a page at a time; one of them in full; and the proposals that became none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from selfplay.store.reader import Reader
from selfplay.views.text import number, safe, short, table


def page(
    reader: Reader, limit: int = 20, offset: int = 0, order: str = "newest", family: str | None = None
) -> dict[str, Any]:
    """`total`, `offset`, `limit`, `order`, `family` and the page's `tasks`."""
    with reader.snapshot():
        tasks, count = reader.tasks(limit, offset, order, family), reader.count_tasks(order, family)
    return {"total": count, "offset": offset, "limit": limit, "order": order, "family": family, "tasks": tasks}


def render_page(page: Mapping[str, Any]) -> Any:
    from rich.console import Group
    from rich.text import Text

    rows = [
        (
            task["id"][:12],
            task["family"],
            number(task["step"]),
            number(task["attempts"]),
            number(task["solve_rate"]),
            number(task["learnability"]),
            short(f"{one_line(task['body'])} → {task['gold']}", 100),
        )
        for task in page["tasks"]
    ]
    columns = ("task", "family", "step", "attempts", "solved", "learnable", "what")
    return (
        Group(_which(page, "tasks", len(rows)), table(columns, rows, right=(2, 3, 4, 5)))
        if rows
        else Text("No such tasks.")
    )


def refused(reader: Reader, gate: str | None, limit: int = 20, offset: int = 0) -> dict[str, Any]:
    """The newest proposals that `gate` refused (`any`: any gate), with the words they were made of; `total` by the
    digest's counts."""
    with reader.snapshot():
        counts = reader.funnel()["refusals"]
        found = reader.proposals(limit, offset, gate)
    total = sum(counts.values()) if gate == "any" else counts.get(gate, 0)
    return {"total": total, "offset": offset, "limit": limit, "gate": gate, "refusals": counts, "proposals": found}


def render_refused(page: Mapping[str, Any]) -> Any:
    from rich.console import Group
    from rich.text import Text

    rows = [
        (
            number(proposal["step"]),
            safe(proposal["gate"]),
            short(proposal["detail"], 60),
            short(proposal["turn"]["text"], 100) if proposal["turn"] else "",
        )
        for proposal in page["proposals"]
    ]
    known = ", ".join(f"{safe(gate)} {count:,}" for gate, count in page["refusals"].items()) or "none"
    if not rows:
        return Text(f"No such refusals; the gates refused: {known}.")
    columns = ("step", "gate", "why", "what was written")
    return Group(_which(page, "refused proposals", len(rows)), table(columns, rows, right=(0,)))


def one(reader: Reader, id: str) -> dict[str, Any]:
    """The task, its lineage, its history, and every attempt with its words."""
    with reader.snapshot():
        task = reader.task(id)
        return task | {"tries": reader.attempts(task["id"])}


def render_one(task: Mapping[str, Any]) -> Any:
    from rich.console import Group
    from rich.text import Text

    lines = [f"task {task['id']}, {task['family']}, made in step {task['step']}"]
    for name, text in task["body"].items():
        lines += ["", f"{name}:", *["  " + line for line in text.splitlines()]]
    lines += ["", f"truth: {task['gold']}"]
    solved = f"solved {task['correct']} of {task['attempts']}, learnability {number(task['learnability'])}"
    moved = "  ".join(f"step {h['step']}: {h['correct']} of {h['attempts']}" for h in task["history"])
    lines += ["", solved + (f"  ({moved})" if moved else "")]
    if task["evicted"] is not None:
        lines.append(f"let go in step {task['evicted']}: {task['reason']['gate']}, {task['reason']['detail']}")
    if task["themes"]:
        lines.append(f"about: {', '.join(task['themes'])}")
    lines += [
        f"made from: {', '.join(task['parents']) or 'nothing'}",
        f"led to: {', '.join(task['children']) or 'nothing'}",
    ]
    rows = [
        (
            number(t["step"]),
            t["verdict"],
            short(t["answer"] or "–", 40),
            short(t["turn"]["text"] if t["turn"] else "", 80),
        )
        for t in task["tries"]
    ]
    parts: list[Any] = [Text(safe("\n".join(lines), lines=True))]
    if rows:
        parts += [Text(""), table(("step", "verdict", "answer", "what was written"), rows, right=(0,))]
    return Group(*parts)


def one_line(body: Mapping[str, str]) -> str:
    return "; ".join(f"{name} {' '.join(text.split())}" for name, text in body.items())


def _which(page: Mapping[str, Any], what: str, shown: int) -> Any:
    from rich.text import Text

    first = page["offset"] + 1
    order = f", {page['order']} first" if page.get("order") else ""
    return Text(f"{first:,} to {first + shown - 1:,} of {page['total']:,} {what}{order}", style="bold")
