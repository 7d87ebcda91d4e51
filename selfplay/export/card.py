"""The card of an export, README.md: what the folder holds, where it came from, how to load it.

Its front matter names the tables, so that `datasets.load_dataset(folder, "tasks")` needs nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from selfplay.evaluation.estimate import BOUNDS
from selfplay.export.base import base
from selfplay.export.tables import Table
from selfplay.views.ending import LEAGUE, compare, sides
from selfplay.views.text import number, safe

SFT = """`sft` has one row for each different text that a program found right: attempts with the verdict `correct` and
moves {moves} (of each task or prompt the {most}
that were written most often), and every proposal that became a task. The policy wrote every word of it. Where the
mixture of answers matters (a game that is played well by mixing), repeat rows by `count`."""

PREFERENCES = """`preferences` pairs two answers to one prompt, at most {most} pairs a task or prompt: a right attempt
over a wrong one; a proposal that became a task over one that a gate refused for its words (not for `novelty`, which
depends on what came before); a move that `sft` takes over an illegal one. Two legal moves are not ranked: the return of
one game hangs on the deal and on the rest of the play."""

ENDS = """Texts that the token limit cut are in neither. A text ends before its stop string and without white space;
TRL's trainers append the end-of-text token, so a model trained on these ends its answers with it."""


def card(export: Mapping[str, Any], tables: Mapping[str, Table]) -> str:
    """README.md of what `folder.export` describes."""
    return "\n".join([*_front(export), *_origin(export), *_evaluation(export), *_contents(export, tables)]) + "\n"


def _front(export: Mapping[str, Any]) -> Iterator[str]:
    yield "---"
    yield f"pretty_name: {json.dumps('selfplay run ' + export['run'])}"
    yield "tags: [selfplay, reinforcement-learning]"
    if export["tables"]:
        yield "configs:"
        for name, table in export["tables"].items():
            yield f"- config_name: {name}"
            yield f"  data_files: {table['file']}"
    yield "---"


def _origin(export: Mapping[str, Any]) -> Iterator[str]:
    config, machine = export["config"], export["meta"].get("machine", {})
    model = base(config["model"]["source"], config["seed"])
    versions = ", ".join(f"{_cell(name)} {_cell(version)}" for name, version in machine.get("versions", {}).items())
    roles = {
        "families of tasks": config["curriculum"]["families"],
        "games": config["games"]["names"] if config["games"]["episodes"] else [],
    }
    played = "; ".join(f"{what}: {', '.join(names)}" for what, names in roles.items() if names)
    yield f"\n# Run {_cell(export['run'])}, as of step {export['step']} of {config['steps']}\n"
    yield "A language model set itself tasks and played games against itself, and programs said what was right. What is"
    yield "here was written by the model, asked by the engine's prompts (which work out a few examples), or measured of"
    yield "it; no dataset went in.\n"
    yield "| | |\n| --- | --- |"
    yield f"| base model | {_cell(model.name)} |"
    yield f"| from | {_cell(model.where)} |"
    yield f"| licence of the base model | {_cell(model.licence)} |"
    yield f"| recipe | {_cell(config['name'])} (whole in `config.json`; `selfplay run config.json` runs it again) |"
    yield f"| seed | {config['seed']} |"
    yield f"| trained on | {_cell(played or 'nothing')} |"
    yield f"| prompts | {_cell(config['model']['style'])} style |"
    yield f"| commit | {_cell(machine.get('commit') or 'unknown')} |"
    yield f"| versions | {versions or 'unknown'} |"
    yield f"| machine | {_cell(machine.get('cpu', 'unknown'))}, {', '.join(machine.get('gpus', [])) or 'no GPU'} |"


def _evaluation(export: Mapping[str, Any]) -> Iterator[str]:
    yield "\n## Evaluation\n"
    found = export["evaluation"]
    if not found:
        yield "It was not evaluated."
        return
    labels = sides(found)
    yield "The same fixed measures each time; intervals and every step are in the table `evaluations`.\n"
    yield f"| measure | {' | '.join(map(_cell, labels))} |"
    yield "| --- " * (1 + len(labels)) + "|"
    for row in compare(found):
        if not row["key"].endswith(BOUNDS):
            lower = " (lower is better)" if row["better"] == "lower" else ""
            yield f"| {_cell(row['key'])}{lower} | {' | '.join(number(row[label]) for label in labels)} |"
    if found.get(LEAGUE):
        yield f"\nThe league's round robin is in that table under the label `{LEAGUE}`."


def _contents(export: Mapping[str, Any], tables: Mapping[str, Table]) -> Iterator[str]:
    yield "\n## What is here\n"
    for name, made in export["tables"].items():
        yield f"- `{name}`: {made['rows']:,} rows, {tables[name].about}"
    for name, why in export["left_out"].items():
        yield f"- no `{name}`: {why}"
    if export["model"]:
        yield f"- `model/`: the policy after step {export['model']['step']}, in the format of transformers and vLLM"
    yield from _loading(export)
    if {"sft", "preferences"} & set(export["tables"]):
        moves = {"won": "in games that their seat won by the rules", "legal": "that were legal"}[export["turns"]]
        yield "\n## Training pairs\n"
        if "sft" in export["tables"]:
            yield SFT.format(moves=moves, most=export["most"]) + "\n"
        if "preferences" in export["tables"]:
            yield PREFERENCES.format(most=export["most"]) + "\n"
        yield ENDS
        if any(export["cut"].values()):
            count = sum(export["cut"].values())
            yield f"\nLeft out: {count:,} rows whose prompt had lost its beginning to the sampler's length."
    for name in export["tables"]:
        yield f"\n## Columns of `{name}`\n\n| column | type | |\n| --- | --- | --- |"
        yield from (f"| `{n}` | {c.type} | {_cell(c.about)} |" for n, c in tables[name].columns.items())


def _loading(export: Mapping[str, Any]) -> Iterator[str]:
    yield "\n## Loading\n\n```python"
    if export["tables"]:
        first = next(iter(export["tables"]))
        yield "from datasets import load_dataset\n"
        yield f'{first} = load_dataset("path/to/this/folder", "{first}", split="train")'
    if export["model"]:
        yield "from transformers import AutoModelForCausalLM, AutoTokenizer\n"
        yield 'model = AutoModelForCausalLM.from_pretrained("path/to/this/folder/model")'
        yield 'tokenizer = AutoTokenizer.from_pretrained("path/to/this/folder/model")'
    yield "```\n"
    if export["tables"]:
        yield "`datasets` calls the one split of every table `train`. It is no division into training and test data:"
        yield "what the evaluation measures is generated apart from the run, and none of it is in here. Columns of type"
        yield "`json` hold one JSON object as text. Texts are as the model wrote them, control characters and all; only"
        yield "a lone surrogate, which Parquet cannot hold, is written out (`\\ud800`)."


def _cell(text: object) -> str:
    """Text for a table of Markdown: harmless, on one line."""
    return safe(str(text)).replace("|", "\\|").replace("<", "&lt;")
