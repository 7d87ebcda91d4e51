from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import games
from games import Game
from games.opponents import RandomOpponent
from selfplay.policy import open_engine
from selfplay.policy.engine import Engine
from selfplay.records import End, Episode, Sampling
from selfplay.rollouts.play import play
from solvers.player import Player
from tests.conftest import SAMPLER
from tests.scripted import Scripted

pytestmark = pytest.mark.model

KUHN, LEDUC, TOE = (games.find(name) for name in ("kuhn_poker", "leduc_poker", "tic_tac_toe"))
LABEL = Player(answer="label", show_rules=False)


def always(model: Path, letter: str) -> Engine:
    """A policy that answers `letter` to every prompt that ends with a colon: nothing but the last token's embedding
    reaches the head, and of the head only the row of `letter` points its way."""
    engine = open_engine(model, SAMPLER, 0)
    own = engine._model.state_dict()
    mute = {name: torch.zeros_like(weight) for name, weight in own.items() if "o_proj" in name or "down_proj" in name}
    head = torch.zeros_like(own["lm_head.weight"])
    head[ord(letter)] = 1000 * own["model.embed_tokens.weight"][ord(":")]
    engine.publish([*mute.items(), ("lm_head.weight", head)])
    return engine


@pytest.fixture(scope="module")
def first(model: Path) -> Iterator[Engine]:
    """Always checks or calls."""
    engine = always(model, "c")
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def wrong(model: Path) -> Iterator[Engine]:
    """Always names a move that is not there."""
    engine = always(model, "z")
    yield engine
    engine.close()


def played(engine: Engine, game: Game, seed: int = 0, index: int = 0, **settings: Any) -> Episode:
    return asyncio.run(play(engine, game, LABEL, Sampling(max_tokens=1), seed, index, **settings))


def test_in_self_play_both_seats_are_the_policy_and_every_ply_is_a_turn_of_its_own(first: Engine) -> None:
    episode = played(first, KUHN)
    assert (episode.end, episode.offender, episode.opponents) == (End.FINISHED, None, ("policy", "policy"))
    assert [(ply.seat, ply.action) for ply in episode.plies] == [(0, "check"), (1, "check")]
    for ply in episode.plies:
        assert ply.turn is not None and ply.turn.role == "player" and ply.turn.group == f"kuhn_poker/{ply.seat}"
        assert ply.turn.completion.ids == (ord("c"),) and ply.observation in ply.turn.prompt
        assert bytes(ply.turn.prompt_ids).decode() == ply.turn.prompt
    assert sorted(episode.returns) == [-1.0, 1.0]


def test_the_seat_that_makes_no_legal_move_forfeits(wrong: Engine) -> None:
    episode = played(wrong, KUHN)
    assert (episode.end, episode.offender, episode.returns) == (End.INVALID, 0, (-2.0, 0.0))
    (ply,) = episode.plies
    assert ply.action is None and ply.legal == ("check", "bet") and ply.turn is not None
    later = played(wrong, KUHN, opponents={0: RandomOpponent()})
    assert (later.end, later.offender, later.returns) == (End.INVALID, 1, (0.0, -2.0))


def test_a_retry_is_one_more_turn_before_the_forfeit(wrong: Engine) -> None:
    episode = played(wrong, TOE, retries=2)
    assert [(ply.seat, ply.action) for ply in episode.plies] == [(0, None)] * 3
    assert episode.end is End.INVALID and episode.offender == 0
    assert len({ply.turn.completion.ids for ply in episode.plies if ply.turn}) == 1


@pytest.mark.parametrize("seat", [0, 1])
def test_an_opponent_s_plies_have_no_turn(first: Engine, seat: int) -> None:
    episode = played(first, LEDUC, seed=3, opponents={seat: RandomOpponent()})
    assert episode.end is End.FINISHED and episode.opponents[seat] == "random"
    assert episode.opponents[1 - seat] == "policy"
    assert {ply.seat for ply in episode.plies} == {0, 1}
    for ply in episode.plies:
        assert (ply.turn is None) == (ply.seat == seat)
        assert ply.legal is not None and ply.action in ply.legal


def test_a_seed_deals_the_same_cards_to_the_policy_in_either_seat(first: Engine) -> None:
    def cards(episode: Episode) -> dict[int, str]:
        return {ply.seat: ply.observation.splitlines()[0] for ply in episode.plies}

    dealt = set()
    for seed in range(12):
        one = played(first, KUHN, seed, 0, opponents={1: RandomOpponent()})
        other = played(first, KUHN, seed, 1, opponents={0: RandomOpponent()})
        assert cards(one) == cards(other) == cards(played(first, KUHN, seed))
        assert len(set(cards(one).values())) == 2
        dealt.add(tuple(cards(one).values()))
    assert len(dealt) > 3


def test_the_same_seed_and_index_play_the_same_game_and_another_index_samples_anew(engine: Engine) -> None:
    """The policy here is random, so an answer shows the seed that drew it."""
    one, same, other = (played(engine, TOE, seed=1, index=index) for index in (0, 0, 1))
    assert one == same
    assert one.plies[0].observation == other.plies[0].observation
    assert one.plies[0].turn != other.plies[0].turn


def test_a_policy_that_is_shown_a_name_alone_is_recorded_with_what_a_person_would_see(first: Engine) -> None:
    terse = Player(answer="label", show_rules=False, show_legal=False, observation="infostate")
    episode = asyncio.run(play(first, KUHN, terse, Sampling(max_tokens=1), 0, 0))
    card, other = (ply.observation.splitlines()[0][-1] for ply in episode.plies)
    assert [ply.turn.prompt for ply in episode.plies if ply.turn] == [f"{card}:", f"{other} check:"]


@pytest.mark.parametrize("observation", ["current", "history"])
def test_nobody_sees_the_words_around_a_move(observation: str) -> None:
    chat = Player(style="chat", observation=observation)
    engine = Scripted(lambda prompt, chance: f"PLAN. \\boxed{{{prompt.rpartition('Legal moves: ')[2][0]}}}")
    episode = asyncio.run(play(engine, TOE, chat, Sampling(max_tokens=64), 0, 0))
    assert episode.end is End.FINISHED and len(episode.plies) >= 5
    for ply in episode.plies:
        assert ply.turn is not None and "PLAN" in ply.turn.completion.text and "PLAN" not in ply.turn.prompt
    boxes = [ply.turn.prompt.count("\\boxed{") for ply in episode.plies if ply.turn]
    assert boxes == ([1 + place // 2 for place in range(len(boxes))] if observation == "history" else [1] * len(boxes))


def test_two_scripted_opponents_play_a_game_without_the_policy(first: Engine) -> None:
    episode = played(first, TOE, opponents={0: RandomOpponent(), 1: RandomOpponent()})
    assert episode.end is End.FINISHED and len(episode.plies) >= 5
    assert all(ply.turn is None for ply in episode.plies)
    assert sum(episode.returns) == 0
