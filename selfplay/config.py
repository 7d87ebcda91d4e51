"""Recipes: what a run is told, typed and frozen.

A recipe is a short TOML file: defaults are the vetted setting, and a key that is set is visibly a choice. Unknown keys
are errors with a suggestion. `config.json` in a run's folder is the resolved form and can be run again.
"""

from __future__ import annotations

import difflib
import json
import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    ValidationError,
)

from selfplay.errors import WrongCall

RECIPES = Path(__file__).resolve().parent.parent / "runs" / "recipes"


class Section(BaseModel):
    """Frozen, and closed to keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelConfig(Section):
    source: str = "embedded"
    """`embedded`, `scratch` (`scratch:3x128`: layers and width; `scratch:3x128@0.09`: how far its first weights
    deviate, too), a folder, or a hub name."""
    style: Literal["completion", "chat"] = "completion"
    """How prompts are written: bare text to continue (base and small models), or the model's chat template."""


class SamplerConfig(Section):
    engine: Literal["vllm", "transformers"] = "vllm"
    dtype: Literal["bfloat16", "float32"] = "bfloat16"
    batch: PositiveInt = 256
    """Most sequences that run at once."""
    max_len: PositiveInt = 1024
    """Longest prompt + completion, in tokens."""
    kv_cache_gib: PositiveInt = 2
    gpu_memory: PositiveFloat = 0.45
    temperature: PositiveFloat = 1.0


class TrainingConfig(Section):
    learning_rate: PositiveFloat = 1e-6
    schedule: Literal["constant", "linear"] = "constant"
    """What the rate does after the warm-up: it stays, or it falls to 0 at the last step."""
    warmup: NonNegativeInt = 0
    """Steps over which the rate rises from 0."""
    loss: Literal["dapo", "cispo"] = "dapo"
    """TRL's names. Both are normalised by the policy tokens of the whole batch."""
    clip: tuple[PositiveFloat, PositiveFloat] = (0.2, 0.28)
    epochs: PositiveInt = 1
    """Passes over a step's batch; old log-probabilities are fixed before the first."""
    minibatches: PositiveInt = 1
    """Updates an epoch: the rows of a step are dealt out to them at random."""
    grad_norm: PositiveFloat = 1.0
    betas: tuple[float, float] = (0.9, 0.99)
    weight_decay: NonNegativeFloat = 0.0
    autocast: bool = True
    """bf16 compute over fp32 master weights."""
    pack: bool = True
    """Share common prefixes inside a micro-batch (one forest of tokens) instead of one padded row a turn."""
    micro_tokens: PositiveInt = 2048
    """Most tokens in one forward pass, after sharing."""
    budget_tokens: NonNegativeInt = 0
    """About how many completion tokens a step trains on, rows drawn by the size of their advantage and reweighted; 0:
    all of them."""
    importance_cap: NonNegativeFloat = 2.0
    """Truncated importance sampling between sampler and trainer; 0 turns it off."""
    magnet: NonNegativeFloat = 0.0
    """Weight of the KL penalty toward a slowly moving copy of the policy, over what is legal; 0 turns it off."""
    magnet_rate: PositiveFloat = 0.05
    entropy: NonNegativeFloat = 0.0
    """Weight of the entropy bonus."""
    explore: NonNegativeFloat = 0.0
    """Weight of a pull toward all legal moves of a game alike; it falls with the learning rate."""
    lora_rank: NonNegativeInt = 0
    """0 trains every weight."""
    checkpoint_every: PositiveInt = 1
    """A kill loses at most the steps since the last checkpoint; 1 loses nothing of a finished step."""


