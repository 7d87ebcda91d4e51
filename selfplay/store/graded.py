"""Words of the policy beside what a program said of them: what supervised and preference pairs are made of."""

from __future__ import annotations

from collections.abc import Iterator

from selfplay.store.streams import Row, Streams

KINDS = ("attempt", "proposal", "episode")

_TEXT = "rtrim(t.text, ' ' || char(9, 10, 13))"
_RETURN = "json_extract(o.returns, '$[' || y.seat || ']')"
_ENDS = "(SELECT {}(value) FROM json_each(o.returns))"
_SOUND = "coalesce(json_extract(k.reason, '$.gate'), 'capacity') = 'capacity'"
_WON = f"o.\"end\" = 'finished' AND {_RETURN} = {_ENDS.format('max')} AND {_RETURN} > {_ENDS.format('min')}"
_KIND = {
    "attempt": {
        "tables": "JOIN attempts o ON o.id = t.owner JOIN tasks k ON k.id = o.task",
        "task": "k.n",
        "family": "o.family",
        "good": "o.verdict = 'correct'",
        "why": "o.verdict",
        "kept": f"t.stop <> 'length' AND {_SOUND}",
    },
    "proposal": {
        "tables": "JOIN proposals o ON o.id = t.owner LEFT JOIN tasks k ON k.id = o.task",
        "task": "NULL",
        "family": "o.family",
        "good": "o.gate IS NULL",
        "why": "coalesce(o.gate, 'admitted')",
        "kept": f"t.stop <> 'length' AND coalesce(o.gate, '') NOT IN ('novelty', 'sandbox') AND {_SOUND}",
    },
    "episode": {
        "tables": "JOIN episodes o ON o.id = t.owner JOIN plies y ON y.episode = t.owner AND y.ply = t.idx",
        "task": "NULL",
        "family": "o.game",
        "good": "y.action IS NOT NULL",
        "why": "iif(y.action IS NULL, 'illegal', 'legal')",
        "kept": "(t.stop <> 'length' OR trim(t.text) = y.action OR length(trim(t.text)) = 1)",
    },
}


class Graded(Streams):
    def graded(self, kind: str) -> Iterator[Row]:
        """Every different text that answered a prompt, with its verdict. White space at the end makes no difference and
        is left off. `kind`: `attempt`, `proposal`, `episode`.

        `task_n` (None unless an attempt) and `prompt_id` say which rows answer the same question: they come one after
        the other, the good ones first, and of those the ones written most often. `good`: the attempt is right, the
        proposal became a task, the move is legal. `why`: the verdict, gate, or legality. `count`: how often it was
        written; `wins`, `value`: in how many games that its seat won, and the seat's mean return (None unless a game).
        `turn`: the first time, from which `step`, `version`, `owner`, `ply` are.

        Left out: a text that was judged both ways; one that reached the token limit (a move that is whole all the same
        stays); what belongs to a task whose truth did not hold when it was run again; and a proposal whose refusal says
        nothing of its words (`novelty` depends on what came before, `sandbox` on the machine).
        """
        part = _KIND[kind]
        games = f"sum({_WON}) AS wins, avg({_RETURN}) AS value" if kind == "episode" else "NULL AS wins, NULL AS value"
        texts = f"""
            SELECT {part["task"]} AS task_n, t.prompt AS prompt_id, {_TEXT} AS completion, {part["family"]} AS family,
                max({part["good"]}) AS good, min({part["why"]}) AS why, count(*) AS count, {games}, min(t.id) AS turn
            FROM turns t {part["tables"]} WHERE t.kind = '{kind}' AND {part["kept"]}
            GROUP BY 1, 2, 3 HAVING min({part["good"]}) = max({part["good"]})"""
        return self._each(f"""
            SELECT x.*, p.text AS prompt, t.role, t.step, t.version, t.owner, t.idx AS ply, k.id AS task, k.solve_rate
            FROM ({texts}) x JOIN turns t ON t.id = x.turn JOIN prompts p ON p.id = x.prompt_id
            LEFT JOIN tasks k ON k.n = x.task_n
            ORDER BY x.task_n, x.prompt_id, x.good DESC, x.count DESC, x.turn""")
