"""Whether the proposer still finds something new: themes, families, repeats, and how far attempts differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from selfplay.report.steps import Groups
from selfplay.store.reader import Reader

TOP = 7


def diversity(reader: Reader, groups: Groups, sums: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Per group: `repeats` (share of valid proposals that were proposed before), `themes` (theme → tasks, the `TOP`
    commonest and the rest) and `distinct_themes`, `families` (family → tasks made), `distinct_answers` (mean share of
    different completions among attempts at one task). `asked` and `made` by family, all steps. None without tasks."""
    if not any(group["funnel"]["proposed"] for group in sums):
        return None
    families = sorted({family for group in sums for family in group["asked"]})
    per_theme = _per_theme(reader.themes(groups.width), len(sums))
    key = "solver/distinct_answers"
    return {
        "repeats": [_repeats(group) for group in sums],
        "themes": _top(per_theme),
        "distinct_themes": [sum(counts[i] > 0 for counts in per_theme.values()) for i in range(len(sums))],
        "families": {family: [group["made"].get(family, 0) for group in sums] for family in families},
        "asked": {family: sum(group["asked"].get(family, 0) for group in sums) for family in families},
        "made": {family: sum(group["made"].get(family, 0) for group in sums) for family in families},
        "distinct_answers": groups.series(reader.binned_metrics([key], groups.width)[key]),
    }


def _repeats(group: Mapping[str, Any]) -> float | None:
    valid = group["funnel"]["valid"]
    return (valid - group["funnel"]["new"]) / valid if valid else None


def _per_theme(rows: Sequence[tuple[int | None, str, int]], groups: int) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for group, theme, count in rows:
        if group is not None:
            found.setdefault(theme, [0] * groups)[group] = count
    return dict(sorted(found.items(), key=lambda item: (-sum(item[1]), item[0])))


def _top(themes: Mapping[str, list[int]]) -> dict[str, list[int]]:
    names = list(themes)
    if len(names) <= TOP + 1:
        return dict(themes)
    rest = [sum(column) for column in zip(*(themes[name] for name in names[TOP:]), strict=True)]
    return {name: themes[name] for name in names[:TOP]} | {f"{len(names) - TOP} others": rest}