class CurriculumConfig(Section):
    families: tuple[str, ...] = ("deduction",)
    proposals: NonNegativeInt = 64
    """Proposals a step, over all families."""
    prompts: PositiveInt = 4
    """Different sets of references they are shared over; proposals from one set are one group."""
    references: NonNegativeInt = 3
    """Earlier tasks shown in a proposer's prompt."""
    new_tasks: NonNegativeInt = 16
    """Most admitted tasks that are attempted in their step; the rest wait in the bank."""
    replays: NonNegativeInt = 8
    """Tasks from the bank attempted again."""
    attempts: int = Field(default=8, ge=2)
    """Attempts a task: they measure its difficulty and train the solver."""
    more_attempts: NonNegativeInt = 0
    """Further attempts at a task that some of the first ones solved and some did not."""
    scorer: str = "variance"
    replay_samplers: dict[str, PositiveFloat] = {"frontier": 1.0}
    """Which tasks are attempted again: samplers by share."""
    reference_samplers: dict[str, PositiveFloat] = {"recent": 0.5, "uniform": 0.5}
    """Which tasks a proposer is shown."""
    directives: dict[Literal["theme", "difficulty", "variation"], PositiveFloat] = {}
    """How often a brief asks for a theme, a difficulty, or a variation of a failed task; the rest ask for nothing."""
    capacity: PositiveInt = 4096
    """Active tasks a family. The least worth keeping leave a full bank; the novelty gate never forgets them."""
    decay: float = Field(default=0.9, gt=0, le=1)
    """What is left of a task's worth after each visit that brought no progress."""
    rename: bool = False
    """Give a program's own names neutral ones before it is kept and shown, so that they tell a solver nothing."""
    max_tokens: PositiveInt = 96
    answer_tokens: PositiveInt = 24


class RewardConfig(Section):
    """What a proposal and an attempt earn (Absolute Zero's own table is one setting of it)."""

    refused: float = 0.0
    """A proposal that a gate refused, other than for novelty."""
    repeat: float = 0.0
    """A valid proposal that is not new."""
    valid: float = 0.0
    """A new task, before its worth is added: nothing for being merely valid."""
    learnability: float = 1.0
    """Weight of the learnability of a measured task."""
    ends: float | None = None
    """All that a task earns when every attempt of its step was right, or none was; unset: as any other task."""
    correct: float = 1.0
    wrong: float = 0.0
    unparsed: float = -0.5
    cut_short: float | None = None
    """What the legal moves of a game earn that an invalid one ended, as a share of the largest utility; unset: the
    offender's earn what the invalid move does, and the other seat's are not trained on. In a long game that nobody can
    finish at first, no legal move is otherwise ever seen to be better than an illegal one."""


class GamesConfig(Section):
    names: tuple[str, ...] = ("kuhn_poker", "tic_tac_toe")
    episodes: NonNegativeInt = 48
    """Games a step, shared evenly over `names`."""
    same_deal: PositiveInt = 1
    """How many of them share a deal, for the estimator `deal_group`."""
    answer: Literal["text", "label"] = "text"
    """How a move is written: its own words, or one character that names it."""
    show_legal: bool = True
    show_rules: bool = True
    observation: Literal["current", "history", "infostate"] = "current"
    """What a seat is shown: the position, all that it saw and did before as well, or the game's shortest name for what
    it knows."""
    max_tokens: PositiveInt = 8
    retries: NonNegativeInt = 0


class LeagueConfig(Section):
    """Games against earlier selves, beside those against oneself."""

    share: float = Field(default=0.0, ge=0, le=1)
    """How many of a step's games; 0 keeps no snapshots."""
    draw: str = "prioritised"
    """How the rival is chosen: `uniform`, `prioritised`, an entry point, or `file.py:Class`."""
    every: PositiveInt = 10
    """Steps between snapshots."""
    most: int = Field(default=20, ge=3)


class CreditConfig(Section):
    """Estimators by role: names in `selfplay/credit`, entry points, or `file.py:Class`."""

    proposer: str = "rloo"
    solver: str = "rloo"
    player: str = "rae"
    rae_decay: float = Field(default=0.95, ge=0, lt=1)
    gae_lambda: float = Field(default=0.5, ge=0, le=1)
    """For `turn_gae`: 1 believes how the game ended, 0 what the next own position is worth."""
    value_memory: PositiveInt = 50
    """For `turn_gae`: how many turns in a position its value is a mean of, at most."""
    weights: dict[Literal["proposer", "solver", "player"], NonNegativeFloat] = {}
    """Multiplies the advantages of a role (`proposer`, `solver`, `player`); 1 where absent."""


class SandboxConfig(Section):
    servers: int = Field(default=2, ge=2)
    min_level: Literal["strict+", "strict", "wasm", "weak"] = "strict"


class EvaluationConfig(Section):
    proposals: NonNegativeInt = 96
    tasks: NonNegativeInt = 24
    attempts: PositiveInt = 4
    name_gap: NonNegativeInt = 0
    """How many of the newest tasks are asked again at the end, as they are and with neutral names."""
    games: NonNegativeInt = 24
    """Games against each opponent, per game; seats alternate over the same seeds."""
    opponents: tuple[str, ...] = ("random",)
    """Scripted players: `random`, `minimax`, `cfr`, a game's own, or `file.py:Class`; each plays the games it can."""
    exploitability: tuple[str, ...] = ("kuhn_poker",)
    every: NonNegativeInt = 0
    """Also measure the games, as above, every so many steps: a learning curve against fixed opponents."""
    round_robin: NonNegativeInt = 0
    """Games a pair, per game, between the last policy, the league's snapshots and a random player, at the end."""
    rated: int = Field(default=8, ge=1)
    """Most snapshots that take part."""


