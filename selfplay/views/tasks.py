"""The tasks a run made, a page at a time, and the proposals that became none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from selfplay.store.filters import ProposalFilter, Steps, TaskFilter, given
from selfplay.store.kin import FAMILY_TREE
from selfplay.store.reader import Reader
from selfplay.views.paging import beyond, bounds, heading, place
from selfplay.views.text import number, safe, short, table


def page(
    reader: Reader,
    limit: int = 20,
    offset: int = 0,
    order: str = "newest",
    ancestor: str | None = None,
    **only: Unpack[TaskFilter],
) -> dict[str, Any]:
    """`total`, `offset`, `limit`, `page`, `pages`, `order`, `only` (the conditions that were given, `ancestor` in full)
    and the page's `tasks`. `cut`: the ancestor has more descendants than are listed. Where nothing matches, `kinds`:
    the families and themes of its newest tasks.

    ancestor: the beginning of a task's id; only its descendants. UserError: no such order, no such ancestor.
    """
    asked = given(only)
    with reader.snapshot():
        if ancestor is not None:
            asked["ancestor"] = reader.task_id(ancestor)
            only["among"] = reader.below(asked["ancestor"])
        tasks, total = reader.tasks(limit, offset, order, **only), reader.count_tasks(order, **only)
        kinds = {} if total else {"kinds": reader.kinds_of_tasks()}
    cut = len(only.get("among") or ()) >= FAMILY_TREE
    return {**place(total, limit, offset), "order": order, "only": asked, "cut": cut, **kinds, "tasks": tasks}


def render_page(page: Mapping[str, Any]) -> Any:
    from rich.console import Group
    from rich.text import Text

    if not page["tasks"]:
        return Text(beyond(page, "such tasks") or _none(page))
    fertile = page["order"] == "fertile"
    rows = [
        (
            safe(task["id"][:12]),
            safe(task["family"]),
            number(task["step"]),
            number(task["children"] if fertile else task["attempts"]),
            number(task["solve_rate"]),
            number(task["learnability"]),
            short(f"{one_line(task['body'])} → {task['gold']}", 100),
        )
        for task in page["tasks"]
    ]
    columns = ("task", "family", "step", "children" if fertile else "attempts", "solved", "learnable", "what")
    about = f", {page['order']} first{_conditions(page)}"
    title = Text(heading(page, "tasks", len(rows), about), style="bold")
    return Group(title, table(columns, rows, right=(2, 3, 4, 5), cut=(6,)))


def refused(
    reader: Reader, gate: str, limit: int = 20, offset: int = 0, family: str | None = None, step: Steps | None = None
) -> dict[str, Any]:
    """The newest proposals that `gate` refused (`any`: any gate), with the words they were made of; `refusals`: how
    many each gate of the run refused."""
    only = ProposalFilter(gate=gate, family=family, step=step)
    with reader.snapshot():
        counts, total = reader.funnel()["refusals"], reader.count_proposals(**only)
        found = reader.proposals(limit, offset, **only)
    about = {"gate": gate, "only": given(ProposalFilter(family=family, step=step)), "refusals": counts}
    return {**place(total, limit, offset), **about, "proposals": found}


def render_refused(page: Mapping[str, Any]) -> Any:
    from rich.console import Group
    from rich.text import Text

    if not page["proposals"]:
        known = ", ".join(f"{safe(gate)} {count:,}" for gate, count in page["refusals"].items()) or "none"
        return Text(beyond(page, "such refusals") or f"No such refusals; the gates refused: {known}.")
    rows = [
        (
            number(proposal["step"]),
            safe(proposal["family"]),
            safe(proposal["gate"]),
            short(proposal["detail"], 60),
            short(proposal["turn"]["text"], 100) if proposal["turn"] else "",
        )
        for proposal in page["proposals"]
    ]
    columns = ("step", "family", "gate", "why", "what was written")
    title = Text(heading(page, "refused proposals", len(rows), _conditions(page)), style="bold")
    return Group(title, table(columns, rows, right=(0,), cut=(3, 4)))


def one_line(body: Mapping[str, str]) -> str:
    return "; ".join(f"{name} {' '.join(text.split())}" for name, text in body.items())


_WORDS = {
    "family": "family {}", "step": "step {}", "solved": "solve rate {}", "learnable": "learnability {}",
    "theme": "about {}", "ancestor": "from {}",
}  # fmt: skip


def _conditions(page: Mapping[str, Any]) -> str:
    """`, family math, solve rate 0.25 to 0.5`."""
    only = dict(page["only"])
    active = only.pop("active", None)
    said = [_WORDS[name].format(bounds(value)) for name, value in only.items()]
    said += [] if active is None else ["active" if active else "evicted"]
    cut = f" (the nearest {FAMILY_TREE:,} of its descendants)" if page.get("cut") else ""
    return safe("".join(f", {words}" for words in said)) + cut


def _none(page: Mapping[str, Any]) -> str:
    kinds = page["kinds"]
    if not kinds["family"]:
        return "No tasks yet."
    there = f"families {', '.join(kinds['family'])}"
    themes = f"; themes {', '.join(kinds['theme'])}" if kinds["theme"] else ""
    asked = _conditions(page).lstrip(", ")
    return safe(f"No such tasks{f' ({asked})' if asked else ''}. What the run made of late has {there}{themes}.")
