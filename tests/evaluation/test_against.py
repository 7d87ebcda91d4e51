from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

import pytest

import games
from games import Game
from games.opponents import Minimax, find
from selfplay.config import Config
from selfplay.errors import PluginNotFound, UserError
from selfplay.evaluation import against
from selfplay.evaluation.against import pairings
from selfplay.evaluation.measures import evaluate
from selfplay.rollouts.crew import Crew
from solvers.player import Player
from tests.scripted import Scripted

TOE, KUHN = games.find("tic_tac_toe"), games.find("kuhn_poker")
BOTH = {game.name: game for game in (TOE, KUHN)}
PLAYER = Player(show_rules=False)
SHORT = ("legal_rate", "score_vs_random", "not_lost_vs_random", "forfeit_rate")


def config(*opponents: str, games: int = 24) -> Config:
    return Config.model_validate(
        {"evaluation": {"games": games, "opponents": opponents, "exploitability": []}, "curriculum": {"families": []}}
    )


def measured(script: Callable[[str, Random], str], recipe: Config, played: dict[str, Game]) -> dict[str, float]:
    return asyncio.run(evaluate(Scripted(script), recipe, {}, played, {}, PLAYER))


def match(script: Callable[[str, Random], str], game: Game, opponent: str, count: int = 24) -> against.Match:
    async def played() -> against.Match:
        engine = Scripted(script)
        async with Crew(engine) as crew:
            return await against._match(crew, engine, config(games=count), game, PLAYER, find(opponent, game))

    return asyncio.run(played())


def perfect(prompt: str, rng: Random) -> str:
    """Minimax's own move in the position that the prompt shows."""
    board = "".join("".join(line.split()) for line in prompt.splitlines()[1:4])
    return f" {Minimax().act(TOE, board, rng)}"


def listed(prompt: str) -> list[str]:
    return prompt.rpartition("Legal moves: ")[2].split("\n")[0].split(", ")


def first(prompt: str, rng: Random) -> str:
    return f" {listed(prompt)[0]}"


def careless(prompt: str, rng: Random) -> str:
    """Any legal move, but one in five is none."""
    return " nothing" if rng.random() < 0.2 else f" {rng.choice(listed(prompt))}"


def silent(prompt: str, rng: Random) -> str:
    return " ?"


def test_a_perfect_policy_draws_every_game_with_minimax_and_beats_random_from_both_seats():
    found = measured(perfect, config("random", "minimax"), {"tic_tac_toe": TOE})
    assert found["tic_tac_toe/vs_minimax/not_lost"] == found["tic_tac_toe/vs_minimax/drawn"] == 1
    assert found["tic_tac_toe/vs_minimax/won"] == found["tic_tac_toe/vs_minimax/lost"] == 0
    assert found["tic_tac_toe/vs_minimax/score"] == found["tic_tac_toe/vs_minimax/seat_1/score"] == 0.5
    assert found["tic_tac_toe/vs_minimax/legal_rate"] == 1
    assert found["tic_tac_toe/score_vs_random"] > 0.85


def test_every_deal_is_played_once_from_each_seat():
    played = match(first, KUHN, "random").episodes
    assert len(played) == 24
    for one, two in zip(played[::2], played[1::2], strict=True):
        assert one.opponents == ("policy", "random") and two.opponents == ("random", "policy")
        assert one.seed == two.seed and one.plies[0].observation == two.plies[0].observation, "the same first card"
    assert len({one.seed for one in played}) == 12


def test_the_deals_are_the_same_against_every_opponent():
    assert [one.seed for one in match(first, KUHN, "random").episodes] == [
        one.seed for one in match(first, KUHN, "cfr").episodes
    ]


def test_an_evaluation_can_be_repeated():
    recipe = config("random", "minimax", "cfr")
    assert measured(careless, recipe, BOTH) == measured(careless, recipe, BOTH)


