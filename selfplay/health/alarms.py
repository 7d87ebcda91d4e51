"""Signs that a run is dying while its loss looks well: each has been seen to end a run somewhere.

A small penalty for invalid proposals can teach a policy to propose nothing valid (Absolute Zero's relatives); novelty
and the frontier run dry in silence. An alarm is raised when its sign has stood for some steps on end, once, and again
only after it was gone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from selfplay.records import Event


@dataclass(frozen=True)
class Sign:
    """`metric` at or below `most` is bad; `means` is the sentence for a reader."""

    name: str
    metric: str
    most: float
    means: str


SIGNS = (
    Sign(
        "no_valid_proposals", "proposer/valid_rate", 0.02,
        "hardly any proposal is valid: a penalty for refused ones may have taught the policy not to try",
    ),
    Sign("no_new_proposals", "proposer/new_rate", 0.02, "hardly any proposal is new: the proposer repeats itself"),
    Sign(
        "no_frontier", "curriculum/learnability/mean", 0.001,
        "no task is worth anything to the curriculum: each is solved always, or no more often than luck would",
    ),
    Sign("no_legal_moves", "player/legal_rate", 0.02, "hardly any move is legal: the games teach nothing but that"),
)  # fmt: skip


class Alarms:
    """`patience`: for how many steps a sign must stand. `curves`: the metrics of the steps before, (step, value) by
    key, so that a resumed run raises what one that never stopped would."""

    def __init__(self, patience: int, curves: Mapping[str, Sequence[tuple[int, float | None]]] | None = None) -> None:
        self._patience = patience
        self._standing = dict.fromkeys((sign.name for sign in SIGNS), 0)
        for sign in SIGNS:
            for _, value in (curves or {}).get(sign.metric, ()):
                self._count(sign, value)

    def check(self, metrics: Mapping[str, float]) -> list[Event]:
        """The alarms that this step's metrics raise."""
        found = []
        for sign in SIGNS:
            if sign.metric in metrics and self._count(sign, metrics[sign.metric]) == self._patience:
                data = {"alarm": sign.name, "metric": sign.metric, "value": metrics[sign.metric]}
                found.append(Event("alarm", f"for {self._patience} steps, {sign.means}", data))
        return found

    def _count(self, sign: Sign, value: float | None) -> int:
        bad = value is not None and value <= sign.most
        self._standing[sign.name] = self._standing[sign.name] + 1 if bad else 0
        return self._standing[sign.name]
