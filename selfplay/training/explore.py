"""A pull toward every legal move alike, so that none dies before it was understood.

While a model learns what is legal, a move that is legal in few positions (a fold, when somebody has raised) is punished
more often than not; long before the positions are told apart it is never said again, and what is never said is never
learnt. Leduc poker lost its fold in twenty steps so.

The pull is the gradient of weight x KL(uniform over the legal moves, policy), the forward divergence: it stays as
strong for a move that has become rare, where an entropy bonus and a magnet fade with the move itself. It also says
directly what is legal, which the engine knows and any player may read in the rules. It is added as rows that nobody
said, one a legal move of each turn, with advantage weight / number of moves: TRL's clip bounds what one step can do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from selfplay.records import Sample
from selfplay.training.rows import Row


def pulled(samples: Sequence[Sample], weight: float) -> list[Row]:
    """The rows of all turns that have options; a position met n times counts n times."""
    met = Counter((sample.turn.prompt_ids, sample.turn.options) for sample in samples if sample.turn.options)
    return [
        Row(prompt, words, (0.0,) * len(words), weight / len(options), count, legal=False, sampled=False)
        for (prompt, options), count in met.items()
        for words in options
    ]