def test_the_measures_of_random_do_not_depend_on_who_else_is_played():
    alone, beside = measured(careless, config("random"), BOTH), measured(careless, config("cfr", "random"), BOTH)
    assert set(alone) == {f"{prefix}/{key}" for prefix in ("player", *BOTH) for key in SHORT}
    assert {key: beside[key] for key in alone} == alone
    assert not set(alone) & set(measured(careless, config("cfr"), BOTH)), "and are not there where it is not asked for"


def test_the_short_measures_are_of_all_games_and_of_each():
    found = measured(careless, config("random"), BOTH)
    for key in ("score_vs_random", "forfeit_rate"):
        assert found[f"player/{key}"] == pytest.approx((found[f"tic_tac_toe/{key}"] + found[f"kuhn_poker/{key}"]) / 2)
    assert 0.6 < found["player/legal_rate"] < 0.95


def test_each_estimate_of_another_opponent_is_written_with_its_interval():
    found = measured(careless, config("cfr", games=40), {"kuhn_poker": KUHN})
    values = {key for key in found if not key.endswith(("/low", "/high"))}
    shares = {"won", "drawn", "lost", "not_lost", "forfeit_rate", "legal_rate"}
    scores = {"score", "points", "seat_0/score", "seat_1/score"}
    kept = {f"{key}_without_forfeits" for key in ("score", "won", "not_lost")}
    assert values == {f"kuhn_poker/vs_cfr/{key}" for key in shares | scores | kept}
    for key in values:
        assert 0 <= found[f"{key}/low"] <= found[key] <= found[f"{key}/high"] <= 1
        assert found[f"{key}/low"] < found[f"{key}/high"]


def test_a_forfeit_is_a_loss_and_can_be_left_out():
    played = match(careless, TOE, "minimax", 60)
    found = {key: estimate.value for key, estimate in against.estimates(played).items()}
    forfeited = sum(one.offender is not None for one in played.episodes)
    assert 0 < forfeited < 60 and found["forfeit_rate"] == forfeited / 60
    assert found["lost"] >= found["forfeit_rate"]
    assert found["won"] + found["drawn"] + found["lost"] == pytest.approx(1)
    kept = [one.returns[i % 2] for i, one in enumerate(played.episodes) if one.offender is None]
    assert found["score_without_forfeits"] == pytest.approx(sum((value + 1) / 2 for value in kept) / len(kept))
    assert found["score_without_forfeits"] > found["score"]
    assert found["score"] == pytest.approx((found["seat_0/score"] + found["seat_1/score"]) / 2)


def test_a_policy_that_names_no_move_forfeits_every_game_and_has_no_score_without_forfeits():
    found = measured(silent, config("minimax"), {"tic_tac_toe": TOE})
    assert found["tic_tac_toe/vs_minimax/forfeit_rate"] == found["tic_tac_toe/vs_minimax/lost"] == 1
    assert found["tic_tac_toe/vs_minimax/score"] == found["tic_tac_toe/vs_minimax/legal_rate"] == 0
    assert found["tic_tac_toe/vs_minimax/not_lost/high"] < 0.2
    assert not any("without_forfeits" in key for key in found)


def test_a_weak_policy_loses_to_a_strong_opponent_more_than_to_a_weak_one():
    strong, weak = match(first, KUHN, "cfr", 200), match(first, KUHN, "random", 200)
    assert against.estimates(strong)["score"].value < against.estimates(weak)["score"].value


def test_each_opponent_plays_the_games_it_can_and_nobody_twice():
    found = [(game.name, player.name) for game, player in pairings(("minimax", "random", "uniform", "cfr"), BOTH)]
    assert found == [
        ("tic_tac_toe", "minimax"),
        ("tic_tac_toe", "random"),
        ("kuhn_poker", "random"),
        ("tic_tac_toe", "cfr"),
        ("kuhn_poker", "cfr"),
    ]


def test_an_opponent_that_fits_no_game_of_the_recipe_is_an_error():
    with pytest.raises(UserError, match="minimax plays two-seat zero-sum games of perfect information"):
        pairings(("random", "minimax"), {"kuhn_poker": KUHN})
    with pytest.raises(PluginNotFound, match="did you mean `minimax`"):
        pairings(("minmax",), BOTH)
