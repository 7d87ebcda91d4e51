"""Records of steps that no model wrote: proposals over all gates, attempts, and games that keep their rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import games
from games import Game
from selfplay.records import (
    Attempt,
    Completion,
    Draft,
    End,
    Episode,
    Event,
    Ply,
    Proposal,
    Refusal,
    Sample,
    StepRecord,
    Stop,
    Task,
    Turn,
    Verdict,
)
from selfplay.seeds import rng as named_rng

FAMILIES = ("deduction", "abduction", "induction", "math", "logic")
THEMES = ("numbers", "text", "lists", "loops", "conditions", "recursion", "gcd", "entailment")
GATES = ("parse", "parse", "run", "run", "safety", "trivial", "novelty", "novelty", "determinism", "quota")
GAMES = ("tic_tac_toe", "kuhn_poker")
_TRIES = 8


def task(rng: Random, step: int, parents: Sequence[str] = ()) -> Task:
    """A task of about 200 bytes, with an id, a family and themes by chance."""
    family, number = rng.choice(FAMILIES), rng.getrandbits(40)
    factor, modulus = rng.randrange(99), rng.randrange(2, 99)
    lines = "".join(f"    total = total * {factor + i} + n % {modulus + i}\n" for i in range(4))
    body = {"code": f"def f(n):\n    total = {number}\n{lines}    return total", "input": str(rng.randrange(999))}
    themes = tuple(rng.sample(THEMES, rng.choice((1, 1, 2))))
    return Task(f"{rng.getrandbits(64):016x}", family, body, str(number), step, tuple(parents), themes=themes)


def record(rng: Random, step: int, turns: int, tasks: Sequence[Task], seeds: Sequence[Task] = ()) -> StepRecord:
    """A step of about `turns` turns: half a proposal each for every attempt and ply, and as many tasks admitted as
    given."""
    proposals = tuple(_proposals(rng, step, max(turns // 4, len(tasks)), tasks))
    known = [*tasks, *seeds]
    attempts = tuple(_attempts(rng, step, known, turns * 2 // 5)) if known else ()
    episodes = tuple(_episodes(rng, step, turns - len(proposals) - len(attempts)))
    samples = {("proposal", p.index, 0): _sample(rng, p.turn) for p in proposals}
    samples |= {("attempt", a.index, 0): _sample(rng, a.turn) for a in attempts}
    samples |= {
        ("episode", e.index, i): _sample(rng, ply.turn) for e in episodes for i, ply in enumerate(e.plies) if ply.turn
    }
    metrics = {f"{role}/{name}/mean": rng.random() for role in ("proposer", "solver", "player") for name in _NAMES}
    metrics |= {"proposer/valid_rate": 0.5 + 0.4 * rng.random(), "solver/solve_rate": rng.random()}
    metrics |= {"policy/parity/max": rng.random(), "policy/parity/mean": 0.1 * rng.random()}
    alarm = Event("alarm", "for 5 steps, hardly any proposal is new", {"alarm": "no_new_proposals"})
    return StepRecord(
        step=step,
        proposals=proposals,
        tasks=tuple(seeds),
        attempts=attempts,
        episodes=episodes,
        samples=samples,
        learnability={one.id: rng.random() for one in known},
        metrics=metrics,
        seconds={"rollouts": 9 + rng.random(), "train": 10 + rng.random(), "publish": 0.3, "checkpoint": 0.1},
        events=(alarm,) if step % 100 == 7 else (),
    )


_NAMES = ("reward", "entropy", "tokens", "logprob", "advantage", "length", "margin", "spread")


def turn(rng: Random, step: int, role: str, group: str, prompt: str, text: str) -> Turn:
    ids = tuple(rng.randrange(49_000) for _ in range(12))
    said = Completion(ids, tuple(-rng.random() for _ in ids), text, Stop.STOP, step - 1)
    return Turn(role, group, prompt, tuple(range(40)), said)


def _proposals(rng: Random, step: int, count: int, tasks: Sequence[Task]) -> Iterator[Proposal]:
    for index in range(count):
        made = tasks[index] if index < len(tasks) else None
        family = made.family if made else rng.choice(FAMILIES)
        text = made.body["code"] if made else f"def f(n):\n    return n * {rng.getrandbits(30)}"
        said = turn(rng, step, "proposer", family, f"Write a program for {family}, step {step}.", text)
        draft = Draft(family, {"code": text})
        if made:
            yield Proposal(index, family, said, made.parents, draft, task=made)
        else:
            gate = rng.choice(GATES)
            refusal = Refusal(gate, f"what the gate {gate} says of it")
            yield Proposal(index, family, said, (), None if gate == "parse" else draft, refusal=refusal)


def _attempts(rng: Random, step: int, tasks: Sequence[Task], count: int) -> Iterator[Attempt]:
    for index in range(count):
        one = tasks[(index // _TRIES) % len(tasks)]
        right = rng.random() < 0.4
        answer, verdict = (one.gold, Verdict.CORRECT) if right else ("-1", Verdict.WRONG)
        said = turn(rng, step, "solver", one.id, f"{one.body['code']}\nWhat is f({one.body['input']})?", answer)
        yield Attempt(one.id, one.family, index, said, answer, verdict)


def _episodes(rng: Random, step: int, plies: int) -> Iterator[Episode]:
    played, index, found = 0, 0, [games.find(name) for name in GAMES]
    while played < plies:
        episode = _episode(rng, step, index, found[index % len(found)])
        yield episode
        played, index = played + len(episode.plies), index + 1


def _episode(rng: Random, step: int, index: int, game: Game) -> Episode:
    seed = rng.getrandbits(62)
    chance, plies = named_rng("chance", game.name, seed), list[Ply]()
    state = game.initial(chance)
    while (seat := game.to_move(state)) is not None:
        seen, legal = game.observe(state, seat), tuple(game.legal(state) or ())
        lost = rng.random() < 0.02
        action = None if lost else rng.choice(legal)
        said = turn(rng, step, "player", f"{game.name}/{seat}", f"{seen}\nMove:", action or "I do not know")
        plies.append(Ply(seat, seen, legal, action, said))
        if action is None:
            forfeit = tuple(game.utility_range[0] if who == seat else 0.0 for who in range(len(game.roles)))
            return Episode(index, game.name, seed, ("policy",) * 2, tuple(plies), forfeit, End.INVALID, seat)
        state = game.step(state, action, chance)
    return Episode(index, game.name, seed, ("policy",) * 2, tuple(plies), tuple(game.returns(state)), End.FINISHED)


def _sample(rng: Random, turn: Turn) -> Sample:
    return Sample(turn, float(rng.random() < 0.4), rng.gauss(0.0, 1.0))
