"""Golden playthroughs: one recorded game of each built-in game, in `playthroughs/NAME.txt`, replayed to the letter.

A change of rules, of chance or of what a seat sees shows as a difference. If it was meant, record them again and look
at what changed:

    .venv/bin/python -m tests.games.test_playthroughs
    git diff tests/games/playthroughs
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games import Game, State, available, find
from games.playout import play

FOLDER = Path(__file__).parent / "playthroughs"
SEEDS = range(10)


def transcript(game: Game, seed: int, moves: list[str]) -> str:
    """Every state of the game as each seat sees it, between the moves. Chance is drawn from `Random(seed)`."""
    rng = Random(seed)
    state, lines = game.initial(rng), [f"game: {game.name}", f"seed: {seed}", ""]
    for move in moves:
        seat = game.to_move(state)
        assert seat is not None and move in game.legal(state)
        lines += [*views(game, state), f"{game.roles[seat]} may: {', '.join(game.legal(state))}", f"> {move}", ""]
        state = game.step(state, move, rng)
    assert game.to_move(state) is None
    return "\n".join([*lines, *views(game, state), f"returns: {', '.join(map(str, game.returns(state)))}", ""])


def views(game: Game, state: State) -> list[str]:
    return [
        f"{role} | {line}" for seat, role in enumerate(game.roles) for line in game.observe(state, seat).splitlines()
    ]


def moves_of(text: str) -> list[str]:
    return [line[2:] for line in text.splitlines() if line.startswith("> ")]


def seed_of(text: str) -> int:
    return int(text.splitlines()[1].removeprefix("seed: "))


def longest(game: Game) -> str:
    """The longest of a few random games."""
    played = max((play(game, seed) for seed in SEEDS), key=lambda played: len(played.moments))
    return transcript(game, played.seed, [moment.action for moment in played.moments if not moment.over])


@pytest.mark.parametrize("name", available())
def test_a_recorded_game_can_be_replayed_to_the_letter(name):
    text = (FOLDER / f"{name}.txt").read_text()
    assert transcript(find(name), seed_of(text), moves_of(text)) == text


def test_every_record_is_of_a_built_in_game():
    assert {file.stem for file in FOLDER.iterdir()} == set(available())


if __name__ == "__main__":
    for each in available():
        (FOLDER / f"{each}.txt").write_text(longest(find(each)))
