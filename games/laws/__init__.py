"""The laws, one function each: (game, playouts) → (law, sentence, transcript) for every breach. `games.check` gathers
them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from games.game import Game
from games.laws.actions import acceptance, parsing
from games.laws.chances import chance
from games.laws.hidden import hidden_information
from games.laws.places import Breach
from games.laws.playing import determinism, forms, isolation, termination, utilities
from games.laws.purity import global_randomness, immutability, values
from games.laws.speed import speed
from games.playout import Playout

Law = Callable[[Game, Sequence[Playout]], Iterator[Breach]]

LAWS: tuple[Law, ...] = (
    forms,
    termination,
    utilities,
    determinism,
    isolation,
    acceptance,
    parsing,
    values,
    immutability,
    global_randomness,
    chance,
    hidden_information,
    speed,
)