class HealthConfig(Section):
    parity_mean: PositiveFloat = 0.25
    """Largest mean difference, in nats a token, between sampler and trainer after a publish."""
    parity_max: PositiveFloat = 1.5
    patience: PositiveInt = 5
    """Steps for which a bad sign must stand before an alarm is raised."""
    on_alarm: Literal["note", "stop"] = "note"
    """What an alarm does beside being recorded and shown."""


class Config(Section):
    """A whole recipe."""

    name: str = "run"
    steps: PositiveInt = 10
    seed: NonNegativeInt = 0
    deterministic: bool = False
    model: ModelConfig = ModelConfig()
    sampler: SamplerConfig = SamplerConfig()
    training: TrainingConfig = TrainingConfig()
    curriculum: CurriculumConfig = CurriculumConfig()
    reward: RewardConfig = RewardConfig()
    games: GamesConfig = GamesConfig()
    league: LeagueConfig = LeagueConfig()
    credit: CreditConfig = CreditConfig()
    sandbox: SandboxConfig = SandboxConfig()
    evaluation: EvaluationConfig = EvaluationConfig()
    health: HealthConfig = HealthConfig()


def load(recipe: str, overrides: dict[str, Any] | None = None) -> Config:
    """The recipe named `recipe` in `runs/recipes`, or at that path (TOML or a run's `config.json`), with dotted
    `overrides`.

    Raises UserError, in one sentence, for a recipe that is not there or a key or value that does not fit.
    """
    path = find(recipe)
    try:
        text = path.read_text()
        data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        raise WrongCall(f"The recipe {path} cannot be read: {error}.") from error
    if not isinstance(data, dict):
        raise WrongCall(f"The recipe {path} holds a {type(data).__name__}, not a table of keys.")
    data.setdefault("name", path.stem)
    for key, value in (overrides or {}).items():
        _set(data, key, value)
    return build(data, str(path))


def build(data: dict[str, Any], origin: str) -> Config:
    """A checked Config from plain data; `origin` names it in the error."""
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        raise WrongCall(_explain(error, origin)) from None


def find(recipe: str) -> Path:
    """The file a recipe's name or path means."""
    named, path = RECIPES / f"{recipe}.toml", Path(recipe)
    if named.is_file():
        return named
    if path.is_dir() and (path / "config.json").is_file():
        return path / "config.json"
    if path.is_file():
        return path
    known = sorted(file.stem for file in RECIPES.glob("*.toml"))
    near = difflib.get_close_matches(recipe, known, n=1)
    hint = f" Did you mean '{near[0]}'?" if near else ""
    raise WrongCall(
        f"There is no recipe '{recipe}', neither in {RECIPES} nor as a path; there are: {', '.join(known)}.{hint}"
    )


def keys(section: type[BaseModel] = Config, prefix: str = "") -> dict[str, Any]:
    """Every dotted key with its default."""
    found: dict[str, Any] = {}
    for name, field in section.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            found |= keys(field.annotation, f"{prefix}{name}.")
        else:
            found[prefix + name] = field.get_default(call_default_factory=True)
    return found


def _set(data: dict[str, Any], dotted: str, value: Any) -> None:
    *path, last = dotted.split(".")
    for part in path:
        data = data.setdefault(part, {})
        if not isinstance(data, dict):
            raise WrongCall(f"The key '{dotted}' reaches into '{part}', which is a value.")
    data[last] = value


def _explain(error: ValidationError, origin: str) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        known = [*Config.model_fields, *keys()]
        near = difflib.get_close_matches(key, known, n=1) or [
            k for k in known if k.split(".")[-1] == key.split(".")[-1]
        ]
        hint = f"; did you mean '{near[0]}'?" if near else f"; sections are: {', '.join(Config.model_fields)}."
        return f"{origin}: there is no key '{key}'{hint}"
    message = first["msg"][:1].lower() + first["msg"][1:]
    return f"{origin}: the value of '{key}' does not fit: {message} (it is {first['input']!r})."
